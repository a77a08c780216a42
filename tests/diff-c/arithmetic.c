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


static void arithmetic1(void) {
    static const signed char a[] = { 1lu, 032307u, -10ll, 0x3fuLL, 0XF7AD };
    unsigned int b[] = { 1ll, 0b10101100, -0b110011111110110, 0lu, 0x81e4ll };
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
    for (unsigned j = 0; j < sizeof b / sizeof b[0]; j++) {
        mix(a[i] + b[j]);
        mix(a[i] - b[j]);
        mix(a[i] * b[j]);
        mix(a[i] & b[j]);
        mix(a[i] < b[j]);
        mix(a[i] <= b[j]);
        mix(a[i] > b[j]);
        mix(a[i] != b[j]);
        mix(a[i] && b[j]);
        mix(a[i] || b[j]);
        mix(sizeof(a[i] + b[j]) * 2 + ((a[i] + b[j]) * 0 - 1 < 0));
        mix(sizeof(a[i] - b[j]) * 2 + ((a[i] - b[j]) * 0 - 1 < 0));
        if (b[j] != 0 && b[j] != (unsigned int)-1) {
            mix(a[i] / b[j]);
            mix(a[i] % b[j]);
        }
        long r = a[i] * 3 + b[j];
        mix(r);
        mix(-a[i]);
        mix(~b[j]);
        mix(i & 1 ? a[i] : b[j]);
    }
    printf("%lld %lld\n", (long long)(a[1] + b[2]), (long long)(a[3] - b[4]));
}

int main(void) {
    arithmetic1();
    show("arithmetic1");
    printf("end %016llx\n", sum);

}
