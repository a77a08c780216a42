// Commands are looked up in a table of functions.
// right: TRUE
// BUG: FALSE (unreach-call)  subtraction has its operands exchanged
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
#ifdef BUG
static int subtract(int a, int b) { return b - a; }
#else
static int subtract(int a, int b) { return a - b; }
#endif
static int smaller(int a, int b) { return a < b ? a : b; }

static const struct { char name; operation run; } commands[] = {
    { '+', add },
    { '-', subtract },
    { 'm', smaller },
};

static operation lookup(char name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].name == name)
            return commands[i].run;
    return NULL;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000 || b < 0 || b > 1000)
        return 0;
    operation run = lookup(__VERIFIER_nondet_char());
    if (run != NULL) {
        int result = run(a, b);
        assert(result <= a + b);
        assert(run != subtract || result + b == a);
    }
    return 0;
}
