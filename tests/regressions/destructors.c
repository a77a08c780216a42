// expect: Run ended: unsupported (functions called at exit) at destructors.c:6:5
// What runs after main is not left out silently.
void reach_error(void);
__attribute__((destructor)) static void after(void) { reach_error(); }

int main(void) {
    return 0;
}
