// A histogram of marks from 0 to 10.
// right: TRUE
// BUG: FALSE (valid-deref)  there is no room for the best mark
extern int __VERIFIER_nondet_int(void);

#ifdef BUG
static int histogram[10];
#else
static int histogram[11];
#endif

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int mark = __VERIFIER_nondet_int();
        if (mark < 0 || mark > 10)
            return 0;
        histogram[mark]++;
    }
    return 0;
}
