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

static volatile unsigned long g5 = 127ll;
long long g6 = 2l;
unsigned long g7 = 0XC2029D39;
long long g8 = 358293389U;
volatile unsigned long g9 = -0x1552l;
long g10 = -0X10000;
static long g11 = '\\';
static char arr12[8] = { '\t', -0x4be7, '\e', 0b111000101001LL, 0b111000011001010ll, -0b111, 32769L, 32766L };
static signed char arr13[2] = { 0b101110010001100uLL, 0xbLL };
struct R14 {
    unsigned char m0 : 8;
    unsigned long long m1[2];
    unsigned int m2 : 24;
};
static struct R14 rec15;
static struct R14 rec16;
static unsigned long *gp17 = &g7;

static inline unsigned char pure2(unsigned long long a0, unsigned int a1) {
    return (int)(a0 && 11l) >> ((sizeof(unsigned long long) ^ a0) & 31);
}

static inline unsigned char pure3(unsigned long long a0, _Bool a1) {
    return (06ll == 06L | 0x5lu * a1) ^ -(a1 & a0);
}

static inline char pure4(_Bool a0, unsigned long long a1, short a2) {
    return ({ short t636 = (a2, -5) + sizeof(unsigned long long) * a1; t636 ^= 0x55; t636; });
}

static char fun18(unsigned long long p0) {
    if (fuel-- <= 0) return 1;
    char v0 = p0 / ((0X8u & 63) + 1) ? 5LL : rec15.m1[g8 & 1] || rec15.m0;
    unsigned long long v1 = (0b1110100101101010ULL ? g6 : '\a') > pure3(arr13[0], arr13[1]);
    _Bool v2 = (arr12[2] ? *gp17 : sizeof(unsigned long long)) >> (42686ul & (int)(sizeof(long) * 8 - 1));
    long s0 = rec16.m0;
    {
        int n19 = 4;
        do {
            v0 = (signed char)(s0++ % ((g9 & 63) + 1));
            for (long long i20 = 0; i20 < 3; i20++) {
                if ((int)(arr12[v2 & 7] - 0x7ffffffffffffffeul)) {
                    v2++;
                    g8 = s0-- && (_Bool)22uLL | v2 & 11L;
                } else {
                    gp17 = (+(short)arr12[g11 & 7]) ? &g7 : &g7;
                }
                {
                    g7 = !p0 | ((0x6cull ? v0 : *gp17) || (signed char)sizeof(long));
                    g9 = +((arr13[g7 & 1] + *gp17) / ((51041 & 63) + 1));
                }
                *gp17 %= ((short)(long)v1 & 63) + 1;
            }
        } while (--n19 > 0 && ++s0);
    }
    mix(s0);
    return (rec15.m0 / -((v1 & 31) + 2) >> (rec15.m0 & 63) ? (signed char)1 ? (_Bool)g10 : rec16.m1[v1 & 1] == sizeof(short) : sizeof(unsigned short) / (g6 + 1 < 2u ? 13 : g6) << (arr13[v2 & 1] & 63));
}

static long fun21(_Bool p0, short p1) {
    if (fuel-- <= 0) return 1;
    unsigned long v0 = rec16.m1[p0 & 1] + arr13[g8 & 1] >= g6 * sizeof(_Bool);
    unsigned short v1 = pure4(!0XB, rec16.m1[*gp17 & 1] + *gp17, 0ull * -5441552511553ULL);
    unsigned long long la[2] = { 02173510310434205ull, 0 };
    unsigned long long *wa = rec16.m1;
    unsigned long long *q0 = &la[1];
    {
        int n23 = 0;
        L22:;
        {
            wa[1] ^= 0XA23F71FC426lu * 0x4dd50bc2l - (v1, g9);
            rec16.m0 = (char)(_Bool)(g11 | *gp17);
        }
        if (++n23 < 4 && (48u | *q0) >> (11 & 63)) goto L22;
    }
    rec15 = rec16;
    v1 = fun18(arr12[g9 & 7] / ((arr13[(p1 + 4) & 1] & 63) + 1));
    return !(3U ^ g6 | pure3(sizeof(int), la[g6 & 1]));
}

int main(void) {
    mix(fun21(-0X1D99F778l || 167356249650029975ul, (unsigned char)(-89218335082l)));
    mix(g5);
    mix(g6);
    mix(g7);
    mix(g8);
    mix(g9);
    mix(g10);
    mix(g11);
    for (int i = 0; i < 8; i++) mix(arr12[i]);
    for (int i = 0; i < 2; i++) mix(arr13[i]);
    mix(rec15.m0);
    for (int i = 0; i < 2; i++) mix(rec15.m1[i]);
    mix(rec15.m2);
    mix(rec16.m0);
    for (int i = 0; i < 2; i++) mix(rec16.m1[i]);
    mix(rec16.m2);
    mix(*gp17);
    show("soup1");
    printf("end %016llx\n", sum);

}
