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


static void shifts1(void) {
    static signed char a[5] = { 1lu, 032307u, -10ll, 0x3fuLL, 0XF7AD };
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k <= 31; k += 3) {
            unsigned int n = k;
            mix(a[i] >> (n & 31));
            mix(a[i] << (n & 31));
            signed char c = a[i];
            c <<= n & 31;
            mix(c);
            mix((a[i] >> (k & 31)) + (1 << (k & 15)));
            mix((unsigned char)a[i] << (k & 23) | a[i] >> 1);
        }
        printf("%d ", (int)(a[i] >> 3));
    }
    printf("%llx\n", (unsigned long long)(a[4] << (68 & 31)));
}

static void shifts2(void) {
    static int a[5] = { 0b10101100, -0b110011111110110, 0lu, 0x81e4ll, -0X2L };
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k <= 31; k += 7) {
            short n = k;
            mix(a[i] >> (n & 31));
            mix(a[i] << (n & 31));
            int c = a[i];
            c <<= n & 31;
            mix(c);
            mix((a[i] >> (k & 31)) + (1 << (k & 15)));
            mix((unsigned char)a[i] << (k & 23) | a[i] >> 1);
        }
        printf("%d ", (int)(a[i] >> 3));
    }
    printf("%llx\n", (unsigned long long)(a[4] << (94 & 31)));
}

int main(void) {
    shifts1();
    show("shifts1");
    shifts2();
    show("shifts2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
