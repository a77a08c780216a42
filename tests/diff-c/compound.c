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


static void compound1(void) {
    unsigned int x0 = 0x5uLL;
    unsigned long long y0 = -0175437ull;
    if (x0 > 3 && x0 < 60) x0 -= 0.9L;
    mix(x0);
    x0 &= y0;
    mix(x0);
    x0 -= y0;
    mix(x0);
    x0 |= y0;
    mix(x0);
    x0 /= (y0 & 15) + 1;
    mix(x0);
    if (x0 > 3 && x0 < 60) x0 *= 0.333;
    mix(x0);
    printf("%lld %lld\n", (long long)x0, (long long)y0);
    unsigned short x1 = 9ll;
    char y1 = 4294967294l;
    x1 ^= y1;
    mix(x1);
    x1 &= y1;
    mix(x1);
    x1 += y1;
    mix(x1);
    mix(x1 = y1);
    mix(x1);
    x1 ^= y1;
    mix(x1);
    x1 += y1;
    mix(x1);
    if (x1 > 3 && x1 < 60) x1 += 1.5;
    mix(x1);
    printf("%lld %lld\n", (long long)x1, (long long)y1);
    unsigned long x2 = 6l;
    unsigned long y2 = -0xaU;
    x2 ^= y2;
    mix(x2);
    x2 += y2;
    mix(x2);
    x2 /= (y2 & 15) + 1;
    mix(x2);
    y2 = x2 = -129U;
    mix(y2);
    mix(x2);
    x2 *= y2;
    mix(x2);
    if (x2 > 3 && x2 < 60) x2 /= 3.0f;
    mix(x2);
    x2 >>= y2 & (int)(sizeof(long) * 8 - 1);
    mix(x2);
    printf("%lld %lld\n", (long long)x2, (long long)y2);
    unsigned short x3 = 4294967295L;
    short y3 = -34554444721223ul;
    x3 &= y3;
    mix(x3);
    mix(x3 += y3);
    mix(x3);
    x3 *= y3;
    mix(x3);
    y3 += x3 -= -0x19ul;
    mix(x3);
    x3 += y3;
    mix(x3);
    x3 += y3;
    mix(x3);
    mix(x3 += y3);
    mix(x3);
    printf("%lld %lld\n", (long long)x3, (long long)y3);
}

int main(void) {
    compound1();
    show("compound1");
    printf("end %016llx\n", sum);
    return (int)sum;
}
