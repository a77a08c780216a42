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

enum fe2 { fe2x, fe2y = 7 };
struct B1 {
    unsigned long long f0 : 49;
    unsigned short f1 : 12;
    unsigned long f2 : 22;
    int : 8;
    unsigned int : 0;
    unsigned int : 0;
};
static struct B1 gb3 = { .f0 = 3571075276093646614uLL, .f1 = 0X5391U, .f2 = 0X96A2uLL };

static struct B1 gb3pass(struct B1 s, int k) {
    s.f0 = k;
    return s;
}

static void fields4(void) {
    struct B1 x = gb3pass(gb3, 1), y, *p = &x;
    mix(gb3pass(x, -95L).f0);
    mix(x.f0);
    mix(x.f1);
    mix(x.f2);
    p->f1 /= 3;
    mix(p->f1);
    p->f0 = 474967081;
    mix(p->f1 = '\200');
    p->f1 ^= '\377';
    --p->f0;
    p->f2 = -0156305;
    --p->f1;
    y = *p;
    y.f2 = '\377';
    mix(y.f2);
    y.f2 ^= '\a';
    mix(y.f2);
    y.f2 += 0x5LL;
    y.f2 = -152114643819121;
    struct B1 v[2] = { y, x };
    v[1] = y;
    v[1].f1 = 0b1ll;
    v[1].f0 = -04;
    mix(v[1].f0);
    v[1].f2++;
    mix(v[1].f2);
    v[1].f1 = '\377';
    gb3.f1 = 11LL;
    gb3.f2 |= 06442415761uLL;
    mix(x.f0);
    mix(x.f1);
    mix(x.f2);
    mix(y.f0);
    mix(y.f1);
    mix(y.f2);
    mix(v[0].f0);
    mix(v[0].f1);
    mix(v[0].f2);
    mix(v[1].f0);
    mix(v[1].f1);
    mix(v[1].f2);
    mix(gb3.f0);
    mix(gb3.f1);
    mix(gb3.f2);
    if (x.f0) mix(1);
    mix(x.f0 ? 3 : 4); mix(x.f0 && y.f0); mix(!y.f0); mix(x.f0 == y.f0);
    mix(sizeof(struct B1));
    printf("%lld %lld\n", (long long)x.f0, (long long)y.f0);
}

int main(void) {
    fields4();
    show("fields4");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
