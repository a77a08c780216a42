//# an array
int a[4] = { 1, 2 };
int test(int i) { return a[i]; }

//# designators
int a[5] = { [3] = 7, 8, [0] = 1 };
int test(int i) { return a[i]; }

//# a string
char s[] = "ab";
char t[2] = "xyz";
int test(int i) { return s[i] + t[i]; }

//# a pointer to a string
const char *s = "hi";
int test(void) { return s[1]; }

//# a structure, with padding
struct s { char c; int n; short a[2]; } g = { 'x', .a = { 1 } };
int test(void) { struct s *p = &g; return p->n; }

//# a union
union u { int n; char c[4]; } g = { .c = { 1, 2 } };
int test(void) { return g.n; }

//# addresses
int a[3];
int *p = a + 1, *q = &a[2];
int test(void);
int (*f)(void) = test;
int test(void) { return q - p + (f != 0); }

//# locals
int test(int n) {
  int a[3] = { n, 1 };
  struct { int x, y; } s = { .y = n };
  return a[n] + s.x + s.y;
}

//# a compound literal
int test(int n) { int *p = (int[]){ n, 2 }; return p[1] + (struct { int x; }){ 4 }.x; }
