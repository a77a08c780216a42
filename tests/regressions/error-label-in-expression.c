// expect: Run ended: reached error at error-label-in-expression.c:6
int x;

int main(void) {
    if (!x)
        ({ ERROR: x = 1; });
    return 0;
}
