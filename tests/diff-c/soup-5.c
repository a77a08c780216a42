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

_Bool g4 = 0b100111100011100;
long long g5 = 0X100000001lu;
volatile long long g6 = -0b11l;
static volatile char g7 = -010130243072L;
static unsigned long long arr8[4] = { 9, 0x1lu, 9288040001l, 3ul };
struct R9 {
    unsigned long m0[2];
    short m1 : 12;
};
static struct R9 rec10;
static struct R9 rec11;

unsigned long pure2(long a0, unsigned long long a1, unsigned long a2) {
    return a1;
}

int pure3(int a0, int a1) {
    unsigned long long x = -0b1010 ^ (unsigned long long)a0 ^ sizeof(long) * a1 + -3lu * 0XFFFFll;
    if (-a0 + -0XBuLL) return ~a0 ? 0xa2ll : 0x5ULL + a1;
    return (a0, sizeof(unsigned char)) ^ a1 + a1 ? (-a1, -'"') : -(0x8LL ? 0XAULL : x);
}

static __attribute__((noinline)) long long fun12(void) {
    if (fuel-- <= 0) return 1;
    signed char v0 = g5 >> (g5 & 63) << (rec11.m1 & 63);
    long v1 = pure2(rec11.m1, g7, rec10.m0[(g7 + 2) & 1]) >> (arr8[2] & (int)(sizeof(long) * 8 - 1));
    unsigned long long v2 = pure2(v0, g4, sizeof(unsigned int)) ^ +0262;
    unsigned long long *wa = arr8;
    unsigned long long *q0 = &arr8[3];
    unsigned long long **r0 = &q0;
    {
        int n13 = 4;
        do {
            **r0 = (int)(rec10.m0[v2 & 1] >> (g6 & (int)(sizeof(long) * 8 - 1))) - pure3(({ char t576 = arr8[*q0 & 3]; t576 -= 77; t576; }), -0X5BF5785ul < arr8[(g6 + 4) & 3]);
            for (int i14 = 0, ni14 = 0; ni14 < 2; i14 += 1, ni14++) {
                v2 = pure3(sizeof(_Bool) % ((rec11.m0[1] & 63) + 1), (long)g4);
            }
            for (unsigned char i15 = 1, ni15 = 0; ni15 < 6; i15 += 2, ni15++) {
                g7 = n13 + 11ll - sizeof(unsigned int) & !pure3(v2, rec11.m0[0]);
            }
        } while (--n13 > 0 && +sizeof(signed char) | 0xauLL & v2);
    }
    *q0 |= (rec11.m1 >> (rec11.m1 & 31)) + (v2 + 128U);
    mix(~0b1000l >> (g6 & (int)(sizeof(long) * 8 - 1)));
    **r0 &= ~({ long long t461 = rec11.m0[v1 & 1]; t461 <<= 2; t461; });
    return ((_Bool)(-0x22uLL), 0X5ul ? sizeof(unsigned char) : 1354794111u, pure3(g7 - g7, v1 << (v2 & (int)(sizeof(long) * 8 - 1))));
}

int main(void) {
    mix(fun12());
    mix(fun12());
    mix(g4);
    mix(g5);
    mix(g6);
    mix(g7);
    for (int i = 0; i < 4; i++) mix(arr8[i]);
    for (int i = 0; i < 2; i++) mix(rec10.m0[i]);
    mix(rec10.m1);
    for (int i = 0; i < 2; i++) mix(rec11.m0[i]);
    mix(rec11.m1);
    show("soup1");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
