// copy.c: a function of a larger program, to be checked by itself.
void copy(char *to, const char *from, unsigned n)
{
    if (n > 8)
        n = 8;
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
}
