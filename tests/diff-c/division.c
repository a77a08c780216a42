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


static void division1(void) {
    long a[] = { 124, 7, -75, -123, -8, (long)6uLL };
    const long long b[] = { -36, -50, -12, -40 };
    for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) {
        if (b[j] == -1) continue;
        mix(a[i] / b[j]);
        mix(a[i] % b[j]);
        mix((a[i] / b[j]) * b[j] + a[i] % b[j] == a[i]);
        if (i == 1) printf("%lld/%lld=%lld,%lld ", (long long)a[i], (long long)b[j], (long long)(a[i] / b[j]), (long long)(a[i] % b[j]));
    }
    printf("%u %d\n", -7 / 2u, -7 / 2);
}

static void division2(void) {
    long a[] = { -35, -101, -6, -113, 52, (long)8uLL };
    const long long b[] = { 38, 55, -46, 29 };
    for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) {
        if (b[j] == -1) continue;
        mix(a[i] / b[j]);
        mix(a[i] % b[j]);
        mix((a[i] / b[j]) * b[j] + a[i] % b[j] == a[i]);
        if (i == 5) printf("%lld/%lld=%lld,%lld ", (long long)a[i], (long long)b[j], (long long)(a[i] / b[j]), (long long)(a[i] % b[j]));
    }
    printf("%u %d\n", -7 / 2u, -7 / 2);
}

int main(void) {
    division1();
    show("division1");
    division2();
    show("division2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
