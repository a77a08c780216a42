// The room that is left in a buffer.
// options: --check unsigned-overflow
// right: TRUE
// BUG: FALSE (unsigned-overflow)  more is used than there is
#include <stddef.h>

extern unsigned int __VERIFIER_nondet_uint(void);

enum { CAPACITY = 64 };

static size_t room(size_t used, size_t head)
{
#ifdef BUG
    return CAPACITY - used - head;
#else
    if (head > CAPACITY || used > CAPACITY - head)
        return 0;
    return CAPACITY - head - used;
#endif
}

int main(void)
{
    size_t used = __VERIFIER_nondet_uint() % 65;
    size_t head = __VERIFIER_nondet_uint() % 9;
    return room(used, head) > 10;
}
