// expect: Run ended: reached error at error-function-through-pointer.c:3
// A call of the error function is the error, whatever its body, also through a pointer.
void reach_error(void) { }

int main(void) {
    void (*p)(void) = reach_error;
    p();
    return 0;
}
