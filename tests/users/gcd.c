// The greatest common divisor, which divides both numbers.
// right: TRUE
// BUG: FALSE (div)  the remainder of nothing
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned gcd(unsigned a, unsigned b)
{
#ifdef BUG
    do {
        unsigned rest = a % b;
        a = b;
        b = rest;
    } while (b != 0);
#else
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
#endif
    return a;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uchar() % 16, b = __VERIFIER_nondet_uchar() % 16;
    unsigned divisor = gcd(a, b);
    if (divisor == 0)
        assert(a == 0 && b == 0);
    else
        assert(a % divisor == 0 && b % divisor == 0);
    return 0;
}
