short nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
    short x = nondet();
    int reached_dead_code = 0;
    int z = 1;
    if (x * x < 0) {
        reached_dead_code = 1;
    } else {
        z = 1;
    }
    if (reached_dead_code) __assert_fail("!reached_dead_code", "dead.c", 11, "main");
    return 0;
}
