typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void *memset(void *, int, size_t);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}

enum fe3 { fe3x, fe3y = 7 };
struct B2 {
    unsigned long long f0 : 49;
    unsigned short f1 : 12;
    unsigned long f2 : 22;
    int : 8;
    unsigned int : 0;
    unsigned int : 0;
};
union U1 {
    unsigned char bytes[40];
    struct B2 in;
    unsigned u : 26;
    int i : 24;
    unsigned long long l : 48;
    _Bool b : 1;
    struct { unsigned lo : 4, hi : 4; signed char next; };
};

static void field_unions4(void) {
    union U1 x;
    memset(&x, 0, sizeof x);
    x.l ^= -5;
    mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);
    for (int k = 0; k < 9; k++) mix(x.bytes[k]);
    x.hi++;
    x.next = 0b11010011100000;
    mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);
    for (int k = 0; k < 9; k++) mix(x.bytes[k]);
    x.hi++;
    x.next = 11;
    mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);
    for (int k = 0; k < 9; k++) mix(x.bytes[k]);
    x.u = -0b110011111110110;
    mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);
    for (int k = 0; k < 9; k++) mix(x.bytes[k]);
    x.i -= 9223372036854775807lu;
    mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);
    for (int k = 0; k < 9; k++) mix(x.bytes[k]);
    mix(sizeof x);
    printf("%u %d %llu\n", x.u, x.i, (unsigned long long)x.l);
}

int main(void) {
    field_unions4();
    show("field_unions4");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
