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

static unsigned long long fun15(unsigned long p0, int p1, char p2) {
    if (fuel-- <= 0) return 1;
    short v0 = (unsigned int)p0 ^ 15099353137612uLL / (9 + 1 < 2u ? 13 : 9);
    signed char v1 = (sizeof(_Bool), g8) | rec13.m3[*gp14 & 3] <= rec12.m2[g8 & 3];
    char s0 = 'Z';
    unsigned long long *q0 = &g6;
    unsigned long long **r0 = &q0;
    short *q1 = &g5;
    short **r1 = &q1;
    rec12.m3[g8 & 3] &= 0X7B32 * 0b0LL == (sizeof(short) ? 5ull : 0b100000000ll);
    for (unsigned long i16 = 2; i16 < 8; i16++) {
        for (int i18 = 0; i18 < 3; i18++) {
            for (int j19 = i18; j19 < 4; j19++) {
                if (({ unsigned char t191 = rec13.m3[2]; t191 <<= 2; t191; }) >= (s0 ^= 0126215507334057uLL)) goto L17;
                unsigned int b20 = rec12.m4[2] >> ('\200' & 31) | 74u > rec13.m0;
                for (int i22 = 0; i22 < 3; i22++) {
                    for (int j23 = i22; j23 < 4; j23++) {
                        if (*gp14 * 0xf843e7d4618uLL + (unsigned int)'Z') goto L21;
                        rec12.m3[*q1 & 3] *= s0--;
                        p2 = +(+37 != (short)sizeof(unsigned long));
                    }
                }
                L21:;
                *q0 ^= (_Bool)(-rec12.m2[(**r0 + 0) & 3]);
            }
        }
        L17:;
        ++rec12.m4[g6 & 3];
        rec13.m0 >>= (!rec12.m2[2] && pure2(i16)) & 7;
    }
    mix(s0);
    return (rec13.m2[v1 & 3] <= **r1 && sizeof(unsigned short) & rec13.m4[g6 & 3]) - ((unsigned long long)rec13.m1[1] + (signed char)(-0XEE9DB98CEll));
}

static unsigned long fun24(unsigned int p0, unsigned int p1) {
    if (fuel-- <= 0) return 1;
    unsigned int v0 = (rec13.m0 <= g5) % ((rec12.m4[g8 & 3] & 63) + 1);
    _Bool s0 = rec13.m3[g5 & 3];
    g8 += +(char)0X8EA58881uLL;
    rec12.m2[g5 & 3] >>= (unsigned long)(arr10[g7 & 7] ? rec13.m0 : rec12.m0) & 31;
    rec12.m3[p0 & 3] = +(rec12.m4[v0 & 3] % -((3l & 31) + 2));
    g7 = -v0 * (rec12.m4[1] / 10u) / -(((rec12.m4[2] ^ g6) & 31) + 2);
    mix(g6 * 1044938435ull * +rec13.m2[g7 & 3]);
    mix((sizeof(unsigned int) && g4) + g7 / (5 + 1 < 2u ? 13 : 5));
    g5 = (rec13.m3[g4 & 3] & g4) >> (0X101ULL & 31) || (long long)arr10[g5 & 7] + 1057402192;
    g5 = !(({ unsigned long t179 = rec13.m4[*gp14 & 3]; t179 ^= 0x55; t179; }) < (arr10[2] || 01156156445365373l));
    g5 |= pure2((unsigned long)rec12.m0);
    v0 *= (*gp14 & rec12.m0) % -((*gp14 & 31) + 2);
    mix(s0);
    return (rec13.m0 >> (g7 & 31)) + g7 * g4 - ((_Bool)rec12.m1[g5 & 1] ? arr9[(g5 + 3) & 3] & 0X11FL : sizeof(long) << (rec13.m4[2] & (int)(sizeof(long) * 8 - 1)));
}

int main(void) {
    mix(fun24(~268, 0x39ULL - 0xaLL));
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
    return (int)(sum & 127);
}
