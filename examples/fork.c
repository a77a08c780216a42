#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern int fork(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x < 0) return 0;
  assert(x >= 0);
  y = x & 255;
  assert(y < 256);
  if (y > 100)
    return fork();
  return 0;
}
