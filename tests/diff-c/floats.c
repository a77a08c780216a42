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


static void floats1(void) {
    static const float a[] = { 75e-7f, 0x7ep2f, 1.48501e-10f, 608.618f, 1e38f * 10, -1e38f * 10, 1e38f * 10 - 1e38f * 10, -0.0f, 1e-40f, 3.4e38f };
    double b[] = { 1.32153e3, 3., -206196019381965313.0, 75e-19, 1e308 * 10, -1e308 * 10, 0.0 / 0.0, -0.0, 4.9e-324, 1.7e308 };
    for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) {
        float c;
        mixd(a[i] + b[j]);
        c = a[i]; c += b[j]; mixd(c);
        mixd(a[i] - b[j]);
        mixd(a[i] * b[j]);
        mixd(a[i] / b[j]);
        mix(a[i] < b[j]);
        mix(a[i] <= b[j]);
        mix(a[i] > b[j]);
        mix(a[i] >= b[j]);
        mix(a[i] == b[j]);
        mix(a[i] != b[j]);
        mix(sizeof(a[i] * b[j])); mix(!a[i]); mix(a[i] && b[j]); mix((_Bool)b[j]);
        mixd(-a[i]); mixd(a[i] > b[j] ? a[i] : b[j]); mixd(a[i] * 95 + b[j] / 3);
        if (a[i]) mix(i);
    }
    printf("%a %a\n", a[0] + b[1], (double)(float)(a[2] * b[3]));
}

int main(void) {
    floats1();
    show("floats1");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
