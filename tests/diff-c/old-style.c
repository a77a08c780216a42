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


static long long os1old(a, b, c, p)
int a;
float b;
int c;
const char *p;
{
    a += 19;
    return a * 2 + (long long)(b * 4) - c + p[1];
}

static int os1none() {
    return 19;
}

static int os1arrays(int a[static 2], const int b[], int (*c)[2], int *const d[2]) {
    a[0] += b[1];
    return a[0] * 2 + (*c)[1] + *d[1];
}

static __inline __const int *os1words(__const int *__restrict p, __signed__ char c, __volatile__ int *v) {
    *v += c;
    return p + (c & 1);
}

static inline __attribute__((always_inline)) int os1line(const int x) {
    return x << 1;
}

extern int os1ext(int), os1value;

static void os1void(int *p) {
    if (*p > 3) return;
    (void)(*p += 10);
}

int os1ext(int x) {
    return x + os1value;
}

int os1value = 51;

static void old_style2(void) {
    short s = 0x5uLL;
    int x[2] = { 41, 2 }, y[3] = { 3, 4, 5 };
    mix(os1old((int)s, 2.5f, 'c', "text")); mix(os1old((int)1, 41.25, s, "ab")); mix(os1none());
    mix(os1arrays(x, y + 1, &x, (int *[]){ x, y })); mix(x[0]); mix(os1line(s)); mix(os1ext(s));
    os1void(x); os1void(x + 1); mix(x[0]); mix(x[1]); os1value++; mix(os1ext(1));
    mix(*os1words(y, s, x)); mix(x[0]);
    s > 3 ? os1void(y) : (void)0; mix(y[0]);
    printf("%d %d\n", x[0], y[0]);
}

int main(void) {
    old_style2();
    show("old_style2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
