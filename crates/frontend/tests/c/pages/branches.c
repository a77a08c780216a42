//# if
int test(int a) { if (a) a = 1; return a; }

//# if and else
int test(int a) { if (a > 2) a = 1; else a = 2; return a; }

//# conditions of both sides
int test(int a) { if (a > 2 && a < 9 || !a) return 1; return 0; }

//# a constant condition
int test(int a) { if (0) a = 1; if (1) a = 2; return a; }

//# switch: falling through, a range, a default in the middle
int test(int a) {
  switch (a) {
  case 1: a = 10;
  case 2: a = 20; break;
  default: a = 0; break;
  case 5 ... 7: a = 30;
  }
  return a;
}

//# switch without a default, over a char and an unsigned long
int test(char c, unsigned long u) {
  switch (c) { case 'a': return 1; }
  switch (u) { case -1: return 2; }
  return 0;
}

//# switch into a loop
int test(int n) {
  switch (n) { case 0: do { n++; case 1: n++; } while (n < 9); }
  return n;
}
