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


static void gotos1(void) {
    unsigned x = 424;
    int n = 0, i, j;
    goto s4;
    s0:
    x -= 77;
    mix(x);
    if (++n > 33) goto out;
    if (x % 3 == 2) goto s1;
    s1:
    x ^= x >> 3;
    mix(x);
    if (++n > 36) goto out;
    if (x == 0) goto s5;
    else goto s3;
    s2:
    x <<= 1;
    mix(x);
    if (++n > 24) goto out;
    if (x % 3 == 1) goto s3;
    s3:
    x += n;
    mix(x);
    if (++n > 21) goto out;
    if (x % 3 == 0) goto s0;
    s4:
    x -= 77;
    mix(x);
    if (++n > 40) goto out;
    if (x == 0) goto s4;
    else goto s2;
    s5:
    x <<= 1;
    mix(x);
    if (++n > 24) goto out;
    if (x & 1) goto s5;
    goto s1;
    out:
    mix(n);
    i = 1;
    goto middle;
    for (i = 0; i < 6; i++) {
        x += 10;
        middle:
        x = x * 3 + i;
        if (i == 4) goto after;
        for (j = 0; j < 4; j++) {
            if (j == 1) goto next;
            if (x & 64) continue;
            x ^= j << 4;
        }
        next:
        mix(x);
    }
    after:
    if (0) { inside: x++; n--; }
    if (n > 0 && x % 4 != 0) goto inside;
    { int k = 0; retry: k++; if (k < 6) { if (x & 1) { x >>= 1; goto retry; } x--; goto retry; } mix(k); }
    printf("%u %d %d\n", x, n, i);
}

int main(void) {
    gotos1();
    show("gotos1");
    printf("end %016llx\n", sum);

}
