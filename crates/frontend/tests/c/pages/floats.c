//# arithmetic
double test(double a, double b) { return a + b - a * b / a; }

//# of each type
int test(float f, double d, long double l) {
  f += 1;
  d *= 2;
  l -= 3;
  return f + d + l > 0;
}

//# minus and not
int test(double a) { return !a + (-a > 1); }

//# comparisons
int test(double a, double b) {
  return (a < b) + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b);
}

//# as a condition
int test(float f) { if (f) return 1; while (f < 9) f++; return f ? 2 : 3; }

//# from integers
double test(int a, unsigned char b, unsigned long c) { return a + (float)b + c; }

//# to integers
long test(float a, double b) {
  unsigned char c = a;
  int d = b;
  _Bool e = a;
  return (long)b + c + d + e;
}

//# between formats
float test(double a, float b, long double c) { b = a; a = b; c = a; a = c; return a; }

//# constants
double test(void) { float f = 0.1f; return f + 0.1 + 1e400L + 0x1p-3; }

//# in memory
double a[2] = { 1.5 };
int test(int i) { a[i] = 2; float f, *p = &f; *p = a[1]; return *(int *)p; }

//# functions
double sqrt(double);
double fabs(double);
int test(double x) {
  return (__builtin_isnan(x) != 0) + (sqrt(fabs(x)) > 2) + (x == __builtin_inf());
}

//# library functions without an exact meaning
double sin(double);
int test(double x) { return sin(x) > 2; }
