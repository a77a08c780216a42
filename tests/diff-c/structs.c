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

typedef struct I1 {
    signed char a;
    unsigned int b[3];
    struct { unsigned long long c; float f; } in;
} I1;
struct O2 {
    signed char d;
    I1 one, many[3];
    short e;
    const char *name;
    I1 *link;
};
static struct O2 so3 = { -0XA9U, { -2313222811241586652, { 0x3fuLL, 0XF7AD }, { .c = 1ll, 1.5f } }, { [1] = { .b = { [2] = 0b10101100 } } }, .e = -0b110011111110110, .name = "so3", .link = &so3.many[1] };

static void structs4(void) {
    struct O2 x = so3, *p = &x, v[2] = { x };
    I1 t = x.one, *q = &p->many[1];
    mix(t.a); mix(t.b[0]); mix(t.b[2]); mix(t.in.c); mixd(t.in.f); mix(q->b[2]); mix(x.link->b[2]); mix(x.name[0]);
    q->a = 9223372036854775807lu; q->b[1] -= 'a'; (*q).in.c++; p->one = *q; q[-1] = t; x.link = q;
    x.many[0].b[0] = 474967081; v[1] = x; v[1].link->in.f += 0.25f; v[0].one = v[1].many[3 - 1];
    unsigned int *r = &v[1].one.b[1]; *r = '\xff'; r[-1] ^= 1; r++; *r += 2;
    for (int i = 0; i < 2; i++) {
        mix(v[i].d); mix(v[i].e); mix(v[i].one.a); mix(v[i].one.in.c); mixd(v[i].one.in.f);
        for (int j = 0; j < 3; j++) mix(v[i].one.b[j]);
        for (int j = 0; j < 3; j++) { mix(v[i].many[j].a); mix(v[i].many[j].b[j % 3]); }
    }
    mix(so3.many[1].a); mixd(x.many[1].in.f); mix(x.link == q); mix(&x.many[1] == q); mix((char *)&x.many[1] - (char *)x.many == sizeof(I1));
    so3.one = (I1){ .a = -10658303079609 }; mix(so3.one.a); mix(so3.one.b[0]); mix((so3 = v[1]).e);
    struct O2 *up = (struct O2 *)((char *)q - __builtin_offsetof(struct O2, many[1])); mix(up == &x); mix(up->d);
    unsigned int *elem = &v[1].many[1].b[2]; mix(((struct O2 *)((char *)elem - __builtin_offsetof(struct O2, many[1].b[2])))->e);
    p = &v[1]; *p = *p; v[0] = *p; *q = p->many[0]; mix(v[0].e); mix(q->a); mix((p > v ? v[0] : x).d); mix(p - v);
    printf("%lld %s\n", (long long)v[1].one.b[1], v[1].name);
}

int main(void) {
    structs4();
    show("structs4");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
