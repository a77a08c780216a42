// marks-fixed.c: counts how often each mark from 0 to 10 was given. It has no assert.
#include <stdio.h>

int main(void)
{
    int count[11] = { 0 };
    int mark;
    while (scanf("%d", &mark) == 1) {
        if (mark < 0 || mark > 10)
            return 1;
        count[mark]++;
    }
    return 0;
}
