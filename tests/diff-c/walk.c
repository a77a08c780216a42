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


static void walk1(void) {
    _Bool a[5] = { 0X1F, 9LL, 0x7ffffffffffffffeU, -372264445ul, -0X46775990ul };
    _Bool *p = a + 1, *const first = a, *const end = &a[5];
    const _Bool *r = end;
    mix(++*p);
    mix((*p)--);
    p += 3; p -= 3 - 1; p--;
    p = &a[1]; mix(p[1] + 1[a]);
    mix(++*p);
    mix((*p)--);
    while (r != a) mix(*--r);
    for (_Bool *q = a; q < end; q += 2) {
        mix(q - a); mix(end - q); mix(q > p); mix(q <= p); mix(q == &a[1]);
        *q = *q + (q - p);
        if (end - q < 2) break;
    }
    mix((char *)end - (char *)first); mix(&a[1] - &a[4] < 0); mix(p == first + 1);
    mix((p - a) * sizeof *p); mix(*(&a + 1) - a); mix((&a)[0][1]); mix(end[-1]); mix(*(end - 2)); mix(sizeof a / sizeof a[0]);
    printf("%d %lld\n", (int)(p - a), (long long)*p);
}

int main(void) {
    walk1();
    show("walk1");
    printf("end %016llx\n", sum);
    exit(sum >> 7 & 255);
}
