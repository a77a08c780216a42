// larger.c: the larger of two numbers.
#include <assert.h>

extern int nondet_int(void);

int larger(int a, int b)
{
    return a - b > 0 ? a : b;
}

int main(void)
{
    int a = nondet_int();
    int b = nondet_int();
    int m = larger(a, b);
    assert(m >= a && m >= b);
    return 0;
}
