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

struct S1 { signed char a; unsigned int b; };
struct L2 { unsigned long long v[7]; struct S1 s; };
union M3 { struct S1 s; double d; struct { char c[3]; } small; };
struct S1d { float x; double y; };

static struct S1 by4make(signed char a, unsigned int b) {
    struct S1 r = { a, b };
    r.a ^= 1;
    return r;
}

static struct L2 by4fill(struct L2 in, struct S1 s, int k) {
    in.v[k % 7] = s.a;
    in.s = s;
    s.b++;
    in.s.b += s.b;
    return in;
}

static union M3 by4union(union M3 u, const struct S1 *p) {
    if (p) u.s = *p;
    return u;
}

static double by4sum(struct S1d *q, struct L2 l) {
    double total = q->x + q->y;
    for (int i = 0; i < 7; i++) total += l.v[i];
    return total;
}

static void by_value5(void) {
    struct S1 s = by4make(0x93U, ' '), t;
    struct L2 l = { { -10ll }, { .b = 0x3fuLL } }, m;
    mix(s.a); mix(s.b); mix(by4make(0XF7AD, 2).b); mix((t = s).a);
    m = by4fill(l, s, 1); mix(m.s.b); mix(l.s.b);
    l = by4fill(by4fill(m, by4make(3, 4), 1), t, 2);
    for (int i = 0; i < 7; i++) { mix(l.v[i]); mix(m.v[i]); }
    mix(l.s.a); mix(l.s.b); mix(s.b);
    union M3 u = by4union((union M3){ .d = 1.5 }, 0); mixd(u.d);
    u = by4union(u, &s); mix(u.s.a); mix(u.s.b); mix(u.small.c[0]);
    struct S1d q = { 0.5f, 1 };
    mixd(by4sum(&q, l)); mixd(by4sum(&(struct S1d){ 1, 2 }, m));
    struct S1 (*fp)(signed char, unsigned int) = by4make; mix(fp(' ', 0x93U).a); mix((*fp)(1, 0).b);
    printf("%lld %lld\n", (long long)l.s.b, (long long)by4fill(l, s, 0).v[0]);
}

int main(void) {
    by_value5();
    show("by_value5");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
