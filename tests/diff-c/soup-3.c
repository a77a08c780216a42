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

static unsigned long long g4 = -0442055324556674730ul;
static volatile short g5 = 0x4255c5642321e06;
signed char g6 = -1924731228;
long g7 = -1ll;
volatile int g8 = 2147483646U;
static unsigned long arr9[2] = { 199ull, 10lu };
static int arr10[8] = { 5107628966u, -58270LL, 197ul, 0b11010011l, 2147483649U, '\xff', '\n', 0b1l };

int pure2(char a0) {
    unsigned char x = ({ int t48 = a0; t48 <<= 2; t48; }) & a0 % (a0 + 1 < 2u ? 13 : a0) ? (-10 >> (a0 & 31)) * -a0 : !(-a0);
    if (-x ^ (x ? 90l : a0)) return a0 / (a0 + 1 < 2u ? 13 : a0) << (a0 & 31);
    return (unsigned long long)(x - x > ('\e' != sizeof(_Bool)));
}

static unsigned long pure3(unsigned long long a0) {
    short x = +(a0 != 5lu) <= (a0 + a0) * (a0 / -((a0 & 31) + 2));
    if ((unsigned char)0x1474082c * (0X68 >> (x & 31))) return (unsigned short)sizeof(unsigned char) * 3207572033633563930;
    return (unsigned long)~x >> ((x ? x : a0) & (int)(sizeof(long) * 8 - 1));
}

static unsigned short fun11(_Bool p0) {
    if (fuel-- <= 0) return 1;
    short v0 = (8095575732498155U || g8) >> (sizeof(signed char) & 31);
    unsigned char v1 = (g7 << (arr10[g7 & 7] & (int)(sizeof(long) * 8 - 1))) - (-0200ll || v0);
    char v2 = (arr9[(v0 + 4) & 1] | sizeof(long long)) >= !(-0XA3lu);
    unsigned long v3 = ~sizeof(char) | (unsigned short)v0;
    unsigned long *wa = arr9;
    short s0 = sizeof(unsigned char);
    unsigned long long s1 = g7;
    int *q0 = &arr10[7];
    signed char *q1 = &g6;
    mix(pure3(p0 % -9LL));
    p0 = 0xb;
    g4 = -5ULL * (unsigned char)0x14ULL >> (v1 + g4 & 63);
    g7 = -!({ signed char t59 = -38170853087591lu; t59 *= 5; t59; });
    mix(pure2(wa[v1 & 1]) | (unsigned long long)v1);
    mix(s0);
    mix(s1);
    return (long)(sizeof(short) >> (2U & (int)(sizeof(long) * 8 - 1)) ^ (char)v2);
}

static unsigned long fun12(unsigned int p0, unsigned long long p1) {
    if (fuel-- <= 0) return 1;
    unsigned char v0 = g8 ^ g5 || (p0 || arr10[4]);
    unsigned char v1 = ({ long long t212 = g7; t212 ^= 0x55; t212; }) >> (g4 & 63);
    unsigned long long *q0 = &g4;
    unsigned long long **r0 = &q0;
    {
        if (arr10[7] << (g7 & 31) & arr10[7] << (g8 & 31)) {
            {
                int n14 = 0;
                L13:;
                {
                    p0 = fun11(v1 >> (g6 & 31));
                    g8 *= (unsigned short)g5 & (-0xfffeul, g7);
                    g4 = (int)(0b1111111111111110U << (689903471719674044u & 31)) | -27U >> (g4 & 31) >> (g7 & 31);
                }
                if (++n14 < 2 && (68lu + p0 ? g6 << (g4 & 31) : 168uLL)) goto L13;
            }
        }
        for (int i16 = 0; i16 < 3; i16++) {
            for (int j17 = i16; j17 < 4; j17++) {
                if (p0 >= v1 ? 39553L >> (g6 & (int)(sizeof(long) * 8 - 1)) : arr10[p1 & 7] * 0x8l) goto L15;
                mix(~254L <= ~**r0);
                if ((signed char)4128U << (i16 & 31)) {
                    arr10[g4 & 7]--;
                }
                g7 >>= sizeof(_Bool) - g7 - (sizeof(unsigned long long), sizeof(int)) & (int)(sizeof(long) * 8 - 1);
            }
        }
        L15:;
    }
    return (unsigned long long)(signed char)pure2(5);
}

static signed char fun18(signed char p0) {
    if (fuel-- <= 0) return 1;
    unsigned short v0 = -g4 / 10u;
    unsigned short v1 = (arr9[g8 & 1] > -0b100101000l) - (g8 >> (0X2ULL & 31));
    unsigned long v2 = g8 >= p0 ? (unsigned int)g5 : pure2(g8);
    unsigned int v3 = 037777777776 ^ 0XDF4C1AC9ULL ? arr10[g8 & 7] ^ p0 : arr9[1] / ((v0 & 63) + 1);
    unsigned int la[8] = { 0x80lu, 54704L, 165u, '"', 5ll };
    unsigned long s0 = '\377';
    for (int i19 = 5; i19 > 2; --i19) {
        mix((2333080288 & 0X29869930B089lu) * (int)g4);
        {
            v2 = fun11(5ll * 20391u);
        }
        p0 = (s0++ == g5 % ((i19 & 63) + 1)) + ((g8, g4) + 0x4ul % -((arr9[1] & 31) + 2));
    }
    p0 %= ((v3 >= 03) % (sizeof(long long) + 1 < 2u ? 13 : sizeof(long long)) & 63) + 1;
    mix(s0);
    return (+p0 + (v0 ^ 06665305470110070L) != g8 - 32768ll >> (p0 & 63));
}

int main(void) {
    mix(fun18(sizeof(unsigned int) || sizeof(char)));
    mix(fun12((unsigned int)1749416052uLL, (0x7l, sizeof(unsigned int))));
    mix(g4);
    mix(g5);
    mix(g6);
    mix(g7);
    mix(g8);
    for (int i = 0; i < 2; i++) mix(arr9[i]);
    for (int i = 0; i < 8; i++) mix(arr10[i]);
    show("soup1");
    printf("end %016llx\n", sum);

}
