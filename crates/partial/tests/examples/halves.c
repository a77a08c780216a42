int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main0(void) {
    int a = 1;
    if (a != 1) __assert_fail("a == 1", "halves.c", 4, "main0");
    return 0;
}
int main1(void) {
    int i = 0;
    while (nondet()) {
        i = i + 1;
        if (i == -1) __assert_fail("i != -1", "halves.c", 11, "main1");
    }
    return 0;
}
int main(void) {
    if (nondet()) return main0();
    return main1();
}
