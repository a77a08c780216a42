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


static void walk1(void) {
    signed char a[9] = { 1lu, 032307u, -10ll, 0x3fuLL, 0XF7AD, 1ll, 0b10101100, -0b110011111110110, 0lu };
    signed char *p = a + 3, *const first = a, *const end = &a[9];
    const signed char *r = end;
    p = &a[3]; mix(p[1] + 3[a]);
    p = a + 3; p[-1] ^= 474967081;
    mix(*(p + 1) - *(p - 1));
    mix(*++p); --p;
    while (r != a) mix(*--r);
    for (signed char *q = a; q < end; q += 2) {
        mix(q - a); mix(end - q); mix(q > p); mix(q <= p); mix(q == &a[3]);
        *q = *q + (q - p);
        if (end - q < 2) break;
    }
    mix((char *)end - (char *)first); mix(&a[3] - &a[8] < 0); mix(p == first + 3);
    mix((p - a) * sizeof *p); mix(end[-1]); mix(*(end - 2)); mix(sizeof a / sizeof a[0]);
    printf("%d %lld\n", (int)(p - a), (long long)*p);
}

static void walk2(void) {
    unsigned int a[9] = { 0x6LL, 5, 3774144924u, -0X4uLL, -0X2lu, 2l, '"', '0', 0X4ll };
    unsigned int *p = a + 7, *const first = a, *const end = &a[9];
    const unsigned int *r = end;
    mix(*++p); --p;
    mix(*(p + 1) - *(p - 1));
    mix(*p++); p--;
    mix(++*p);
    while (r != a) mix(*--r);
    for (unsigned int *q = a; q < end; q += 1) {
        mix(q - a); mix(end - q); mix(q > p); mix(q <= p); mix(q == &a[7]);
        *q = *q + (q - p);
        if (end - q < 1) break;
    }
    mix((char *)end - (char *)first); mix(&a[7] - &a[8] < 0); mix(p == first + 7);
    mix((p - a) * sizeof *p); mix(end[-1]); mix(*(end - 2)); mix(sizeof a / sizeof a[0]);
    printf("%d %lld\n", (int)(p - a), (long long)*p);
}

int main(void) {
    walk1();
    show("walk1");
    walk2();
    show("walk2");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
