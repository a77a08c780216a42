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

static signed char ad1a[6] = { 0b100ull, -21333ULL, -2313222811241586652, 0x3fuLL, 0XF7AD, 1ll };
struct ad1s { signed char *p; const signed char *const *pp; int (*f)(int); struct ad1s *next; char c; };
static int ad1f(int);
extern struct ad1s ad1x;
static signed char *const ad1q = &ad1a[5], *const ad1end = ad1a + 6;
struct ad1s ad1y = { ad1a + 2, (const signed char *const *)&ad1q, ad1f, &ad1x, 'y' }, ad1x = { .next = &ad1y, .p = &ad1a[5] - 1, .f = &ad1f };
static char *ad1c = &ad1y.c, **ad1cc = &ad1c;
static struct ad1s *ad1list[] = { &ad1x, &ad1y, 0 };
static const long ad1d = (long)sizeof(ad1a[0]) * 5 - 3;
static int ad1k = sizeof(ad1a) / sizeof *ad1a + (5 > 2 ? 10 : 20) * (1 << 3), ad1off = __builtin_offsetof(struct ad1s, c);

static int ad1f(int x) {
    return x * 2 + 92;
}

static void addresses2(void) {
    mix(*ad1q); mix(ad1end - ad1q); mix(*ad1y.p); mix(**ad1y.pp); mix(ad1x.next == &ad1y); mix(ad1x.next->next == &ad1x);
    mix(*ad1x.p); mix(ad1x.p - ad1y.p); mix(ad1y.f(3)); mix((*ad1x.f)(4)); mix(ad1x.f == ad1y.f); mix(ad1x.pp == 0);
    **ad1cc = 'z'; mix(ad1y.c); mix(*ad1c == 'z'); mix(ad1k); mix(ad1off); mix(ad1d);
    for (struct ad1s **l = ad1list; *l; l++) { mix((*l)->p[0]); (*l)->p++; }
    mix(*ad1y.p + *ad1x.p);
    printf("%d %d\n", ad1k, ad1y.f(ad1k));
}

int main(void) {
    addresses2();
    show("addresses2");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
