//# --external pure changes nothing
int f(int *p);
int g;
int test(void) { int a = 1; g = f(&a); return a; }

//# --external havoc may change what it reaches
int f(int *p);
int g;
int test(void) { int a = 1; g = f(&a); return a; }

//# --external error is not accepted
int f(int *p);
int g;
int test(void) { int a = 1; g = f(&a); return a; }
