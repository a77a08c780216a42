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

enum E1 { E1_a = 9, E1_b, E1_c = 56763, E1_d = E1_c, E1_e, E1_f = E1_e * 2 + (int)sizeof(int), E1_g = 'g' };
typedef enum E1 E1_t;
static E1_t E1_v = E1_e;
struct E1_s { enum E1 m; unsigned n : 4; };

static void enums2(void) {
    E1_t x = E1_b;
    enum E1 y = (enum E1)(74);
    struct E1_s s = { E1_c, 88 };
    int count = 0;
    for (x = E1_a; x != E1_a + 3; x++) {
        switch (x) {
            case E1_a: count += 1;
            case E1_b: count += 10; break;
            case E1_c: count += 100; break;
            default: count += 1000;
        }
    }
    y += E1_c;
    s.m -= E1_a;
    E1_v = E1_v ^ 74;
    mix(count); mix(x); mix(y); mix(s.m); mix(E1_v); mix(sizeof(x)); mix(x - E1_f < 0); mix(E1_a < 0u);
    mix((x > -1) + 2 * (E1_a > -1)); mix(~y); mix(-y / 2);
    printf("%d %d %d %d\n", count, (int)x, E1_f, E1_g);
}

int main(void) {
    enums2();
    show("enums2");
    printf("end %016llx\n", sum);

}
