// Two counters that stay together, however often the loop goes round.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned up = 0, down = n;
    while (up < n) {
        up++;
        down--;
    }
    if (up + down != n)
        reach_error();
    return 0;
}
