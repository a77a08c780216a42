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


struct on1s { unsigned long v[4]; unsigned bits : 5; int low : 3; unsigned long *p; };
static unsigned long on1cells[4] = { 0b100ull, -21333ULL, -2313222811241586652, 0x3fuLL };
static int on1calls;

static unsigned long *on1at(int i) {
    on1calls++;
    return &on1cells[i & 3];
}

static struct on1s *on1same(struct on1s *s) {
    on1calls += 10;
    return s;
}

static void once2(void) {
    struct on1s s[3] = { { { 1, 2, 3, 4 }, 5, -2, on1cells }, { .bits = 31 } }, *q = s;
    unsigned long a[8] = { 0XF7AD, 1ll, 0b10101100, -0b110011111110110, 0lu, 0x81e4ll, -0X2L, 012ll }, *p = a, x = -2820840765, y = '\x7f';
    int i = 0, n = 0;
    q++->bits -= 3774144924u;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    ++*p++;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    (*p++)--;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    ++*p++;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    s[i++ % 3].low += 0X4ll;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    *on1at(n++) *= 2lu;
    mix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;
    for (int k = 0; k < 8; k++) mix(a[k]);
    for (int k = 0; k < 3; k++) { mix(s[k].bits); mix(s[k].low); for (int j = 0; j < 4; j++) mix(s[k].v[j]); }
    for (int k = 0; k < 4; k++) mix(on1cells[k]);
    mix(x); mix(y); mix(on1calls);
    printf("%d %d %d\n", i, n, on1calls);
}

int main(void) {
    once2();
    show("once2");
    printf("end %016llx\n", sum);

}
