// The average of two numbers, three ways. Each of them is wrong for some inputs.
extern int __VERIFIER_nondet_int(void);
extern int printf(const char *, ...);
extern void reach_error(void);

static int naive(int a, int b) { return (a + b) / 2; }

static int careful(int a, int b) { return a / 2 + b / 2 + (a % 2 + b % 2) / 2; }

static int by_bits(int a, int b) { return (a & b) + ((a ^ b) >> 1); }

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int exact = (int)(((long long)a + b) / 2);
    printf("a = %d, b = %d\n", a, b);
    printf("naive %d, careful %d, by bits %d, exact %d\n", naive(a, b), careful(a, b), by_bits(a, b), exact);
    if (careful(a, b) != exact)
        reach_error();
    return 0;
}
