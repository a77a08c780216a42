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


static short re1fib(int n) {
    return n < 2 ? n : re1fib(n - 1) + re1fib(n - 2) * 19;
}

static int re1odd(unsigned n);

static int re1even(unsigned n) {
    if (n == 0) return 1;
    return re1odd(n - 1);
}

static int re1odd(unsigned n) {
    return n ? re1even(n - 1) : 0;
}

static short re1fill(short *a, int low, int high) {
    static int calls;
    short local[2] = { ++calls, low };
    if (high - low < 2) return a[low] ^= local[0];
    int mid = low + (high - low) / 2;
    short l = re1fill(a, low, mid);
    short r = re1fill(a, mid, high);
    mix(local[0] + local[1]);
    return l - r * 3;
}

static unsigned re1ack(unsigned m, unsigned n) {
    if (!m) return n + 1;
    if (!n) return re1ack(m - 1, 1);
    return re1ack(m - 1, re1ack(m, n - 1));
}

static int re1up(int n, int *caller) {
    int mine = n * 3, r = 0;
    if (n > 0) r = re1up(n - 1, &mine);
    *caller += mine;
    return r + mine + n;
}

static int re1gcd(int a, int b) {
    return b ? re1gcd(b, a % b) : a;
}

static void recursion2(void) {
    short a[8] = { 1lu, 032307u, -10ll, 0x3fuLL, 0XF7AD, 1ll, 0b10101100, -0b110011111110110 };
    for (int i = 0; i < 4; i++) mix(re1fib(i));
    int top = 1; mix(re1up(4, &top)); mix(top);
    mix(re1fill(a, 0, 8)); mix(re1fill(a, 2, 8));
    for (int i = 0; i < 8; i++) mix(a[i]);
    printf("%d %d %u %d\n", re1even(9), re1odd(9), re1ack(2, 0), re1gcd(793, 450));
}

int main(void) {
    recursion2();
    show("recursion2");
    printf("end %016llx\n", sum);
    exit((int)sum);
}
