// A growing array is written through a pointer.
// right: TRUE
// BUG: FALSE (valid-deref)  the pointer is the one before growing
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *values = malloc(2 * sizeof *values);
    if (values == NULL)
        return 0;
    int *last = &values[1];
    if (__VERIFIER_nondet_int() > 0) {
        int *grown = malloc(4 * sizeof *grown);
        if (grown != NULL) {
            grown[0] = 7;
            free(values);
            values = grown;
#ifndef BUG
            last = &values[3];
#endif
        }
    }
    *last = 1;
    free(values);
    return 0;
}
