/* Models of ctype.h: classes of characters in the "C" locale.
 *
 * The argument is a value of unsigned char or EOF. A class that holds is 1, which a run lists where more than a condition
 * depends on it. */

extern void __proviso_character(int c);

int isdigit(int c)
{
    __proviso_character(c);
    return c >= '0' && c <= '9';
}

int isupper(int c)
{
    __proviso_character(c);
    return c >= 'A' && c <= 'Z';
}

int islower(int c)
{
    __proviso_character(c);
    return c >= 'a' && c <= 'z';
}

int isalpha(int c)
{
    __proviso_character(c);
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isalnum(int c)
{
    __proviso_character(c);
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isxdigit(int c)
{
    __proviso_character(c);
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int isspace(int c)
{
    __proviso_character(c);
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c)
{
    __proviso_character(c);
    return c == ' ' || c == '\t';
}

int iscntrl(int c)
{
    __proviso_character(c);
    return (c >= 0 && c < ' ') || c == 127;
}

int isprint(int c)
{
    __proviso_character(c);
    return c >= ' ' && c < 127;
}

int isgraph(int c)
{
    __proviso_character(c);
    return c > ' ' && c < 127;
}

int ispunct(int c)
{
    __proviso_character(c);
    return (c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127);
}

int isascii(int c)
{
    return c >= 0 && c < 128;
}

int toascii(int c)
{
    return c & 127;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
