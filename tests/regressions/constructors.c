// expect: Run ended: returned 0
// Constructors run before main, those with a number first.
void reach_error(void);

static int order;
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(202))) void second(void) { order = order * 10 + 2; }
void first(void) __attribute__((constructor(101)));
void first(void) { order = order * 10 + 1; }

int main(void) {
    if (order != 123) reach_error();
    return 0;
}
