typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}

typedef struct { signed char a; unsigned int b[2]; } C1;
static C1 *cl2g = &(C1){ 1lu, { 032307u } };
static int *cl2v = (int[]){ 1, 2, [4] = 5 };

static long long cl2sum(const C1 *c, int n, const signed char *more) {
    long long total = more[n];
    for (int i = 0; i < 2; i++) total += c->b[i];
    return total + c->a;
}

static void literals3(void) {
    mix(cl2g->a); mix(cl2g->b[0]); mix(cl2g->b[1]); cl2g->b[1] = 4; mix(cl2v[4]); mix(cl2v[3]);
    C1 *p = &(C1){ .b = { -10ll, 0x3fuLL } }, x = (C1){ 1 };
    mix(cl2sum(p, 1, (signed char[]){ 5, 6, 7 })); mix(cl2sum(&x, 0, &(signed char){ 0XF7AD })); mix(((C1){ .a = -10ll }).a);
    for (int i = 0; i < 4; i++) {
        C1 *q = &(C1){ i, { [1] = i * 3 } };
        int *r = (int[3]){ i, i + 1 };
        q->a += 0x3fuLL; r[2] -= i;
        mix(q->a); mix(q->b[0]); mix(q->b[1]); mix(r[0] + r[1] * r[2]);
        x = i & 1 ? *q : (C1){ 9, { 8, 7 } };
        mix(x.b[0]); mix(x.b[1]);
    }
    mix((int[]){ 3, 2, 1 }[0]); mix(sizeof((char[]){ 1, 2, 3 })); mix(((char[]){ "str" })[1]); mix((unsigned char){ 0XF7AD });
    mix(*&(int){ 0 }); mix(((union { int i; unsigned char c[4]; }){ .i = 0x01020304 }).c[0]);
    printf("%lld %d\n", (long long)p->b[0], ((C1){ .b = { 2, 4 } }).b[1] != 0);
}

int main(void) {
    literals3();
    show("literals3");
    printf("end %016llx\n", sum);
    exit((int)(sum & 127));
}
