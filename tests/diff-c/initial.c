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

struct D1 { signed char a; unsigned int b[8]; struct { char c; short v[3]; } in; char text[8]; union { int i; char c; } u; };
static const struct D1 di2 = { .b = { [2] = 11LL, [5] = -0175437ull, '\v' }, .a = 0x1d341ec799, .in = { 'x', .v = { 1, [1] = 2 } }, .text = "" };
static signed char di2v[] = { 42565, [5] = 0b11010011100000, 8uLL, [2] = 054627U };
static unsigned int di2w[10] = { [0 ... 3] = 0lu, [3 + 2 ... 8] = 7, [6] = 0x81e4ll };
static struct D1 di2x[] = { [1].a = 3, [1].b[2] = 42565, [0] = { .u.c = 'u' }, [2].in.v[1] = 0b11010011100000 };
char di2s[] = "one" "\ttwo\0three", di2t[4] = "four", di2m[2][6] = { "row", { 'c', 'o', 'l' } };
const char *di2p[] = { "zero", [3] = "three", di2s + 1, };

static void initial3(void) {
    struct D1 x = { .b = { [2] = 11LL, [5] = -0175437ull, '\v' }, .a = 0x1d341ec799, .in = { 'x', .v = { 1, [1] = 2 } }, .text = "" }, y = { -0X2L, { -0X2L }, { 'q', 1, 2, 3 }, { 'n', 'o' }, { 9 } }, z = { 0 };
    const struct D1 *all[] = { &x, &y, &z, &di2, di2x, &di2x[1], &di2x[2] };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct D1 *d = all[k];
        mix(d->a); mix(d->in.c); mix(d->u.c);
        for (int i = 0; i < 8; i++) { mix(d->b[i]); mix(d->text[i]); }
        for (int i = 0; i < 3; i++) mix(d->in.v[i]);
    }
    for (size_t k = 0; k < sizeof di2v / sizeof *di2v; k++) mix(di2v[k]);
    for (int k = 0; k < 10; k++) mix(di2w[k]);
    for (size_t k = 0; k < sizeof di2s; k++) mix(di2s[k]);
    for (int k = 0; k < 4; k++) mix(di2t[k]);
    for (int k = 0; k < 12; k++) mix(di2m[k / 6][k % 6]);
    mix(sizeof di2x / sizeof *di2x); mix(sizeof di2p / sizeof *di2p); mix(di2p[1] == 0); mix(*di2p[4]);
    int local[] = { 1, [3] = -0X2L, 3 }; mix(sizeof local); mix(local[3]); mix(local[3 - 1]); mix(local[3 + 1]);
    printf("%s %s %s %d\n", di2p[0], di2p[4], di2m[1], (int)sizeof di2s);
}

int main(void) {
    initial3();
    show("initial3");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
