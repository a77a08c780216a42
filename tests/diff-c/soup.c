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

static _Bool fun12(long p0) {
    if (fuel-- <= 0) return 1;
    char v0 = rec10.m0 - 4 >= ({ char t290 = '\''; t290 -= 77; t290; });
    long long v1 = arr7[0] - v0 << (arr7[g6 & 3] & 31);
    unsigned char v2 = (9l > g6) * (rec11.m0 / (3L + 1 < 2u ? 13 : 3L));
    long v3 = sizeof(int) - g6 - (rec10.m1 >> (rec11.m1 & 31));
    int *q0 = &rec10.m1;
    {
        if ((v3 - 0x37ull) * (sizeof(unsigned int) >> (p0 & (int)(sizeof(long) * 8 - 1)))) {
            _Bool b13 = g6 | rec10.m0 || -0x5L;
            p0 = (0x0 | arr7[*q0 & 3]) > +v3 ^ g4 % -((rec10.m1 & 31) + 2) + (unsigned long)v0;
        }
    }
    ++g4;
    q0 = (g6 > 8ULL | rec11.m0 >= '"') ? &rec11.m1 : &rec10.m1;
    for (unsigned char i14 = 0; i14 < 3; i14++) {
        switch (sizeof(long) == (v2 ? v0 : g4) & 5) {
            case 4 ... 6: {
                v0 = (unsigned short)v2 * (unsigned int)p0 % (((_Bool)sizeof(signed char) & 63) + 1);
                mix((unsigned int)rec10.m1 >> (g6 & 31));
            }
            break;
            case 3: {
                g6 %= ((-(-0x7L) | sizeof(unsigned long long) * rec10.m0) & 63) + 1;
            }
            break;
            case 0: {
                g6 &= (-0xb != rec11.m0) + rec11.m0 * i14;
                for (short i15 = 0, ni15 = 0; ni15 < 4; i15 += 1, ni15++) {
                    if (arr7[(v1 + 1) & 3] * rec11.m0 | -4294967295) continue;
                    g6 = pure2(g5 | v3, pure2(arr8[rec11.m1 & 1], g5, rec10.m1), 230ULL | rec11.m0) != !0173ULL > pure3(arr7[0], g4);
                    rec10 = rec11;
                }
                rec11.m0 = (p0 >> (rec11.m1 & (int)(sizeof(long) * 8 - 1)) ^ (arr8[v1 & 1] ? 0lu : 0b1110101011010l)) + pure3(g6 << (sizeof(signed char) & 31), '\\' % -9LL);
            }
            break;
        }
        q0 = (0200 * rec11.m1 / -((0b1010 & 31) + 2)) ? &rec11.m1 : &rec11.m1;
    }
    return ({ unsigned long long t540 = (_Bool)(rec10.m0 ^ arr7[g5 & 3]); t540 -= 77; t540; });
}

int main(void) {
    mix(fun12((char)017432020416));
    mix(fun12(0x80000000ull >> (0XF84BCFBDul & 63)));
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
    return (int)(sum & 127);
}
