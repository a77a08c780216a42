// A lock is taken and given back in turn, whatever happens between.
// right: TRUE
// BUG: FALSE (unreach-call)  the retry path does not give it back
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked;

static void lock(void)
{
    assert(!locked);
    locked = 1;
}

static void unlock(void)
{
    assert(locked);
    locked = 0;
}

int main(void)
{
    int wanted, done;
    do {
        lock();
        done = wanted = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
#ifndef BUG
            unlock();
#endif
            wanted++;
        }
#ifdef BUG
    } while (done != wanted);
#else
        else
            unlock();
    } while (done != wanted);
    lock();
#endif
    unlock();
    return 0;
}
