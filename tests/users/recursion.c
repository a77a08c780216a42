// Ackermann's function grows with its first argument.
// right: TRUE
// BUG: FALSE (unreach-call)  the second case is one too low
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
#ifdef BUG
        return ackermann(m - 1, 0);
#else
        return ackermann(m - 1, 1);
#endif
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (m < 0 || m > 2 || n < 0 || n > 3)
        return 0;
    int result = ackermann(m, n);
    assert(result > n);
    assert(m != 1 || result == n + 2);
    return 0;
}
