//# address and access
int test(void) { int a = 1, *p = &a; *p = 2; return a; }

//# arithmetic
int test(int *p, int n) { p += n; p--; return *(p + 1) + p[n] + n[p]; }

//# difference and comparison
int test(int *p, int *q) { return (q - p) + (p < q) + (p == q) + !p; }

//# steps
int test(char *s) { int n = 0; while (*s++) n++; return n; }

//# to pointers
int test(void) { int a = 4, *p = &a, **q = &p; **q = 5; return *p; }

//# to members
struct s { int a, b; };
int test(struct s *p) { int *q = &p->b; p->a = 1; return *q + (*p).a; }

//# of void
int test(void *p) { p = p + 1; return *(char *)p; }
