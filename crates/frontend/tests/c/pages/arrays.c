//# one dimension
int test(int i) { int a[4]; a[i] = 3; return a[i + 1]; }

//# two dimensions
int m[2][3];
int test(int i, int j) { m[i][j] = 1; return m[j][i]; }

//# of structures
struct s { char c; int n; } a[3];
int test(int i) { a[i].n = i; return a[1].n; }

//# of variable length
int test(int n) {
  int a[n];
  a[0] = n;
  { char b[n][2]; b[1][1] = 3; }
  return a[0] + sizeof a;
}

//# of variable length in a loop
int test(int n) { while (n--) { int a[n + 1]; a[n] = n; if (a[0]) break; } return n; }

//# a parameter of variable length
int f(int n, int a[n][n]) { return a[1][0]; }
int test(void) { int x[2][2] = { { 0 }, { 3 } }; return f(2, x); }

//# a flexible member
struct s { int n; char c[]; };
int test(struct s *p) { return p->c[p->n]; }
