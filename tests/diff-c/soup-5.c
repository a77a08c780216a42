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

static int fun12(void) {
    if (fuel-- <= 0) return 1;
    signed char v0 = g5 >> (g5 & 63) << (rec11.m1 & 63);
    long v1 = pure2(rec11.m1, g7, rec10.m0[(g7 + 2) & 1]) >> (arr8[2] & (int)(sizeof(long) * 8 - 1));
    unsigned long long v2 = pure2(v0, g4, sizeof(unsigned int)) ^ +0262;
    unsigned char s0 = g4;
    unsigned long long *q0 = &arr8[3];
    unsigned long long **r0 = &q0;
    {
        int n13 = 4;
        do {
            rec10.m0[1] = rec10.m0[g7 & 1];
            {
                int n14 = 2;
                do {
                    rec11.m0[v0 & 1] = '\n' / -5 - (v2 | rec11.m1) << (!51520lu & 63);
                } while (--n14 > 0 && pure3(arr8[0] >> (g4 & 63), --s0));
            }
            rec10.m0[1]++;
        } while (--n13 > 0 && +sizeof(signed char) - (0xauLL >= g5));
    }
    rec11.m0[g4 & 1]--;
    if (v2 + sizeof(unsigned long) >> (g5 & 63)) {
        g4 %= ((unsigned long long)(char)sizeof(unsigned short) & 63) + 1;
    } else {
        int b15 = (unsigned char)rec10.m1 - (_Bool)0x5LL;
        rec10.m1 = '\a';
        *r0 = (*q0 && 2215527342ul && rec10.m1 + rec10.m0[v2 & 1]) ? &arr8[3] : &arr8[3];
        rec11.m0[(g6 + 1) & 1] ^= (v2 ^ *q0) - **r0 % (959262294299266808ul + 1 < 2u ? 13 : 959262294299266808ul);
    }
    mix(s0);
    return (v2 >> (g7 & 63) < (v1, 6u) && pure3(g6, sizeof(int)) / ((-0b10001101lu & 63) + 1));
}

int main(void) {
    mix(fun12());
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
    return (int)sum;
}
