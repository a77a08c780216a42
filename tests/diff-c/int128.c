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


#ifdef __SIZEOF_INT128__
static __int128_t int128_1g = 1lu;
static void int128_1mix(unsigned __int128 v) {
    mix((unsigned long long)v);
    mix((unsigned long long)(v >> 64));
}
static __int128_t int128_1op(__int128_t x, signed char y) {
    return x * 3 + y;
}
static void int128_1(void) {
    __int128_t x = (__int128_t)032307u << 91 | -10ll;
    signed char y = -10ll;
    __int128_t v[3] = { x, y, -x };
    int128_1mix(x); int128_1mix(y);
    int128_1mix(x + y); int128_1mix(x - int128_1g); int128_1mix(x * y); int128_1mix(x & ~v[2]); int128_1mix(v[1] ^ x << 3);
    for (int i = 0; i < 128; i += 13) {
        int128_1mix(x >> i); int128_1mix(x << i); int128_1mix(-x >> i);
    }
    int128_1mix(x / ((y & 63) + 3)); int128_1mix(x % ((y & 1023) + 2)); int128_1mix(-x / 7); int128_1mix(x / ((v[1] >> 1 & 0x7fffffffffffffffLL) + 5));
    mix(x < y); mix(x > v[1]); mix(v[0] == v[2]); mix(!x); mix(x && y);
    int128_1mix(int128_1op(x, y)); x++; --v[1]; x += v[1]; x <<= 5; int128_1mix(x); int128_1mix(v[1]);
    mix(sizeof(x)); mix((int)x); mix((unsigned char)(x >> 70)); mixd((double)(long long)x); mixd((double)(__int128)(x >> 20));
    struct { char c; __int128_t m; } s = { 1, x };
    int128_1mix(s.m); mix(sizeof s); mix((_Bool)x);
    if (y > 2 && y < 100) { __int128_t z = 3.75e20; int128_1mix(z); }
}
#else
static void int128_1(void) {
    mix(128);
}
#endif

int main(void) {
    int128_1();
    show("int128_1");
    printf("end %016llx\n", sum);

}
