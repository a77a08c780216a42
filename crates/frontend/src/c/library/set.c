/* What printing asks of memory, where bytes that nobody has set are looked for. */

int __proviso_is_set(const void *at);

/* Uses a text, as printing it does. */
int __proviso_use_text(const char *text)
{
    while (*text != 0)
        text++;
    return 0;
}

/* Whether so many bytes have all been set. */
int __proviso_are_set(const char *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i;
    for (i = 0; i < count; i++)
        if (!__proviso_is_set(from + i))
            return 0;
    return 1;
}
