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

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void float_print1(void) {
    double d[] = { 20e2, 0.0, 0xb2p0, 2e0 };
    float f[] = { 608.618f, 1.32153e3f, 3.f, -206196019381965313.0f };
    for (int i = 0; i < 4; i++) {
        unsigned long long bits; unsigned low;
        memcpy(&bits, &d[i], sizeof bits);
        memcpy(&low, &f[i], sizeof low);
        printf("%llx %x %a %a\n", bits, low, d[i], f[i]);
        printf("%.17g %.9g %g|%G|\n", d[i], f[i], d[i] * f[i], d[i]);
        d[i] = d[i] / 3 + f[i];
        f[i] *= f[i];
        printf("%e %.3f %s\n", d[i], f[i] < 1e9f && f[i] > -1e9f ? f[i] : 1.0, d[i] != d[i] ? "nan" : "number");
    }
    double big = 75.0, inf = big * 1e300 * 1e300;
    printf("%f %g %d\n", inf, -inf, inf > big);
}

static void float_print2(void) {
    double d[] = { 4503599627370496.5, 8398364510.0, 80e-10, -30e20 };
    float f[] = { -1e1f, 4.13849e-10f, -11490147462246001.0f, 331.506f };
    for (int i = 0; i < 4; i++) {
        unsigned long long bits; unsigned low;
        memcpy(&bits, &d[i], sizeof bits);
        memcpy(&low, &f[i], sizeof low);
        printf("%llx %x %a %a\n", bits, low, d[i], f[i]);
        printf("%.17g %.9g %g|%-14.3e|\n", d[i], f[i], d[i] * f[i], d[i]);
        d[i] = d[i] / 3 + f[i];
        f[i] *= f[i];
        printf("%e %.3f %s\n", d[i], f[i] < 1e9f && f[i] > -1e9f ? f[i] : 1.0, d[i] != d[i] ? "nan" : "number");
    }
    double big = 653.0, inf = big * 1e300 * 1e300;
    printf("%f %g %d\n", inf, -inf, inf > big);
}

int main(void) {
    float_print1();
    show("float_print1");
    float_print2();
    show("float_print2");
    printf("end %016llx\n", sum);

}
