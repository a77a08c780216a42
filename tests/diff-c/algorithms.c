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


static void algorithms1(void) {
    signed char a[12] = { -9, 95, 76, 47, -73, 38, -36, -38, -15, 47, 34, 81 };
    const int n = 6;
    static unsigned char composite[128];
    int count = 0;
    for (int i = 2; i < 128; i++) {
        if (composite[i]) continue;
        count++;
        for (int j = i * i; j < 128; j += i) composite[j] = 1;
    }
    long long fact = 1; unsigned long long pow = 1;
    for (int i = 1; i < n + 12; i++) { fact *= i; pow = pow * 3 ^ a[i % 12]; }
    mix(fact); mix(pow);
    printf("%d\n", count);
}

static void algorithms2(void) {
    signed char a[12] = { -21, -94, 20, 6, -65, -32, -63, -82, 67, -14, 93, -7 };
    const int n = 12;
    char digits[70];
    int len = 0;
    unsigned long long v = (unsigned long long)a[1] * 1000003u + a[2];
    unsigned base = 2 + n % 15;
    do { digits[len++] = "0123456789abcdefg"[v % base]; v /= base; } while (v);
    for (int i = 0; i < len / 2; i++) { char t = digits[i]; digits[i] = digits[len - 1 - i]; digits[len - 1 - i] = t; }
    digits[len] = 0;
    unsigned hash = 5381;
    for (char *p = digits; *p; p++) hash = hash * 33 + *p;
    mix(hash);
    int steps = 0;
    for (unsigned c = n + 20; c != 1; c = c & 1 ? 3 * c + 1 : c / 2) steps++;
    printf("%s %d\n", digits, steps);
}

int main(void) {
    algorithms1();
    show("algorithms1");
    algorithms2();
    show("algorithms2");
    printf("end %016llx\n", sum);

}
