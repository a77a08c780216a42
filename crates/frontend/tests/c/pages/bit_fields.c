//# written and read
struct s { unsigned a : 3; int b : 5; _Bool c : 1; unsigned : 0; long d : 40; };
int test(int n) { struct s x; x.a = n; x.b = n; x.c = n; x.d = n; return x.a + x.b + x.c; }

//# compound and steps
struct s { unsigned a : 3; int b : 5; _Bool c : 1; unsigned : 0; long d : 40; };
int test(struct s *p) { p->a += 3; p->b--; ++p->a; return p->b; }

//# the value of an assignment
struct s { unsigned a : 3; int b : 5; _Bool c : 1; unsigned : 0; long d : 40; };
int test(struct s *p, int n) { return p->a = n; }

//# initialised
struct s { unsigned a : 3; int b : 5; _Bool c : 1; unsigned : 0; long d : 40; };
struct s g = { 1, -1, 1, 1L << 39 };
int test(void) { return g.b; }

//# --32 sizes of ILP32
struct s { long long a : 33; int b : 2; } g;
int test(void) { g.a = 1; g.b = 1; return sizeof g; }
