1extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct point { int x, y; unsigned flag : 3; };
static int table[4] = { 1, 2, [3] = 7 };
int sum(const int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
int main(void) {
  struct point a = { .x = 1, .y = __VERIFIER_nondet_int() };
  struct point *p = &a;
  for (int i = 0; i < 4; i++) { if (p->x == i) continue; p->y += table[i]; }
  p->flag = a.y;
  if (sum(table, 4) != 10) reach_error();
  return p->flag;
}
