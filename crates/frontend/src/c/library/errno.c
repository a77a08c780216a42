/* errno: one object, which the program itself changes, and numbers that are read from text. */

static int errno_value;

int *__errno_location(void)
{
    return &errno_value;
}

void __proviso_set_errno(int to)
{
    errno_value = to;
}
