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

typedef signed char (*ta1op)(unsigned int, int);
struct ta1entry { const char *name; ta1op op; int argument; };

static signed char ta1f0(unsigned int x, int y) {
    return x / ((y & 7) + 1);
}

static signed char ta1f1(unsigned int x, int y) {
    return x + y;
}

static signed char ta1f2(unsigned int x, int y) {
    return x > y ? x : y;
}

static signed char ta1f3(unsigned int x, int y) {
    static int state; state += y; return x + state;
}

static signed char ta1f4(unsigned int x, int y) {
    return x / ((y & 7) + 1);
}

static ta1op ta1table[5] = { ta1f0, ta1f1, ta1f2, ta1f3, ta1f4 };
static const struct ta1entry ta1entries[] = { { "ta1f0", ta1f0, 47 }, { "ta1f1", ta1f1, 69 }, { "ta1f2", ta1f2, 41 }, { "ta1f3", ta1f3, 71 }, { "ta1f4", ta1f4, 1 } };

static signed char ta1apply(ta1op op, unsigned int x, int y) {
    return op ? op(x, y) : 0;
}

static ta1op ta1choose(unsigned i) {
    return i < 5 ? ta1table[i] : 0;
}

static signed char (*ta1chain(int i, signed char (*other)(unsigned int, int)))(unsigned int, int) {
    return i & 1 ? other : *ta1f0;
}

static void tables2(void) {
    for (unsigned i = 0; i <= 5; i++) {
        ta1op op = ta1choose(i);
        mix(op != 0); mix(ta1apply(op, -2313222811241586652, i)); mix(op == ta1f1);
        if (op) { mix(op(0x3fuLL, 3)); mix((*op)(2, 66)); mix((**op)(i, i)); }
    }
    for (const struct ta1entry *e = ta1entries; e < ta1entries + 5; e++) { mix(e->op(e->argument, 1)); mix(e->name[0]); }
    mix(ta1chain(1, ta1f2)(-2313222811241586652, 2)); mix(ta1chain(2, ta1f2)(1, 2)); mix((ta1table[1] == &ta1f1) + (ta1chain(1, ta1f1) == ta1f1));
    signed char (*local[2])(unsigned int, int) = { ta1f1, ta1table[0] };
    void (*any)(void) = (void (*)(void))local[1];
    mix(((signed char (*)(unsigned int, int))any)(5, 6)); mix(local[66 & 1](7, 8)); mix((66 & 2 ? ta1f0 : ta1f1)(0x3fuLL, 9));
    ta1table[2] = ta1table[0]; mix(ta1choose(2)(1, 1));
    printf("%lld %s\n", (long long)ta1apply(ta1f0, 3, 4), ta1entries[5 - 1].name);
}

int main(void) {
    tables2();
    show("tables2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
