//# read as another type
union u { int n; float f; unsigned char c[4]; };
int test(int n) { union u x; x.n = n; return x.c[1] + (x.f > 0); }

//# of structures
union u { struct { int t; int a; } x; struct { int t; char c; } y; };
int test(void) { union u v; v.x.t = 1; v.x.a = 2; return v.y.c; }

//# copied
union u { int n; char c; };
int test(union u v) { union u w = v; return w.c; }
