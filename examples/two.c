extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x * x;
  if (x > 0) {
    if (y == 3) reach_error();
  } else {
    if (y == 7) reach_error();
  }
  return 0;
}
