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


static unsigned int through1(signed char x) {
    return x;
}

static void conversions2(void) {
    static const unsigned long long v[] = { 0x5uLL, -0175437ull, '\v', 0x1d341ec799, 42565, 0b11010011100000, 8uLL };
    for (int i = 0; i < 7; i++) {
        unsigned long long x = v[i];
        unsigned long long c0 = x;
        mix((unsigned short)c0 + 1);
        mix((long long)x < (int)x);
        mix((signed char)(unsigned short)(_Bool)x);
        char c3 = x;
        mix((short)c3 + 1);
        mix(through1((_Bool)x));
        mix(through1((unsigned long)x));
        mix((unsigned short)x < (long long)x);
        int c7 = x;
        mix((signed char)c7 + 1);
    }
}

int main(void) {
    conversions2();
    show("conversions2");
    printf("end %016llx\n", sum);
    return (unsigned char)sum;
}
