typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void blocks1(void) {
    unsigned char a[8] = { 0XF7AD, 1ll, 0b10101100, -0b110011111110110, 0lu, 0x81e4ll, -0X2L, 012ll }, b[8] = { -2820840765, '\x7f', 111, -0156305, 4294967295L, -34554444721223ul, '\377', '"' }, c[8];
    memcpy(&a[2], &b[3], 1 * sizeof *b);
    memcpy(&a[3], &b[1], 4 * sizeof *b);
    memset(&b[3], 0, 2 * sizeof b[0]);
    memmove((char *)a + 3, (char *)a + 3, 2);
    memcpy(&a[2], &b[2], 4 * sizeof *b);
    memset(a + 3, 244, 3);
    memcpy(c, a, sizeof c);
    for (int i = 0; i < 8; i++) { mix(a[i]); mix(b[i]); mix(c[i]); }
    mix(memcmp(a, c, sizeof a) == 0); mix(memcmp(a, b, sizeof a) < 0); mix(memcmp(a, b, 0));
    c[1]++; mix(memcmp(a, c, sizeof a) > 0); mix(memcmp(a, c, 1 * sizeof *a) == 0);
    char text[12] = "abcabcabc"; char *hit = memchr(text + 1, 'a', 9);
    mix(hit - text); mix(memchr(text, 'z', 12) == 0); mix(memcmp("abc", text, 3) == 0); mix((memcmp("\x80", "\x01", 1) > 0));
    struct { char c; int i; short s[2]; } x = { 1, 2, { 3, 4 } }, y;
    memcpy(&y, &x, sizeof y); memset(&x.s, 1, sizeof x.s); mix(y.i + y.s[1]); mix(x.s[0]); mix(memcpy(&y.i, &x.s, 4) == &y.i); mix(y.i);
    printf("%lld\n", (long long)a[0]);
}

int main(void) {
    blocks1();
    show("blocks1");
    printf("end %016llx\n", sum);
    exit((unsigned char)sum);
}
