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


static signed char lf1twice(signed char x) {
    return x * 2 + 1;
}

static int lf1depth(int n, signed char **chain) {
    signed char here[2] = { n }, *links[8];
    for (int i = 0; i < 8; i++) links[i] = chain ? chain[i] : 0;
    links[n & 7] = &here[1];
    here[1] = n * 19;
    if (n < 5) return lf1depth(n + 1, links) + here[0];
    int r = 0;
    for (int i = 0; i < 8; i++) if (links[i]) { *links[i] += i; r = r * 3 + *links[i]; }
    return r;
}

static void lifetimes2(void) {
    for (int i = 0; i < 4; i++) {
        signed char z[3] = { 1 }, w = z[0] + i;
        struct { signed char a; int b[2]; } s = { .b = { i } };
        char text[5] = "ab";
        z[1] += i; s.b[1] += i; s.a--; text[2 + (i & 1)] = 'c';
        mix(z[1] + z[2]); mix(s.b[0] * 10 + s.b[1]); mix(s.a); mix(w); mix(text[2]); mix(text[3]);
        if (i == 1) continue;
        int late = i * 7; z[2] = late; mix(z[2]);
    }
    int n = 0;
    again: { int fresh = 5; signed char v[2] = { lf1twice(0x5uLL), lf1twice(n) }; fresh += n; mix(fresh); mix(v[0] - v[1]); if (++n < 4) goto again; }
    struct { signed char a, b; } made = { lf1twice(n), n > 2 ? lf1twice(0x5uLL) : 0 }, copy = made;
    int sized[sizeof(made) > 4 ? 3 : 2] = { n, n + 1 }; mix(sizeof sized / sizeof *sized); mix(sized[1]);
    signed char outer = 0x5uLL; { signed char outer = 3; outer++; mix(outer); { signed char outer = 51; mix(outer); } mix(outer); } mix(outer);
    mix(made.a); mix(copy.b); mix(lf1depth(0, 0)); mix(lf1depth(3, 0));
    int *kept[3]; int store[3]; for (int i = 0; i < 3; i++) { kept[i] = &store[i]; *kept[i] = i * i; } mix(*kept[0] + *kept[1] + *kept[2]);
    switch (n) { int skipped; case 4: skipped = 9; mix(skipped); break; default: skipped = 1; mix(skipped); }
    do { if (n & 1) continue; n += 3; mix(n); } while (0);
    if (n > 1) ; else mix(1);
    printf("%d\n", lf1depth(4, 0));
}

int main(void) {
    lifetimes2();
    show("lifetimes2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
