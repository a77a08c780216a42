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


static void swap1(signed char **a, signed char **b) {
    signed char *t = *a;
    *a = *b;
    *b = t;
}

static unsigned int *set2(void *where, const unsigned int *value) {
    unsigned int *target = where;
    *target = value ? *value : 51;
    return target;
}

static void pointers3(void) {
    signed char x = 0x5uLL, y = -0175437ull, z = '\v';
    signed char *p = &x, *q = &y, **pp = &p, ***ppp = &pp;
    signed char *table[3] = { &x, &y, &z };
    struct { signed char *in; signed char **out; struct { void *deep; } nest; } s = { &z, &q, { &x } };
    unsigned int m = 0x1d341ec799, k = 42565;
    **pp = 0b11010011100000; swap1(&p, &q); ***ppp += 3; *pp = &z; (***ppp)++;
    mix(x); mix(y); mix(z); mix(*p); mix(*q); mix(p == &z); mix(q == *s.out);
    *s.in ^= 0x5uLL; **s.out -= 2; *(signed char *)s.nest.deep |= 1;
    for (int i = 0; i < 3; i++) { *table[i] += i; mix(*table[i]); table[i] = table[(i + 1) % 3]; }
    mix(table[0] == &y); mix(*table[2] == y);
    mix(*set2(&m, &k)); mix(*set2(&k, 0)); mix(m); mix(k);
    void *v = p; const void *w = v;
    mix(v == w); mix(*(const signed char *)w == *p); mix(v ? 1 : 2); mix(!v);
    signed char (*whole)[3] = &(signed char[3]){ x, y, z };
    mix((*whole)[1]); mix(sizeof *whole == 3 * sizeof(signed char)); (*whole)[2] = -0175437ull; mix(2[*whole]);
    p = (m & 1) ? &x : &y; *p = 7; q = 0;
    mix(x); mix(y); mix(q == 0); mix(p != q); mix(p && !q);
    printf("%lld %lld %lld\n", (long long)x, (long long)y, (long long)z);
}

int main(void) {
    pointers3();
    show("pointers3");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
