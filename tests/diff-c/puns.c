typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

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

union U1 {
    unsigned char bytes[16];
    unsigned long a;
    int b;
    float f;
    double d;
    short halves[4];
    struct { int low; unsigned high; } pair;
    struct { int first; char second; };
    unsigned long long whole;
};

static void puns2(void) {
    union U1 x, y = { .a = 1lu }, v[2] = { { { 1, 2, 3 } }, { .d = 9.32341e-5 } };
    memset(&x, 0, sizeof x);
    mix(y.a); mix(v[0].halves[0]); mix(v[0].halves[1]); mixd(v[1].d); mix(v[1].pair.high);
    x.d = 0.5;
    mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);
    x.f = 902.0f;
    mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);
    x.pair.high ^= 0X4;
    x.pair.low--;
    mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);
    x.second = -65537lu;
    mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);
    x.d = 4503599627370496.5;
    mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);
    mix(x.a); mix(x.b); mix(x.first); mixd(x.f); mixd(x.d); mix(sizeof x); mix(v[0].whole);
    printf("%llx %d\n", x.whole, x.pair.low);
}

int main(void) {
    puns2();
    show("puns2");
    printf("end %016llx\n", sum);
    exit((int)sum);
}
