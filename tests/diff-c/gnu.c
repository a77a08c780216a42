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


static void gnu1(void) {
    signed char x = 1lu;
    unsigned int y = 032307u;
    __typeof__(x + y) s = x + y;
    __typeof__(y) *p = &y, v[2] = { 1, 2 };
    mix(({ int k = 3; for (int i = 0; i < 3; i++) k = k * 2 + i; k; }));
    mix(({ signed char t = x; t ^= 47; t; }) + ({ y++; *p; }));
    mix(x ?: 5); mix(({ x; }) == x); mix(s); mix(sizeof(s));
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
    mix(MAX(x, 3)); mix(MAX(MAX(1, (int)y), v[1]));
#undef MAX
    int hits = 0;
    mix(({ if (x > 2) hits++; else hits += 10; hits; }) ? 1 : 2);
    mix(__builtin_expect(hits > 3, 0)); mix(({ struct { int a, b; } q = { 1, 47 }; q; }).b);
    for (int i = 0; i < ({ hits & 3; }); i++) mix(i);
    int outer = ({ int i; for (i = 0; i < 9; i++) if (i * i > 47) break; i; });
    while (({ outer--; outer > 0; })) mix(outer);
    __extension__ long long w = 1LL << 40; mix(w); mix(__alignof__(int)); mix(_Generic(x, _Bool: 1, default: 2));
    _Static_assert(sizeof(int) == 4, "int"); __auto_type z = x; mix(z); mix(sizeof z == sizeof x);
    struct { int a; struct { int b; union { int c; float d; }; }; } anon = { 1, { 2, { 3 } } }; mix(anon.b + anon.c);
    mix(((struct { int a; struct { int b; union { int c; float d; }; }; }){ .c = 47, .a = 4 }).c);
    for (int i = 0; i < 5; i++) { int t = ({ if (i == 1) continue; if (i == 3) break; i * 2; }); mix(t); }
    if (({ int q = hits; if (q > 100) goto done; q; }) > 200) hits = 0;
    done:
    printf("%d %d\n", hits, outer);
}

int main(void) {
    gnu1();
    show("gnu1");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
