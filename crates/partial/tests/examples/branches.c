int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
    int p = nondet();
    if (p) {
        int i;
        for (i = 0; i < 1000000; i++);
        if (!(i >= 1000000)) __assert_fail("i >= 1000000", "branches.c", 7, "main");
    } else {
        int x = 5;
        int y = 6;
        int r = x * y;
        if (!(r >= x)) __assert_fail("r >= x", "branches.c", 12, "main");
    }
    return 0;
}
