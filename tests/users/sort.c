// A bubble sort of measurements.
// right: TRUE
// BUG: FALSE (unreach-call)  the inner loop ends one element early
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 5

static void sort(int *values, int count)
{
    for (int pass = 0; pass < count - 1; pass++) {
#ifdef BUG
        for (int i = 0; i < count - pass - 2; i++) {
#else
        for (int i = 0; i < count - pass - 1; i++) {
#endif
            if (values[i] > values[i + 1]) {
                int held = values[i];
                values[i] = values[i + 1];
                values[i + 1] = held;
            }
        }
    }
}

int main(void)
{
    int measured[COUNT];
    for (int i = 0; i < COUNT; i++)
        measured[i] = __VERIFIER_nondet_int();
    sort(measured, COUNT);
    for (int i = 0; i + 1 < COUNT; i++)
        assert(measured[i] <= measured[i + 1]);
    return 0;
}
