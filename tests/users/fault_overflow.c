// Seconds are converted to milliseconds.
// options: --check overflow
// right: TRUE
// BUG: FALSE (no-overflow)  a month of seconds does not fit
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int seconds = __VERIFIER_nondet_int();
#ifdef BUG
    if (seconds < 0 || seconds > 31 * 24 * 3600)
        return 0;
#else
    if (seconds < 0 || seconds > 24 * 3600)
        return 0;
#endif
    int milliseconds = seconds * 1000;
    return milliseconds < 0;
}
