// A bit of a mask is chosen.
// options: --check shift
// right: TRUE
// BUG: FALSE (shift)  the mask has 32 bits
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned pin = __VERIFIER_nondet_uint();
#ifdef BUG
    if (pin > 32)
        return 0;
#else
    if (pin >= 32)
        return 0;
#endif
    unsigned mask = 1u << pin;
    return mask == 0;
}
