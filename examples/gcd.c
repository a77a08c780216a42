extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
unsigned char gcd(unsigned char a, unsigned char b) {
  while (b != 0) { unsigned char t = a % b; a = b; b = t; }
  return a;
}
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
  if (x == 0 || y == 0) return 0;
  unsigned char g = gcd(x, y);
  if (x % g != 0) reach_error();
  if (y % g != 0) reach_error();
  return 0;
}
