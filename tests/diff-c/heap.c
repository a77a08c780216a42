typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}

struct H1 { int n; signed char v[]; };

static void heap2(void) {
    int n = 7;
    signed char *a = malloc(n * sizeof *a), *b = calloc(n, sizeof(signed char)), *c;
    struct H1 *h = malloc(sizeof(struct H1) + 7 * sizeof(signed char));
    if (!a || !b || !h) return;
    for (int i = 0; i < n; i++) { a[i] = i * 1lu; b[i] += a[i] + 1; }
    h->n = n;
    for (int i = 0; i < h->n; i++) h->v[i] = a[i] ^ b[n - 1 - i];
    a = realloc(a, 2 * n * sizeof *a);
    for (int i = n; i < 2 * n; i++) a[i] = a[i - n] - i;
    c = a + n;
    for (int i = -n; i < n; i++) mix(c[i]);
    a = realloc(a, 2 * sizeof *a);
    mix(a[0]); mix(a[1]); mix(h->v[n - 1]); mix(sizeof(struct H1)); mix(b[0] == 1);
    free(a); free(0);
    struct { char c; signed char *p; } *boxes = malloc(3 * sizeof *boxes);
    for (int i = 0; i < 3; i++) { boxes[i].c = 'a' + i; boxes[i].p = i & 1 ? &b[i] : &h->v[i]; }
    for (int i = 0; i < 3; i++) { *boxes[i].p += boxes[i].c; mix(*boxes[i].p); }
    signed char **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) { rows[i] = malloc((i + 1) * sizeof **rows); rows[i][i] = i; rows[i][0] = 1lu; }
    for (int i = 0; i < n; i++) { mix(rows[i][i]); mix(rows[i][0]); free(rows[i]); }
    printf("%lld %lld\n", (long long)b[1], (long long)h->v[0]);
    free(rows); free(boxes); free(h); free(b);
}

int main(void) {
    heap2();
    show("heap2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
