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


static void steps1(void) {
    volatile _Bool x0 = 1lu;
    mix(x0--);
    mix(x0--);
    mix(--x0);
    mix(x0--);
    mix(--x0);
    mix(x0);
    volatile char x1 = '\v';
    mix(++x1);
    mix(--x1);
    mix(x1--);
    mix(--x1);
    mix(x1);
    static signed char x2 = -5;
    mix(++x2);
    mix(x2--);
    mix(x2--);
    mix(x2);
    short x4 = 8uLL;
    mix(--x4);
    mix(x4--);
    mix(--x4);
    mix(x4--);
    mix(++x4);
    mix(x4);
    static unsigned int x7 = 1;
    mix(x7++);
    mix(--x7);
    mix(++x7);
    mix(x7);
    long x8 = -3342716777ul;
    mix(++x8);
    mix(++x8);
    mix(++x8);
    mix(x8--);
    mix(++x8);
    mix(x8);
    unsigned long long x11 = 4ull;
    mix(--x11);
    mix(x11++);
    mix(x11++);
    mix(x11++);
    mix(--x11);
    mix(x11);
    float f = -0.5;
    double d = -0.5;
    mixd(f++);
    mixd(--f);
    mixd(d--);
    mixd(++d);
    mixd(f);
    mixd(d);
}

int main(void) {
    steps1();
    show("steps1");
    printf("end %016llx\n", sum);
    return (int)sum;
}
