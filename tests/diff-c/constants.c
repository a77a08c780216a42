typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void constants1(void) {
    mix(0b1001100111000100u);
    mix(sizeof(0b1001100111000100u) * 2 + (0b1001100111000100u * 0 - 1 < 0));
    mix(-21333ULL);
    mix(sizeof(-21333ULL) * 2 + (-21333ULL * 0 - 1 < 0));
    mix(-2313222811241586652);
    mix(sizeof(-2313222811241586652) * 2 + (-2313222811241586652 * 0 - 1 < 0));
    mix(0x3fuLL);
    mix(sizeof(0x3fuLL) * 2 + (0x3fuLL * 0 - 1 < 0));
    mix(0XF7AD);
    mix(sizeof(0XF7AD) * 2 + (0XF7AD * 0 - 1 < 0));
    mix(1ll);
    mix(sizeof(1ll) * 2 + (1ll * 0 - 1 < 0));
    mix(0b10101100);
    mix(sizeof(0b10101100) * 2 + (0b10101100 * 0 - 1 < 0));
    mix(-0b110011111110110);
    mix(sizeof(-0b110011111110110) * 2 + (-0b110011111110110 * 0 - 1 < 0));
    mix('\'');
    mix('\0');
    mix('\0');
    mix(*"q");
    printf("%d %d\n", '%' + 0, (int)(0X9u >> 1));
}

int main(void) {
    constants1();
    show("constants1");
    printf("end %016llx\n", sum);
    return (int)sum;
}
