int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int min(int a[], int n) {
    int res = a[0];
    for (int i = 0; i < n; ++i)
        if (a[i] < res) res = a[i];
    return res;
}
void init_vector(int a[], int n) {
    int i = 0;
    for (i = 0; i < n; ++i) {
        a[i] = nondet();
    }
}
void test_min(int large) {
    int n;
    if (large) {
        n = 20;
    } else {
        n = 1;
    }
    int a[20];
    init_vector(a, n);
    int min_elem = min(a, n);
    if (!(min_elem <= a[0])) __assert_fail("min_elem <= a[0]", "min.c", 24, "test_min");
}
int main(void) { test_min(nondet()); return 0; }
