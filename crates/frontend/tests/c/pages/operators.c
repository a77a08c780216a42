//# sums and products, signed
int test(int a, int b) { return a + b - a * b; }

//# division and remainder
int test(int a, int b) { return a / b + a % b; }

//# division, unsigned
unsigned test(unsigned a, unsigned b) { return a / b + a % b; }

//# bits
int test(int a, int b) { return (a & b) | (a ^ ~b); }

//# shifts
int test(int a, unsigned u, int n) { return (a << n) + (a >> n) + (u >> n); }

//# comparisons, signed and unsigned
int test(int a, unsigned u) { return (a < 3) + (u < 3) + (a >= u) + (a == 1) + (a != 2); }

//# not, minus, plus
int test(int a) { return !a + -a + +a; }

//# and, or as values
int test(int a, int b) { return (a && b) + (a || b); }

//# comma
int test(int a) { return a++, a; }

//# conditional
int test(int a, int b) { return a ? b : -b; }

//# conditional with the middle left out
int test(int a) { return a++ ?: 7; }

//# sizeof and alignof
int test(void) { int a[3]; return sizeof a + sizeof(long) + _Alignof(short); }

//# generic selection
int test(long a) { return _Generic(a, int: 1, long: 2, default: 3); }

//# enumerations
enum e { A, B = 5, C };
int test(enum e x) { return x == C ? B : A; }
