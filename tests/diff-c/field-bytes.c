typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void *memcpy(void *, const void *, size_t);
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

enum fe2 { fe2x, fe2y = 7 };
struct B1 {
    unsigned long long f0 : 49;
    unsigned short f1 : 12;
    unsigned long f2 : 22;
    int : 8;
    unsigned int : 0;
    unsigned int : 0;
};

static void field_bytes3(void) {
    struct B1 x;
    unsigned char b[sizeof x];
    memset(&x, 0, sizeof x);
    x.f1 %= 3;
    x.f0 = 1ll;
    x.f2 = 0x1dlu;
    mix(x.f2);
    memcpy(b, &x, sizeof x);
    for (size_t i = 0; i < sizeof x; i++) mix(b[i]);
    memset(&x, 0, sizeof x);
    x.f2 = 1;
    x.f0 = '\\';
    memcpy(b, &x, sizeof x);
    for (size_t i = 0; i < sizeof x; i++) mix(b[i]);
    memset(&x, 0, sizeof x);
    x.f2 = 0b11110111uLL;
    mix(x.f2);
    x.f0 = -2820840765;
    x.f0 = 3774144924u;
    x.f2 = 0b1010011011000100LL;
    memcpy(b, &x, sizeof x);
    for (size_t i = 0; i < sizeof x; i++) mix(b[i]);
    memset(&x, 0x55, sizeof x);
    mix(x.f0);
    mix(x.f1);
    mix(x.f2);
    for (size_t i = 0; i < sizeof x; i++) printf("%02x", b[i]);
    printf("\n");
}

int main(void) {
    field_bytes3();
    show("field_bytes3");
    printf("end %016llx\n", sum);
    return sum >> 7 & 255;
}
