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


static long long va1(const char *kinds, ...) {
    __builtin_va_list ap, again;
    long long total = 0;
    __builtin_va_start(ap, kinds);
    __builtin_va_copy(again, ap);
    for (const char *k = kinds; *k; k++) {
        switch (*k) {
            case 'i': total = total * 3 + __builtin_va_arg(ap, int); break;
            case 'u': total ^= __builtin_va_arg(ap, unsigned); break;
            case 'l': total += __builtin_va_arg(ap, long); break;
            case 'L': total -= __builtin_va_arg(ap, long long); break;
            case 'd': mixd(__builtin_va_arg(ap, double)); break;
            case 's': total += __builtin_va_arg(ap, const char *)[0]; break;
            case 'p': ++*__builtin_va_arg(ap, int *); break;
        }
        mix(total);
    }
    if (kinds[0] == 'i') total += __builtin_va_arg(again, int);
    __builtin_va_end(again);
    __builtin_va_end(ap);
    return total;
}

static int va1sum(int n, __builtin_va_list ap) {
    int total = 0;
    while (n-- > 0) total = total * 5 + __builtin_va_arg(ap, int);
    return total;
}

static int va1pass(char first, int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    int r = va1sum(n, ap) + first;
    __builtin_va_end(ap);
    return r;
}

static void variadic2(void) {
    int cell = 78;
    short small = 0b100ull;
    float half = 0.5f;
    mix(va1("LLi", (long long)-0175437ull, (long long)3260923703ll, (int)-32767));
    mix(va1("i", (int)0X4));
    mix(va1("u", (unsigned)-95L));
    mix(va1("ipliu", (signed char)200, &cell, (long)9223372036854775807lu, (int)6l, (unsigned)'\xff'));
    mix(cell);
    long long (*p)(const char *, ...) = va1;
    mix(p("id", 3, 4.5));
    printf("%d %d\n", cell, va1pass('c', 3, 3, 47, 14));
}

int main(void) {
    variadic2();
    show("variadic2");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
