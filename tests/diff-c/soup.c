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

unsigned long g4 = 02U;
long g5 = 0x5LL;
static volatile int g6 = 0b110011010011000lu;
static _Bool arr7[4] = { 0X4, 24, 3421840150lu, 05l };
static unsigned char arr8[2] = { 'Z', '\377' };
struct R9 {
    unsigned int m0 : 27;
    int m1;
};
static struct R9 rec10;
static struct R9 rec11;

static inline unsigned int pure2(signed char a0, short a1, char a2) {
    unsigned long long x = +a0 != (sizeof(int) ? 0x3fuLL : 0X5391U) || a2 + -95L == (a0 ? a0 : a2);
    if ('a' - a2 + (unsigned long)(-0xaU)) return (long long)(x < a1);
    return a1;
}

static _Bool pure3(unsigned int a0, unsigned char a1) {
    return +(a0 > a1), (sizeof(unsigned int) & a1) + +a0;
}

static unsigned long fun12(long p0) {
    if (fuel-- <= 0) return 1;
    int v0 = p0;
    unsigned char v1 = -175499187608LL + rec11.m1 >> (-65535 & 63);
    unsigned char *wa = arr8;
    signed char s0 = rec10.m1;
    unsigned short s1 = sizeof(unsigned char);
    mix(p0 * arr7[0] * (10l + v0));
    for (int i13 = 1, ni13 = 0; ni13 < 3; i13 += 2, ni13++) {
        int b14 = (unsigned short)0X98E6BF44ULL >> (0XBl & 31);
        {
            int n15 = 4;
            do {
                g5 = pure3(rec10.m0, sizeof(_Bool)) % 255 % -9LL;
                {
                    int n16 = 2;
                    do {
                        --rec10.m1;
                    } while (--n16 > 0 && arr7[rec11.m1 & 3] % -9LL / -((9U & 31) + 2));
                }
                g5 /= (sizeof(unsigned char) < rec10.m1 << (0xbuLL & 31) & 63) + 1;
            } while (--n15 > 0 && (unsigned short)i13 >> (b14 & 31));
        }
        {
            int b17 = 8ULL * arr7[g6 & 3] >> (8U & 63);
            b17 = ((s0 |= v0) <= (s1 |= v0)) >> (pure2(rec11.m1, b17, rec11.m0) & 31);
        }
    }
    if ((long)(g4 >> (rec10.m0 & (int)(sizeof(long) * 8 - 1)))) goto L18;
    {
        rec10.m1 = ~10;
        g6 = (s0 = -0x7L & rec11.m1) * pure3(0x100000001u - 0b10000000uLL, g5 ? 187ull : p0);
    }
    L18:;
    mix(s0);
    mix(s1);
    return (unsigned char)(!rec10.m1 + (g5 | g6));
}

int main(void) {
    mix(fun12(-2444869235030853631ll || -020000000001ll));
    mix(fun12('\a' >> (-0X7u & 31)));
    mix(g4);
    mix(g5);
    mix(g6);
    for (int i = 0; i < 4; i++) mix(arr7[i]);
    for (int i = 0; i < 2; i++) mix(arr8[i]);
    mix(rec10.m0);
    mix(rec10.m1);
    mix(rec11.m0);
    mix(rec11.m1);
    show("soup1");
    printf("end %016llx\n", sum);

}
