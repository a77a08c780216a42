typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
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

struct __attribute__((packed)) P1 { char c; signed char a; double d; unsigned int b : 18; short h; unsigned int tail; };
#pragma pack(push, 2)
struct Q2 { unsigned long long c; struct P1 p; signed char d; long long l; unsigned char v[3]; int i; };
#pragma pack(pop)
struct Q2a { char c; signed char d __attribute__((aligned(16))); _Alignas(8) char e; };

static void packed3(void) {
    struct P1 x, v[3];
    struct Q2 y = { -0XA9U, { 'c', -2313222811241586652, 2.5, 0x3fuLL, -3 }, 0XF7AD, 1ll, { 1, 2, 3 }, 0b10101100 };
    unsigned char bytes[sizeof(struct P1)];
    memset(&x, 0, sizeof x); memset(v, 0, sizeof v);
    x.a = -0XA9U; x.d = 0.1; x.b = -2313222811241586652; x.h = 0x3fuLL; x.tail = 0XF7AD; x.c--;
    v[1] = x; v[2] = y.p; v[2].a += 1ll; v[2].h *= 3; v[0].b--;
    memcpy(bytes, &x, sizeof x);
    for (size_t i = 0; i < sizeof x; i++) mix(bytes[i]);
    for (int i = 0; i < 3; i++) { mix(v[i].c); mix(v[i].a); mixd(v[i].d); mix(v[i].b); mix(v[i].h); mix(v[i].tail); }
    mix(y.c); mix(y.d); mix(y.l); mix(y.v[2]); mix(y.i); y.l <<= 3; y.i -= -0XA9U; mix(y.l); mix(y.i);
    mix(sizeof(struct P1)); mix(sizeof(struct Q2)); mix(_Alignof(struct Q2)); mix(__builtin_offsetof(struct Q2, l)); mix(__builtin_offsetof(struct P1, h));
    mix(sizeof(struct Q2a)); mix(_Alignof(struct Q2a)); mix(__builtin_offsetof(struct Q2a, d)); mix(__builtin_offsetof(struct Q2a, e));
    printf("%d %lld\n", (int)sizeof y, (long long)v[2].a);
}

int main(void) {
    packed3();
    show("packed3");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
