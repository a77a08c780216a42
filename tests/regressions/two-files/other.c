static int state = 10;
int table[] = { 1, 2, 3, 4 };
int tentative;
int chosen(void) { return 2; }
inline int small(int x) { return x * 2; }
extern int small(int);
static int helper(int x) { return x + state++; }
int other(int x) { return helper(x) + 1; }
int *where(void) { return &tentative; }
