// The mean of the values that count.
// right: TRUE
// BUG: FALSE (div)  no value counts
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        int value = __VERIFIER_nondet_int();
        if (value > 0 && value < 1000) {
            sum += value;
            count++;
        }
    }
#ifndef BUG
    if (count == 0)
        return 0;
#endif
    return sum / count > 1000;
}
