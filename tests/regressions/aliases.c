// expect: Run ended: returned 0
// Other names for functions and objects: aliases and assembler names.
void reach_error(void);

int f(void) { return 5; }
int g(void) __attribute__((alias("f")));
static int hidden(int x) { return x + 1; }
int shown(int) __attribute__((weak, alias("hidden")));
int v = 3;
extern int w __attribute__((alias("v")));
int real(int) __asm__("other");
int other(int x) { return x * 2; }
int own(const char *) __asm__("strlen");

int main(void) {
    int *p = &w;
    w++;
    (*p)++;
    if (g() != 5 || shown(4) != 5 || v != 5) reach_error();
    if (real(4) != 8) reach_error();
    if (own("abc") != 3) reach_error();
    return 0;
}
