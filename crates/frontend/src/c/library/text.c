/* What sscanf does with the text that it reads, one directive of the format after another, as glibc
 * has it in the locale "C". Each function gives how many bytes it takes; -1 if the bytes do not fit,
 * -2 if the text ends before. */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* White space in the format. */
int __proviso_text_space(const char *text)
{
    int at = 0;
    while (is_space(text[at]))
        at++;
    return at;
}

/* Any other byte of the format. */
int __proviso_text_byte(const char *text, int byte)
{
    if (text[0] == 0)
        return -2;
    return (unsigned char)text[0] == byte ? 1 : -1;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* A number of so many bits at most `most` bytes long, which is stored in so many bytes, or dropped if
 * these are none. The base is 0 if the number says it. A number that does not fit is the greatest or
 * the smallest one. */
int __proviso_text_number(const char *text, __SIZE_TYPE__ most, int base, int is_signed, int bits,
                          int bytes, void *to)
{
    unsigned long long greatest = bits == 64 ? ~0ULL : 0xffffffffULL;
    unsigned long long limit;
    unsigned long long value = 0;
    int at = __proviso_text_space(text);
    int negative = 0;
    int overflow = 0;
    int any = 0;
    if (text[at] == 0)
        return -2;
    if (text[at] == '-' || text[at] == '+') {
        negative = text[at] == '-';
        at++;
        most--;
    }
    if (most != 0 && text[at] == '0') {
        any = 1;
        at++;
        most--;
        if (most != 0 && (text[at] == 'x' || text[at] == 'X')) {
            if (base == 0)
                base = 16;
            if (base == 16) {
                at++;
                most--;
            }
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    limit = greatest;
    if (is_signed)
        limit = negative ? greatest / 2 + 1 : greatest / 2;
    while (most != 0 && digit_of(text[at]) < base) {
        unsigned long long next = (unsigned long long)digit_of(text[at]);
        if (overflow || value > (limit - next) / (unsigned long long)base)
            overflow = 1;
        else
            value = value * (unsigned long long)base + next;
        any = 1;
        at++;
        most--;
    }
    if (!any)
        return -1;
    if (overflow)
        value = limit;
    if (negative && !(overflow && !is_signed))
        value = 0 - value;
    if (bytes == 1)
        *(unsigned char *)to = (unsigned char)value;
    if (bytes == 2)
        *(unsigned short *)to = (unsigned short)value;
    if (bytes == 4)
        *(unsigned int *)to = (unsigned int)value;
    if (bytes == 8)
        *(unsigned long long *)to = value;
    return at;
}

/* At most so many bytes of a set that is given by its bits. */
int __proviso_text_bytes(const char *text, __SIZE_TYPE__ most, unsigned long long set0,
                         unsigned long long set1, unsigned long long set2, unsigned long long set3,
                         int skips, int ends, int stores, char *to)
{
    int at = skips ? __proviso_text_space(text) : 0;
    __SIZE_TYPE__ length = 0;
    if (text[at] == 0)
        return -2;
    while (length < most && text[at] != 0) {
        unsigned char byte = (unsigned char)text[at];
        unsigned long long set = byte < 64 ? set0 : byte < 128 ? set1 : byte < 192 ? set2 : set3;
        if (!(set >> (byte & 63) & 1))
            break;
        if (stores)
            to[length] = (char)byte;
        length++;
        at++;
    }
    if (length == 0)
        return -1;
    if (stores && ends)
        to[length] = 0;
    return at;
}
