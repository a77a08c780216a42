//# --signed-overflow undefined signed overflow ends the execution
int test(int a, unsigned u) { a++; u++; a = -a; a = a * a; return a << 1; }

//# --32 sizes of ILP32
long test(long a, char *p, long long w) { return a + sizeof p + w + sizeof(void *); }
