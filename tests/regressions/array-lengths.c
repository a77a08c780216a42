// expect: Run ended: returned 0
// The length of a variable-length array is the one at its declaration: of the parameter at the
// entry, of the typedef where it stands.
void reach_error(void);

static int element(int n, int a[][n]) { n = 0; return a[1][0]; }
static int late(int i, int a[i++]) { return i + (a != 0); }
static int empty(int n, int a[n]) { return n + (a != 0); }

int main(void) {
    int a[2][2] = { { 1, 2 }, { 3, 4 } };
    if (element(2, a) != 3) reach_error();
    if (late(4, a[0]) != 6) reach_error();
    if (empty(0, a[0]) != 1) reach_error();
    int n = 10;
    typedef int T[n];
    n = 2;
    T t;
    __typeof__(t) u;
    n = 5;
    if (sizeof t != 10 * sizeof(int) || sizeof u != sizeof t || sizeof(T) != sizeof t) reach_error();
    return 0;
}
