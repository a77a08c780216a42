// expect: Run ended: returned 0
// The parameters of an old-style definition arrive promoted.
void reach_error(void);

int twice(x) float x; { return x * 2; }
int sum(a, b, c) int a; char b; short c; { return a + b + c; }
int through(c) unsigned char c; { unsigned char *p = &c; return *p; }

int main(void) {
    if (twice(1.5f) != 3) reach_error();
    if (sum(1, 'a', -3) != 95) reach_error();
    if (sum(1, 257, 0) != 2) reach_error();
    if (through(300) != 44) reach_error();
    return 0;
}
