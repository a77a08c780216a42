//# whose address nobody takes
struct s { int a; char b; };
int test(void) { struct s x = { 1, 2 }, y; y = x; y.a++; return y.a + x.b; }

//# in memory
struct s { int a; char b; };
int test(void) { struct s x, *p = &x; x.a = 1; p->b = 2; struct s y = *p; return y.a; }

//# nested, with an array
struct s { struct { int n; } in; int a[2]; };
int test(int i) { struct s x = { { 1 }, { 2, 3 } }; x.a[i] = 5; return x.in.n + x.a[1]; }

//# without a name
struct s { int k; union { int a; char c; }; };
int test(void) { struct s x; x.a = 258; return x.c; }

//# packed
struct __attribute__((packed)) s { char c; int n; };
int test(struct s *p) { return p->n + sizeof *p; }

//# assigned through pointers
struct s { int a[3]; };
int test(struct s *p, struct s *q) { *p = *q; return 0; }
