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


static void logic1(void) {
    signed char r0 = 0b100ull;
    unsigned long long r1 = 032307u;
    unsigned long long r2 = 6uLL;
    char s0 = 2905606016;
    unsigned short s1 = '\'';
    unsigned short s2 = 0b11010011100000;
    int s3 = 11;
    mix(!(--s1 && (r1 & r0) >> (r0 & 63)) + 2 * !!(r0 | -0xaU));
    mix(s0); mix(s1); mix(s2); mix(s3);
    if (({ char t416 = r1; t416 += 3; t416; }) - (r0 | -0156305) || r1) mix(0X6C37 % -((0X8l & 31) + 2));
    mix(s0); mix(s1); mix(s2); mix(s3);
    if (((signed char)r2 ^ -152114643819121 <= r2) || --s0) mix(sizeof(unsigned long) || r1);
    mix(s0); mix(s1); mix(s2); mix(s3);
    r0 = (r0 + -17518 && r0 - r2) && s0++ && (r0 & '\200');
    mix(r0);
    mix(s0); mix(s1); mix(s2); mix(s3);
    mix(((r2 ? r0 : r1) - (r1 - 3), r1 - r2 << (r0 & 63)) ? r2 * sizeof(char) : 5);
    mix(s0); mix(s1); mix(s2); mix(s3);
    r0 = ~r0 * -r1 || ~(3L >> (r2 & (int)(sizeof(long) * 8 - 1))) || r1 - sizeof(int);
    mix(r0);
    mix(s0); mix(s1); mix(s2); mix(s3);
    int k = 76, *p = &k, *q = 0;
    q = p && *p > 26 ? p : 0;
    if (q && ++*q > 3 || (k += 2, k & 1)) mix(k);
    mixd(k > 26 ? 1 : 2.5);
    mixd(k & 1 ? 3.5f : k);
    mix((p ? p : q) == p); mix(!q); mix(q == 0 || *q == k);
    printf("%d %d\n", k, !!q);
}

int main(void) {
    logic1();
    show("logic1");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
