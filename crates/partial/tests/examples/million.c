extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
    int i;
    for (i = 0; i < 1000; i++);
    if (!0) __assert_fail("0", "million.c", 5, "main");
    return 0;
}
