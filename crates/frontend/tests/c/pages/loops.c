//# while
int test(int n) { while (n > 0) n--; return n; }

//# do
int test(int n) { do n--; while (n > 0); return n; }

//# for
int test(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; return s; }

//# for without anything
int test(void) { for (;;) ; }

//# break and continue in nested loops
int test(int n) {
  while (n) {
    for (int i = 0; i < n; i++) {
      if (i == 2) continue;
      if (i == 3) break;
      n--;
    }
    if (n == 1) break;
  }
  return n;
}

//# a variable is new in each round
int test(int n) { while (n--) { int x; n += x; } return n; }
