// Multiplication of numbers with eight bits behind the point.
// right: TRUE
// BUG: FALSE (unreach-call)  the product is cut before it is shifted
#include <assert.h>
#include <stdint.h>

extern short __VERIFIER_nondet_short(void);

typedef int16_t fixed;

static fixed multiply(fixed a, fixed b)
{
#ifdef BUG
    return (fixed)((int16_t)(a * b) >> 8);
#else
    return (fixed)((int32_t)a * b >> 8);
#endif
}

int main(void)
{
    fixed half = 0x80, x = __VERIFIER_nondet_short();
    if (x < 0)
        return 0;
    fixed result = multiply(x, half);
    assert(result >= 0 && result <= x);
    assert(result == x / 2);
    return 0;
}
