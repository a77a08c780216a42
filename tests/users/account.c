// Transfers between accounts keep the sum, and no account falls below its limit.
// right: TRUE
// BUG: FALSE (unreach-call)  a negative amount takes money from the other side
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    long balance;
    int limit;
};

static struct account accounts[3] = { { 100, 50 }, { 0, 0 }, { 20, 10 } };

static int transfer(struct account *from, struct account *to, int amount)
{
#ifndef BUG
    if (amount < 0)
        return 0;
#endif
    if (from->balance - amount < -(long)from->limit)
        return 0;
    from->balance -= amount;
    to->balance += amount;
    return 1;
}

int main(void)
{
    for (int day = 0; day < 3; day++) {
        int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
        if (from < 0 || from > 2 || to < 0 || to > 2)
            return 0;
        transfer(&accounts[from], &accounts[to], __VERIFIER_nondet_int());
    }
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        assert(accounts[i].balance >= -accounts[i].limit);
        sum += accounts[i].balance;
    }
    assert(sum == 120);
    return 0;
}
