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

volatile char g4 = 16376689671580146lu;
short g5 = 11;
unsigned long long g6 = 0x6L;
volatile long long g7 = -50670ul;
volatile long g8 = 0b1l;
static unsigned long long arr9[4] = { '\v', 010l, -2561126009230lu, 012u };
static short arr10[8] = { 42094, 0175206, -9lu, 14146U, -0b1100000101111000LL, 0x6u, 2147483646ul, 5ULL };
struct R11 {
    char m0 : 8;
    signed char m1[2];
    unsigned short m2[4];
    unsigned short m3[4];
    unsigned int m4[4];
};
static struct R11 rec12;
static struct R11 rec13;
static short *gp14 = &arr10[7];

static unsigned char pure2(unsigned int a0) {
    return ((62204L || a0) && (unsigned int)5) <= (char)(unsigned long long)a0;
}

long long pure3(char a0, int a1, char a2) {
    return pure2(a2 % -((a2 & 31) + 2)) * (unsigned long)(unsigned short)a1;
}

static __attribute__((noinline)) long long fun15(unsigned long p0, int p1, char p2) {
    if (fuel-- <= 0) return 1;
    unsigned char v0 = (g8 + 195) % (9 + 1 < 2u ? 13 : 9);
    signed char v1 = (sizeof(_Bool), g8) | rec13.m3[*gp14 & 3] <= rec12.m2[g8 & 3];
    char la[4] = { -0x0ul };
    signed char *wa = rec13.m1;
    unsigned char *q0 = &v0;
    rec13.m2[1] += g7 - 0b0LL & sizeof(short);
    p2 += g5 | g6 && arr10[v0 & 7] + p0;
    {
        int n16 = 1;
        do {
            rec12.m4[g8 & 3] = (int)(unsigned long)(g8 >= g5);
            for (int i17 = 9; i17 > 3; --i17) {
                rec12.m2[i17 & 3]--;
            }
            *q0 *= g8 * g7 ? 120U + arr10[*gp14 & 7] : rec12.m0 + rec13.m1[0];
        } while (--n16 > 0 && la[p2 & 3] & rec13.m1[*q0 & 1] - wa[g4 & 1]);
    }
    la[(g7 + 4) & 3] = rec12.m1[p0 & 1] - p0 != g6;
    v0 = (unsigned char)(0X1ul != rec13.m2[(g6 + 2) & 3]) << (p2 == v0 & 31);
    return (unsigned int)!(-sizeof(long));
}

static signed char fun18(short p0, short p1, char p2) {
    if (fuel-- <= 0) return 1;
    unsigned short v0 = (g8 ^ rec12.m3[*gp14 & 3]) % 7;
    signed char v1 = (rec13.m1[0] ^ 127) & rec13.m0 % (2l + 1 < 2u ? 13 : 2l);
    int v2 = !(rec13.m4[(p0 + 0) & 3] % (p0 + 1 < 2u ? 13 : p0));
    unsigned short *wa = rec12.m3;
    short s0 = 9ull;
    long s1 = -0X0L;
    rec13.m3[3]++;
    for (long long i19 = 1; i19 < 4; i19++) {
        v1 = rec12.m0 | (unsigned short)(wa[(g4 + 4) & 3] % -2);
    }
    mix(-rec12.m4[2] * (long)rec13.m0);
    for (unsigned char i20 = 6; i20 > 3; --i20) {
        --wa[p2 & 3];
    }
    if (wa[p1 & 3] - 63 || 7 - g7) {
        register unsigned long b21 = pure3(-0XB, g6, sizeof(unsigned char)) ? g5 + rec12.m4[p0 & 3] : rec12.m2[g4 & 3] <= v0;
        {
            int n22 = 4;
            do {
                unsigned char b23 = ({ unsigned long t179 = rec13.m4[v1 & 3]; t179 ^= 0x55; t179; }) < (wa[2] || 01156156445365373l);
                arr10[g4 & 7] = arr10[*gp14 & 7] % ((rec13.m1[p2 & 1] & 63) + 1) * (39332L - sizeof(short)) && pure3(-0x80000001ULL * wa[g6 & 3], 9223372036854775809U, g6 + sizeof(long));
                v1 *= (unsigned long)(rec12.m0, 180ULL);
            } while (--n22 > 0 && !1057402192);
        }
        v2 = fun15(rec12.m2[*gp14 & 3] + sizeof(int), p2 || rec12.m4[g7 & 3], pure2(p0));
    }
    mix(s0);
    mix(s1);
    return 0316476610307272426726l;
}

int main(void) {
    mix(fun18(+'\v', 336357213 ^ sizeof(long), (unsigned char)013uLL));
    mix(fun18(-66uLL + -64537, sizeof(unsigned long) <= 288l, '\377' - -0X9BC7ll));
    mix(fun18(sizeof(short) % -((3803190308 & 31) + 2), 0ULL ^ sizeof(unsigned long long), 135102661386211035 + '\n'));
    mix(g4);
    mix(g5);
    mix(g6);
    mix(g7);
    mix(g8);
    for (int i = 0; i < 4; i++) mix(arr9[i]);
    for (int i = 0; i < 8; i++) mix(arr10[i]);
    mix(rec12.m0);
    for (int i = 0; i < 2; i++) mix(rec12.m1[i]);
    for (int i = 0; i < 4; i++) mix(rec12.m2[i]);
    for (int i = 0; i < 4; i++) mix(rec12.m3[i]);
    for (int i = 0; i < 4; i++) mix(rec12.m4[i]);
    mix(rec13.m0);
    for (int i = 0; i < 2; i++) mix(rec13.m1[i]);
    for (int i = 0; i < 4; i++) mix(rec13.m2[i]);
    for (int i = 0; i < 4; i++) mix(rec13.m3[i]);
    for (int i = 0; i < 4; i++) mix(rec13.m4[i]);
    mix(*gp14);
    show("soup1");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
