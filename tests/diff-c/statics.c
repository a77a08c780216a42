typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}

int st1g;
static const unsigned long st1c = 1lu;
extern int st1later;

static unsigned long *st1count(int step) {
    static unsigned long n = 032307u, table[4] = { [1] = 2 };
    static int calls, *last = &calls;
    n += step;
    table[calls++ & 3] = n;
    mix(table[1] + *last);
    return &n;
}

static int st1other(void) {
    static int n = 100;
    return n++;
}

int st1g = 47;
int st1later = 3;

static void statics2(void) {
    int x = 1;
    {
        int y = x + 1, x = y * 5;
        { extern int st1g; register int x = st1g; x++; mix(x); st1g += x; }
        mix(x);
        for (int x = 0; x < 2; x++) { short x = 300; x++; mix(x); }
    }
    mix(x); mix(st1g); mix(st1later);
    for (int i = 0; i < 6; i++) { mix(*st1count(i)); ++*st1count(0); mix(st1other() + i); }
    volatile int v = 19; v++; v += v; mix(v); const volatile short cv = 7; mix(cv);
    struct x { int x; } s = { x }; x: mix(s.x++); if (s.x < 4) goto x;
    typedef unsigned char byte; { int byte = 500; mix(byte); } byte b = 500; mix(b); mix((byte)-1); mix(st1c);
    printf("%d %d\n", x, st1other());
}

int main(void) {
    statics2();
    show("statics2");
    printf("end %016llx\n", sum);
    exit((unsigned char)sum);
}
