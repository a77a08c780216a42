// expect: Run ended: aborted
// A function that is declared not to return does not, with a body or without.
void reach_error(void);
extern void leave(void) __attribute__((noreturn));
_Noreturn void end(int);

int main(int argc, char **argv) {
    if (argc > 1)
        leave();
    else
        end(1);
    reach_error();
    return 0;
}
