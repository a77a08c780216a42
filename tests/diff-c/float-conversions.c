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


static void float_conversions1(void) {
    static unsigned short v[6] = { 0b1001100111000100u, -21333ULL, -2313222811241586652, 0x3fuLL, 0XF7AD, 1ll };
    for (int i = 0; i < 6; i++) {
        mixd((float)v[i]); mixd((double)v[i]); mixd((double)(long double)v[i]);
        float f = v[i]; double d = v[i];
        mixd(f); mixd(d); mixd(f - d); mixd(v[i] + 0.5); mixd(v[i] * 1.5f); mix(v[i] < 1.5f); mix(v[i] == d);
    }
    float w[8] = { 2.9f, 24e-7f, 16777217.0f, 50e-6f, -11490147462246001.0f, 331.506f, 2.1953e-5f, 2.0f };
    for (int i = 0; i < 8; i++) {
        if (w[i] > -1e30 && w[i] < 1e30) mix((_Bool)w[i]);
        if (w[i] > -0.5 && w[i] < 255.5) mix((unsigned char)w[i]);
        if (w[i] > -0.75 && w[i] < 65535.5) mix((unsigned short)w[i]);
        if (w[i] > -2147483000.0 && w[i] < 2147483000.0) mix((int)w[i]);
        if (w[i] > -2147483000.0 && w[i] < 2147483000.0) mix((long)w[i]);
        if (w[i] > -9.2e18 && w[i] < 9.2e18) mix((long long)w[i]);
        if (w[i] > -0.5 && w[i] < 1.84e19) mix((unsigned long long)w[i]);
        mixd((float)w[i]); mixd((double)w[i]); mixd((float)(double)w[i]);
        _Bool b = w[i]; mix(b);
        if (w[i] * 3 > -0.5 && w[i] * 3 < 1.84e19) { unsigned long long n = w[i] * 3; mix(n); n = w[i]; mix(n); }
    }
    double x = 131.939;
    printf("%d %u %lld %.17g\n", (int)11.75, (unsigned)1317052156.25, (long long)-1317052156.5, (double)(float)x);
}

int main(void) {
    float_conversions1();
    show("float_conversions1");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
