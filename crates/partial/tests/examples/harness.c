int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int calls;
void m1(void) { calls = calls + 1; }
void m2(void) { calls = calls + 1; }
int main(void) {
    while (1) {
        if (nondet()) {
            m1();
        } else {
            m2();
        }
        if (calls < 0) __assert_fail("calls >= 0", "harness.c", 12, "main");
    }
}
