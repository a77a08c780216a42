typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void *memcpy(void *, const void *, size_t);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void mixd(double v) {
    unsigned long long b = 99;
    if (v == v) memcpy(&b, &v, sizeof v);
    mix(b);
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}

static volatile signed char g2 = 0b100001010110ull;
static volatile long g3 = 162L;
static long g4 = 0x6c5cll;
char g5 = 0X9L;
short g6 = '0';
static long long g7 = '\v';
short g8 = 02l;
static unsigned int arr9[4] = { 0X8ul, -0u, 9, 0204L };
static unsigned short arr10[2] = { '\e', 127 };
struct R11 {
    int m0[4];
    signed char m1;
};
static struct R11 rec12;
static struct R11 rec13;
static double fl14 = 5.32114e3;

static unsigned long long fun15(signed char p0, long long p1) {
    if (fuel-- <= 0) return 1;
    signed char v0 = ({ unsigned short t303 = arr10[(g4 + 1) & 1]; t303 -= 77; t303; }) >> (g8 & 31);
    unsigned char v1 = ~g7 & +g5;
    signed char v2 = (short)~g8;
    _Bool s0 = g6;
    long long *q0 = &g7;
    {
        int n16 = 2;
        do {
            v1 = (unsigned long long)(sizeof(signed char) << (arr10[0] & (int)(sizeof(long) * 8 - 1))) >> (!sizeof(unsigned long) & 63);
            {
                int n17 = 4;
                while (n17-- > 0 && ({ unsigned long t635 = g2; t635 ^= 0x55; t635; }) / -((rec13.m0[*q0 & 3] & 31) + 2)) {
                    if ((g5, '\a') * --s0) {
                        g4 = -((double)n16) <= 138319184300609.0 + (0x4ep5f - fl14);
                        rec12.m0[*q0 & 3] &= (n17 ? n17 : 5ull) | g7 / 255;
                    } else if ((s0 += v0) + ('?' && v1)) {
                        _Bool b18 = (s0 = v1) + (rec12.m1 | rec13.m0[g2 & 3]);
                        g5 /= ((unsigned char)s0-- & 63) + 1;
                        mix((b18 | p0) + -7907uLL);
                    } else {
                        register unsigned long b19 = ~(arr9[v1 & 3] ? arr10[p0 & 1] : g5);
                        v1 = (arr10[g7 & 1] + 32588 & rec13.m1 << (10LL & 31)) % -((v0 - g8 & 31) + 2);
                        fl14 += fl14 - -(fl14);
                    }
                    g3 >>= (fl14 > -1e30 && fl14 < 1e30 ? (_Bool)fl14 : rec12.m0[v2 & 3]) * *q0 & (int)(sizeof(long) * 8 - 1);
                    switch (arr10[g5 & 1] & 3) {
                        case 3: {
                            v1 = ({ unsigned short t17 = -arr9[n16 & 3] ? fl14 > -0.5 && fl14 < 1.84e19 ? (unsigned long long)fl14 : v2 : !rec12.m0[2]; t17 |= 8; t17; });
                            rec12.m1 ^= g2 + arr9[2] - +(-54540340347759413LL);
                            mix(('0' ^ n16) - (g3 >> (-1 & (int)(sizeof(long) * 8 - 1))));
                        }
                        break;
                    }
                }
            }
            rec13.m0[g6 & 3] = (unsigned short)(sizeof(long long) % -((p1 & 31) + 2)) & (010l & 32767L) - s0--;
        } while (--n16 > 0 && fl14 != fl14 | sizeof(_Bool) >= sizeof(unsigned long long));
    }
    mix(s0);
    return ((sizeof(char) ? sizeof(_Bool) : p0) / 3 ^ (01 ? 49802lu : sizeof(short)) != (unsigned long)g2);
}

static signed char fun20(void) {
    if (fuel-- <= 0) return 1;
    long v0 = fl14 > -1e30 && fl14 < 1e30 ? (_Bool)fl14 : fl14 > -128.5 && fl14 < 127.5 ? (char)fl14 : g2;
    unsigned long v1 = ~(rec12.m1 * g3);
    unsigned short v2 = -(signed char)g5;
    long v3 = (arr9[g4 & 3] - rec13.m0[g2 & 3], rec12.m0[(g2 + 2) & 3] << (v2 & 31));
    unsigned short *q0 = &arr10[1];
    g7 &= ('\n', g4) % -((sizeof(unsigned char) & 31) + 2);
    if (rec12.m1) {
        rec13.m0[1] -= g7 + -0XD802LL ^ (fl14 > -9.2e18 && fl14 < 9.2e18 ? (long long)fl14 : -4294967297L);
    } else if (g8 * v3 & 11) {
        register long b21 = 0316 % (0X3U + 1 < 2u ? 13 : 0X3U) * (-30606 + rec13.m0[v3 & 3]);
        rec12.m0[2] = +(v0 & *q0) | -(fl14 != fl14);
        v1 = fun15(0b1111111010000001l - *q0, (unsigned long)sizeof(unsigned short));
        fl14 = fl14;
    } else {
        unsigned long long b22 = arr9[1] + g4 << (v1 & (int)(sizeof(long) * 8 - 1));
        v2--;
    }
    return (+(int)g3 < (v0 && v1) % (v1 + 1 < 2u ? 13 : v1));
}

int main(void) {
    mix(fun20());
    mix(fun20());
    mix(fun20());
    mix(g2);
    mix(g3);
    mix(g4);
    mix(g5);
    mix(g6);
    mix(g7);
    mix(g8);
    for (int i = 0; i < 4; i++) mix(arr9[i]);
    for (int i = 0; i < 2; i++) mix(arr10[i]);
    for (int i = 0; i < 4; i++) mix(rec12.m0[i]);
    mix(rec12.m1);
    for (int i = 0; i < 4; i++) mix(rec13.m0[i]);
    mix(rec13.m1);
    mixd(fl14);
    show("soup1");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
