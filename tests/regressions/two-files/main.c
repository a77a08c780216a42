// expect: Run ended: returned 0
// Names over two files: static ones, an array with its size elsewhere, weak and inline definitions.
void reach_error(void);

static int helper(int x) { return x + 1; }
static int state = 1;
extern int table[];
int tentative;
__attribute__((weak)) int chosen(void) { return 1; }
inline int small(int x) { return x * 2; }
int other(int);
int *where(void);

int main(void) {
    if (helper(1) != 2 || other(1) != 12) reach_error();
    state += 5;
    if (other(0) != 12) reach_error();
    if (table[3] != 4) reach_error();
    tentative = 7;
    if (*where() != 7) reach_error();
    if (chosen() != 2) reach_error();
    if (small(4) != 8) reach_error();
    return 0;
}
