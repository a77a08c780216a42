// A sum is stored in a byte.
// options: --check conversion
// right: TRUE
// BUG: FALSE (conversion)  the sum of 200 and 100 is no byte
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
#ifdef BUG
    if (first > 200 || second > 100)
        return 0;
#else
    if (first > 127 || second > 128)
        return 0;
#endif
    uint8_t sum = first + second;
    return sum < first;
}
