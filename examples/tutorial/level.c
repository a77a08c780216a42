// level.c: how much a program says is decided by a variable of the environment.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int level = 1;
    assert(level > 0);
    const char *text = getenv("LEVEL");
    if (text && text[0] >= '0' && text[0] <= '9')
        level = text[0] - '0';
    assert(level >= 0 && level <= 9);
    return 0;
}
