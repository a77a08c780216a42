//# goto, forwards and backwards
int test(int n) { again: if (n < 0) goto out; n--; goto again; out: return n; }

//# goto past a declaration
int test(int n) { if (n) goto in; { int x = 1; in: n = x; } return n; }

//# a computed goto
int test(void) { void *p = &&out; goto *p; out: return 0; }

//# return of nothing
void f(void) { return; }
int test(void) { f(); return 0; }

//# the end of main
int main(void) { }

//# the end of another function
int f(void) { }
int test(void) { return f(); }

//# a statement expression
int test(int n) { return ({ int x = n; x + 1; }); }

//# an error
void reach_error(void);
int test(int n) { if (n) reach_error(); return 0; }

//# assembly
int test(void) { __asm__(""); __asm__("nop"); return 0; }
