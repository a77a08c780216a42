// options: --property unreach-label
// expect: Run ended: reached error at error-label-in-expression.c:7
int x;

int main(void) {
    if (!x)
        ({ ERROR: x = 1; });
    return 0;
}
