// expect: Run ended: unsupported (a nested function) at nested-function.c:6:9
// A nested function sees the variables of the activation around it.
int main(void)
{
    int x = 3;
    int next(void) { return ++x; }
    return next() - 4;
}
