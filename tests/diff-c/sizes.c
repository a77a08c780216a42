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

struct Z1 {
    float m0[2][5];
    char * m1;
    float m2;
    unsigned char m3;
    long double m4[2][5];
};

static void sizes2(void) {
    mix(__builtin_offsetof(struct Z1, m0));
    mix(sizeof(((struct Z1 *)0)->m0));
    mix(__builtin_offsetof(struct Z1, m1));
    mix(sizeof(((struct Z1 *)0)->m1));
    mix(__builtin_offsetof(struct Z1, m2));
    mix(sizeof(((struct Z1 *)0)->m2));
    mix(__builtin_offsetof(struct Z1, m3));
    mix(sizeof(((struct Z1 *)0)->m3));
    mix(__builtin_offsetof(struct Z1, m4));
    mix(sizeof(((struct Z1 *)0)->m4));
    mix(sizeof(union { short s; char c[5]; }));
    mix(_Alignof(union { short s; char c[5]; }));
    mix(sizeof(long double));
    mix(_Alignof(long double));
    mix(sizeof(ptrdiff_t));
    mix(_Alignof(ptrdiff_t));
    mix(sizeof(long double));
    mix(_Alignof(long double));
    mix(sizeof(double[2][3]));
    mix(_Alignof(double[2][3]));
    int n = 3;
    char text[] = "hello", *s = text;
    mix(sizeof n++); mix(n); mix(sizeof(n + 1LL)); mix(sizeof text); mix(sizeof s[0]); mix(sizeof *s + 1);
    mix(sizeof(char)); mix(sizeof 'a'); mix(sizeof(short) + sizeof(1.0f)); mix(sizeof(1 ? (char)1 : (short)2));
    mix(sizeof(struct Z1)); mix(_Alignof(struct Z1)); mix(sizeof(struct Z1[2]) / sizeof(struct Z1)); mix(__alignof__(short));
    mix((sizeof(int) - 5 > 0)); mix(-1 < (int)sizeof(int)); mix(sizeof(n == 1)); mix(sizeof(&text)); mix(sizeof "lit" "eral");
    mix(sizeof(-(char)1)); mix(sizeof((char)1 << 1LL)); mix(sizeof(1L << 2)); mix(sizeof(n, s[1])); mix(sizeof(text + 0));
    printf("%d %d\n", (int)sizeof(struct Z1), (int)_Alignof(struct Z1));
}

int main(void) {
    sizes2();
    show("sizes2");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
