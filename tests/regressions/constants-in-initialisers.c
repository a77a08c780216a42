// expect: Run ended: returned 0
// GNU C lets a static initialiser read a constant object.
void reach_error(void);

static const int a = 5;
const int *where = &a;
static int c = a;
static int d = a;
static const int b = 7;
int table[2] = { b, a };
struct { char c; long n; } pair[1] = { { a, b } };

int main(void) {
    if (c != 5 || d != 5 || *where != 5) reach_error();
    if (table[0] != 7 || table[1] != 5) reach_error();
    if (pair[c - 5].c != 5 || pair[0].n != 7) reach_error();
    return 0;
}
