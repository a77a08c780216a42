// A buffer is freed on every way out.
// options: --check leak
// right: TRUE
// BUG: FALSE (valid-memcleanup)  an early return forgets the buffer
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int process(int length)
{
    char *buffer = malloc(length);
    if (buffer == NULL)
        return -1;
    int result = __VERIFIER_nondet_int();
#ifdef BUG
    if (result < 0)
        return result;
#endif
    free(buffer);
    return result;
}

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 64)
        return 0;
    process(length);
    return 0;
}
