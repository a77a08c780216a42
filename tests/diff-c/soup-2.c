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

volatile char g2 = 2;
long g3 = 12659lu;
signed char g4 = '\xff';
_Bool g5 = 26144705392;
static long g6 = '\t';
static _Bool arr7[4] = { 0x304564673349LL, 9l, -2l, -32293U };
struct R8 {
    long long m0 : 54;
    unsigned int m1;
    short m2;
    unsigned short m3[2];
    short m4;
    _Bool m5[2];
};
static struct R8 rec9;
static struct R8 rec10;
static double fl11 = 5e-324;
static float fl12 = 0x40p8f;
long *gp13 = &g6;

static long long fun14(long p0, long p1) {
    if (fuel-- <= 0) return 1;
    char v0 = fl11 > -2147483000.0 && fl11 < 2147483000.0 ? (long)fl11 : ' ' - sizeof(unsigned int);
    signed char v1 = ~'\t' / 3;
    _Bool s0 = rec9.m3[1];
    short *q0 = &rec9.m2;
    short **r0 = &q0;
    char *q1 = &v0;
    for (int i15 = 1; i15 < 3; i15++) {
        if ((sizeof(unsigned long) | *q0) ^ (fl12 > -128.5 && fl12 < 127.5 ? (char)fl12 : rec10.m4)) goto L16;
        {
            (*q1)--;
        }
        L16:;
    }
    rec10.m2 >>= ~(-0x7ull >= -0b101010011001111) & 31;
    switch (rec10.m5[g5 & 1] / ((sizeof(_Bool) & 63) + 1) % 16 & 5) {
        default: {
            fl12 /= (126ULL ? 710.200f : fl12) * -(fl11);
            mix(p1 + '\t' >> (g2 & (int)(sizeof(long) * 8 - 1)));
            rec10.m4--;
        }
        break;
        case 0: {
            *r0 = ((unsigned int)(rec10.m2 >> (rec10.m5[rec10.m2 & 1] & 31))) ? &rec9.m2 : &rec10.m2;
            rec9.m3[1] = 1ul * rec9.m3[0] - ({ signed char t431 = '\n'; t431 -= 77; t431; }) | (rec10.m5[p1 & 1] << ('\a' & 31) | p0 >> (rec9.m3[(g6 + 4) & 1] & (int)(sizeof(long) * 8 - 1)));
        }
        case 1: {
            fl12 /= (double)0160477ll * -(fl11);
            mix(rec9.m1 / ((-185ul & 63) + 1) + *q1);
        }
    }
    mix(s0);
    return (fl11 > -0.5 && fl11 < 255.5 ? (unsigned char)fl11 : **r0 << (*gp13 & 31)) * (s0 = (_Bool)rec10.m5[g5 & 1]);
}

static short fun17(unsigned long p0, int p1, long long p2) {
    if (fuel-- <= 0) return 1;
    unsigned char v0 = rec9.m1 % -9LL | (fl11 > -0.25 && fl11 < 4294967000.0 ? (unsigned int)fl11 : -0b101000111000010ul);
    _Bool v1 = ({ unsigned int t439 = rec10.m5[0] * -0; t439 |= 8; t439; });
    _Bool v2 = rec10.m3[p1 & 1] | rec9.m2 && (signed char)sizeof(_Bool);
    int v3 = (rec9.m4 ? '\a' : 027674377264) > (g2 | sizeof(unsigned long));
    unsigned int s0 = 0b100111101010110;
    unsigned int s1 = sizeof(char);
    _Bool *q0 = &g5;
    unsigned int *q1 = &rec10.m1;
    v0 = -((fl11 > -2147483000.0 && fl11 < 2147483000.0 ? (long)fl11 : 3009447582621711916) * (unsigned long long)sizeof(unsigned char));
    ++v0;
    if (*q0) {
        rec9 = rec10;
        rec9.m3[1] = ((fl11 > -0.5 && fl11 < 1.84e19 ? (unsigned long long)fl11 : rec9.m2) >= (-0X29B418752940 & rec10.m5[rec10.m1 & 1]), (g4 ^ sizeof(long long)) & rec10.m1 + rec9.m1);
        mix(rec9.m5[0] ^ rec10.m1 | (unsigned long long)10u);
    }
    mix(s0);
    mix(s1);
    return (rec10.m5[v0 & 1] * rec9.m2 / -2 | (fl11 > -128.5 && fl11 < 127.5 ? (char)fl11 : -0X9l * g2));
}

int main(void) {
    mix(fun17(~8lu, !'\200', 0x8000 != sizeof(long long)));
    mix(g2);
    mix(g3);
    mix(g4);
    mix(g5);
    mix(g6);
    for (int i = 0; i < 4; i++) mix(arr7[i]);
    mix(rec9.m0);
    mix(rec9.m1);
    mix(rec9.m2);
    for (int i = 0; i < 2; i++) mix(rec9.m3[i]);
    mix(rec9.m4);
    for (int i = 0; i < 2; i++) mix(rec9.m5[i]);
    mix(rec10.m0);
    mix(rec10.m1);
    mix(rec10.m2);
    for (int i = 0; i < 2; i++) mix(rec10.m3[i]);
    mix(rec10.m4);
    for (int i = 0; i < 2; i++) mix(rec10.m5[i]);
    mix(*gp13);
    mixd(fl11);
    mixd(fl12);
    show("soup1");
    printf("end %016llx\n", sum);
    return (int)sum;
}
