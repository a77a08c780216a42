//# narrowing
int test(long a) { char c = a; unsigned char u = a; return c + u; }

//# widening
long test(char c, unsigned char u, int i, unsigned v) { return c + u + (long)i + v; }

//# signed and unsigned meet
int test(int a, unsigned b, long c) { return (a < b) + (b < c) + ((unsigned)a > c); }

//# to and from Boolean
int test(int a, _Bool b) { return (_Bool)a + b; }

//# 128 bits
int test(long a) { __int128 w = a; w *= w; return w >> 64; }

//# pointers and integers
int test(int *p, long n) { p = (int *)n; return (long)p == 0; }

//# to void
int test(int a) { (void)a++; return a; }
