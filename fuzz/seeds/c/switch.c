0#include <stdlib.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum color { RED, GREEN = 5 };
typedef int (*operation)(int, int);
int add(int a, int b) { return a + b; }
int most(int a, int b) { return MAX(a, b); }
union word { float f; unsigned u; };
int main() {
  operation ops[] = { add, most };
  union word w = { .f = 1.5f };
  char *s = malloc(8);
  if (!s) goto out;
  s[0] = 'a'; s[1] = "bc"[1];
  switch (w.u >> 24 & 7) { case 0 ... 3: s[0]++; case RED + 4: break; default: s[0] ^= 1; }
  do { w.u /= 2; } while (w.u > 100u && s[0]);
  long long x = (long long)ops[w.u % 2](3, -4) << 33;
  double d = (double)x / 3;
out:
  free(s);
  return (int)d;
}
