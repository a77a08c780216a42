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


static void loops1(void) {
    int total = 0, i = 4, j;
    for (unsigned short c = 70; c; c -= c > 3 ? 3 : 1) { if (c == 15) continue; total += c; }
    for (;;) { if (i++ > 13) break; if (i % 3 == 0) continue; total = total * 2 + i; }
    while (i) { i /= 2; do { total ^= i; if (total & 8) break; i--; } while (i > 5); if (i <= 0) break; }
    do total += 3; while (total < 349 && total > 0);
    for (i = 0, j = 10; i < j; i++, j -= 2) { mix(i * j); for (int k = i; k < j; k++) { if (k == 3) break; if (k & 1) continue; mix(k); total += k; } }
    for (unsigned u = 3; u < 4; u--) total += u;
    for (float f = 0; f < 1; f += 0.125f) total += f > 0.5f;
    for (struct { int a, b; } s = { 0, 5 }; s.a < s.b; s.a += 2) mix(s.a);
    for (const char *s = "loop"; *s; ++s) total += *s == 'o' ? 100 : 1;
    int n = 0; while (n++ < 4) switch (n) { case 1: continue; case 2: total += 7; break; default: total--; }
    while (n > 0) while (1) { if (n-- % 2) break; total++; if (n < -3) break; }
    signed char w = 100; int turns = 0; while (w > 0) { w += 9; turns++; } mix(w); mix(turns);
    mix(total); mix(i); mix(j); mix(n);
    printf("%d %d %d\n", total, i, j);
}

static void loops2(void) {
    int total = 0, i = 4, j;
    for (int c = 30; c; c -= c > 3 ? 3 : 1) { if (c == 12) continue; total += c; }
    for (;;) { if (i++ > 12) break; if (i % 3 == 0) continue; total = total * 2 + i; }
    while (i) { i /= 2; do { total ^= i; if (total & 8) break; i--; } while (i > 5); if (i <= 0) break; }
    do total += 3; while (total < 312 && total > 0);
    for (i = 0, j = 10; i < j; i++, j -= 2) { mix(i * j); for (int k = i; k < j; k++) { if (k == 5) break; if (k & 1) continue; mix(k); total += k; } }
    for (unsigned u = 3; u < 4; u--) total += u;
    for (float f = 0; f < 1; f += 0.125f) total += f > 0.5f;
    for (struct { int a, b; } s = { 0, 5 }; s.a < s.b; s.a += 2) mix(s.a);
    for (const char *s = "loop"; *s; ++s) total += *s == 'o' ? 100 : 1;
    int n = 0; while (n++ < 4) switch (n) { case 1: continue; case 2: total += 7; break; default: total--; }
    while (n > 0) while (1) { if (n-- % 2) break; total++; if (n < -3) break; }
    signed char w = 100; int turns = 0; while (w > 0) { w += 9; turns++; } mix(w); mix(turns);
    mix(total); mix(i); mix(j); mix(n);
    printf("%d %d %d\n", total, i, j);
}

int main(void) {
    loops1();
    show("loops1");
    loops2();
    show("loops2");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
