// Numbers are read from a line.
// right: TRUE
// BUG: FALSE (unreach-call)  a number at the end of the line is lost
#include <assert.h>
#include <ctype.h>

extern char __VERIFIER_nondet_char(void);

#define LENGTH 5

static int count_numbers(const char *line)
{
    int count = 0, inside = 0;
    for (const char *c = line; *c != '\0'; c++) {
        if (*c >= '0' && *c <= '9') {
#ifndef BUG
            if (!inside)
                count++;
#endif
            inside = 1;
        } else {
#ifdef BUG
            if (inside)
                count++;
#endif
            inside = 0;
        }
    }
    return count;
}

int main(void)
{
    char line[LENGTH + 1];
    int digits = 0;
    for (int i = 0; i < LENGTH; i++) {
        line[i] = __VERIFIER_nondet_char();
        if (line[i] == '\0')
            return 0;
        digits += line[i] >= '0' && line[i] <= '9';
    }
    line[LENGTH] = '\0';
    int numbers = count_numbers(line);
    assert(numbers <= digits);
    assert(digits == 0 || numbers > 0);
    return 0;
}
