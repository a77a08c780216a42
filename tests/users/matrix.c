// The transpose of a matrix, twice.
// right: TRUE
// BUG: FALSE (unreach-call)  the second transpose exchanges elements back
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define N 3

static void transpose(int m[N][N])
{
    for (int row = 0; row < N; row++) {
#ifdef BUG
        for (int column = 0; column < N; column++) {
#else
        for (int column = row + 1; column < N; column++) {
#endif
            int held = m[row][column];
            m[row][column] = m[column][row];
            m[column][row] = held;
        }
    }
}

int main(void)
{
    int m[N][N];
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++)
            m[row][column] = __VERIFIER_nondet_int();
    int corner = m[0][2], other = m[2][0];
    transpose(m);
    assert(m[2][0] == corner && m[0][2] == other);
    return 0;
}
