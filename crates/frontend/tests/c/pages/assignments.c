//# chained
int test(int a, int b) { a = b = 3; return a; }

//# compound, in a narrow type
int test(char c, int a) { c += a; c <<= 2; c /= a; return c; }

//# steps before and after
int test(int a) { int b = a++ + ++a; b = b-- - --b; return b; }

//# order of effects
int f(int);
int test(int a) { return f(a++) + a * f(a--); }

//# a Boolean
int test(int a) { _Bool b = a; b += 2; b--; return b; }
