// expect: Run ended: returned 0
// A value that is not used is computed all the same.
void reach_error(void);

static int n;
static void *any(void) { n++; return &n; }

int main(void) {
    *any();
    (void)*any();
    if (n != 2) reach_error();
    return 0;
}
