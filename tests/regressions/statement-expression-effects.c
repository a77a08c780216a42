// expect: Run ended: returned 0
// The last statement of a statement expression is executed also where its value is dropped.
void reach_error(void);

static int n;
static int next(void) { return ++n; }

int main(void) {
    ({ (void)(n++); });
    if (n != 1) reach_error();
    ({ next(); (void)next(); });
    if (n != 3) reach_error();
    n ? ({ (void)n++; }) : (void)0;
    if (n != 4) reach_error();
    __asm__ volatile("" : : "r"(n++));
    if (n != 5) reach_error();
    return 0;
}
