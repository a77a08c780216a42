//# arguments and a result
int add(int a, char b) { return a + b; }
int test(int n) { return add(n, 300); }

//# recursion
int f(int n) { return n ? f(n - 1) + 1 : 0; }
int test(void) { return f(3); }

//# a structure as argument and result
struct s { int a, b; };
struct s swap(struct s x) { struct s y = { x.b, x.a }; return y; }
int test(void) { struct s z = { 1, 2 }; return swap(z).a; }

//# a parameter whose address is taken
void set(int *p) { *p = 1; }
int f(int a) { set(&a); return a; }
int test(void) { return f(0); }

//# an array as parameter
int f(int a[3]) { return a[1]; }
int test(void) { int x[3] = { 0, 5 }; return f(x); }

//# by pointer
int one(void) { return 1; }
int two(void) { return 2; }
int test(int n) { int (*f)(void) = n ? one : two; return f(); }

//# variable arguments
int sum(int n, ...) {
  __builtin_va_list v;
  __builtin_va_start(v, n);
  int s = __builtin_va_arg(v, int);
  __builtin_va_end(v);
  return s;
}
int test(void) { return sum(1, 7); }

//# inputs
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int test(void) { return __VERIFIER_nondet_int() + __VERIFIER_nondet_bool(); }

//# abort and exit
void abort(void);
void exit(int);
int test(int n) { if (n == 1) abort(); if (n == 2) exit(3); return 0; }

//# builtins
int test(unsigned a, int b) {
  if (__builtin_expect(b, 1)) return __builtin_bswap16(a);
  if (__builtin_add_overflow(b, 1, &b)) __builtin_trap();
  __builtin_unreachable();
}

//# a function that does not return
void stop(void) __attribute__((noreturn));
int test(int n) { if (n) stop(); return 0; }

//# main looks at its arguments
int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }
