extern unsigned nondet_uint(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void insert(int key, int v[], int i) {
    while ((i >= 0) && (v[i] > key)) {
        v[i + 1] = v[i];
        i = i - 1;
    }
    v[i + 1] = key;
}
void check(int v[], int j) {
    int k;
    for (k = 1; k < j; k++)
        if (!(v[k - 1] <= v[k])) __assert_fail("v[k-1] <= v[k]", "insertion.c", 13, "check");
}
int main(void) {
    unsigned int SIZE = nondet_uint();
    int i, j, key;
    int v[SIZE];
    for (j = 1; j < SIZE; j++) {
        key = v[j];
        i = j - 1;
        insert(key, v, i);
        check(v, j);
    }
    return 0;
}
