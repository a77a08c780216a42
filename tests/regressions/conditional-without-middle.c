// expect: Run ended: returned 0
// `a ?: b` evaluates `a` once, whatever conversion the common type asks for.
void reach_error(void);

static int count;
static int same(int x) { count++; return x; }
static _Bool truth(int x) { count++; return x; }
static char *text(char *x) { count++; return x; }

int main(void) {
    if ((same(3) ?: 7L) != 3 || count != 1) reach_error();
    if ((same(0) ?: 7.5) != 7.5 || count != 2) reach_error();
    if ((same(2) ?: 7.5f) != 2 || count != 3) reach_error();
    if ((truth(3) ?: 7) != 1 || count != 4) reach_error();
    if (*(text(0) ?: "x") != 'x' || count != 5) reach_error();
    if (((same(3) == 3) ?: 7) != 1 || count != 6) reach_error();
    same(1) ?: (void)0;
    if (count != 7) reach_error();
    if (same(0) ?: same(1)) count += 10;
    if (count != 19) reach_error();
    return 0;
}
