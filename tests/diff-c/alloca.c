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


static long long al1(int n) {
    long long *rows[5], *last = 0;
    for (int i = 0; i < 5; i++) {
        rows[i] = __builtin_alloca((n + i) * sizeof(long long));
        for (int j = 0; j < n + i; j++) rows[i][j] = i * 51 + j;
        if (i & 1) last = rows[i];
    }
    long long total = last ? last[n - 1] : 0;
    for (int i = 0; i < 5; i++) total = total * 7 + rows[i][n + i - 1] + rows[i][0];
    return total;
}

static void alloca2(void) {
    for (int i = 1; i < 5; i++) mix(al1(i));
    char *s = __builtin_alloca(8);
    for (int i = 0; i < 8; i++) s[i] = 'a' + i;
    s[7] = 0;
    printf("%s %lld\n", s, al1(3));
}

static long long al3(int n) {
    short *rows[1], *last = 0;
    for (int i = 0; i < 1; i++) {
        rows[i] = __builtin_alloca((n + i) * sizeof(short));
        for (int j = 0; j < n + i; j++) rows[i][j] = i * 35 + j;
        if (i & 1) last = rows[i];
    }
    long long total = last ? last[n - 1] : 0;
    for (int i = 0; i < 1; i++) total = total * 7 + rows[i][n + i - 1] + rows[i][0];
    return total;
}

static void alloca4(void) {
    for (int i = 1; i < 5; i++) mix(al3(i));
    char *s = __builtin_alloca(8);
    for (int i = 0; i < 8; i++) s[i] = 'a' + i;
    s[7] = 0;
    printf("%s %lld\n", s, al3(4));
}

int main(void) {
    alloca2();
    show("alloca2");
    alloca4();
    show("alloca4");
    printf("end %016llx\n", sum);
    return (int)sum;
}
