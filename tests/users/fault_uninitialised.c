// The largest of the values that are valid.
// options: --check uninitialised
// right: TRUE
// BUG: FALSE (uninitialised)  no value is valid
extern int __VERIFIER_nondet_int(void);

struct reading {
    int value;
    int valid;
};

static int largest(const struct reading *readings, int count)
{
    int best;
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (readings[i].valid && (!found || readings[i].value > best)) {
            best = readings[i].value;
            found = 1;
        }
    }
#ifndef BUG
    if (!found)
        return -1;
#endif
    return best;
}

int main(void)
{
    struct reading readings[4];
    for (int i = 0; i < 4; i++) {
        readings[i].value = __VERIFIER_nondet_int();
        readings[i].valid = __VERIFIER_nondet_int() != 0;
    }
    return largest(readings, 4) > 100;
}
