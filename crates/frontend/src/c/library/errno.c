/* errno: one object, which only the program itself changes. */

static int errno_value;

int *__errno_location(void)
{
    return &errno_value;
}
