int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int property(int y) { return 1; }
int f(int x, int y) {
    if (x) {
        y = 2 * y + 1;
    } else {
        y = 2 * y;
    }
    return y;
}
int main(void) {
    int y = 1;
    while (1) {
        y = f(nondet(), y);
        if (!property(y)) __assert_fail("property(y)", "doubling.c", 14, "main");
    }
}
