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


static int sw1(volatile unsigned char x) {
    int r = 0;
    switch (x) {
        r = 999; int unused; unused = 1;
        default:
        return r * 10 + 0;
        case (3 > 2) + 40:
        for (int i = 0; i < 3; i++) {
            if (i == 1) break;
            r += i + 2;
        }
        break;
        case 100:
        if (r) break;
        r = 6;
        case 0:
        r ^= 8;
        break;
        case (int)sizeof(int) * 13:
        if (r) break;
        r = 12;
        case -30 ... -20:
        r ^= 32;
        break;
        case 1:
        if (r) break;
        r = 18;
        ;
    }
    return r + 1;
}

static int duff2(const char *from, int n) {
    int r = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
        case 0: do { r = r * 3 + *from++;
            case 3: r = r * 3 + *from++;
            case 2: r = r * 3 + *from++;
            case 1: r = r * 3 + *from++;
        } while (--rounds > 0);
    }
    return r;
}

static void switches3(void) {
    for (int i = -35; i < 130; i++) mix(sw1(i));
    static const long long more[] = { 200, 1000, 0x100000000LL, -5000000000LL, 9223372036854775807LL, -5 };
    for (int i = 0; i < 6; i++) { mix(sw1((unsigned char)more[i])); printf("%d ", sw1((unsigned char)more[i])); }
    for (int i = 1; i < 10; i++) mix(duff2("some text", i));
    printf("%d\n", duff2("0123456789", 8));
}

int main(void) {
    switches3();
    show("switches3");
    printf("end %016llx\n", sum);
    return (int)sum;
}
