//# globals: zero, with a value, static, extern
int a;
int b = 7;
static short c = -1;
extern int d;
int test(void) { return a + b + c + d; }

//# a global whose address is taken
int a = 3;
int *p = &a;
int test(void) { return *p + a; }

//# locals: with a value and without
int test(void) { int a, b = 2; return a + b; }

//# a static local
int test(void) { static int n = 4; n++; return n; }

//# shadowing
int x = 1;
int test(int x) { { int x = 3; x++; } return x; }

//# volatile and const
volatile int v;
const int c = 5;
int test(void) { return v + c; }

//# typedef
typedef unsigned short u16;
int test(u16 a) { u16 b = a + 1; return b; }

//# a variable with the name of a function
static int f(void) { return 1; }
int test(void) { int f = 2; return f; }
