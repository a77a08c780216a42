typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);
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

static void mixl(long double v) {
    unsigned char b[10] = { 7 };
    if (v == v) memcpy(b, &v, sizeof b);
    for (int i = 0; i < 10; i++) mix(b[i]);
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static long double ld1(long double x, int n, double y) {
    return n ? x * y + n : x - y;
}

static void long_double2(void) {
    long double a[] = { 20e2L, 0.0L, 0xb2p0L, 1e4000L * 1e4000L, -1e4000L * 1e4000L, 0.0L / 0.0L, -0.0L, 1e-4940L, 1e4932L };
    double b[] = { 2e0, 608.618, 1.32153e3 };
    struct { char c; long double m; } s = { 1, 0x5dp6L };
    for (int i = 0; i < 9; i++)
    for (int j = 0; j < 3; j++) {
        mixl(a[i] + b[j]); mixl(a[i] * b[j]); mixl(a[i] / 3); mixl(-a[i]); mixl(ld1(a[i], j, b[j]));
        mix(a[i] < b[j]); mix(a[i] == (long double)b[j]); mix(!a[i]); mixd((double)a[i]); mixd((float)a[i]);
        if (a[i] > -32768.5 && a[i] < 32767.5) { mix((short)a[i]); a[i] += 1; mixl(a[i]++); }
        s.m = a[i] > 0 ? s.m + b[j] : s.m * 2;
        mixl(s.m); mix(sizeof s.m == sizeof(long double));
    }
    mixl(0X5391U); mixl(0.1L); mixl(1.0L / 3.0L); mix(1.0L / 3 == 1.0 / 3);
    printf("%.15g %.17g\n", (double)s.m, (double)(a[0] * 0.1L));
}

int main(void) {
    long_double2();
    show("long_double2");
    printf("end %016llx\n", sum);
    exit((int)(sum & 127));
}
