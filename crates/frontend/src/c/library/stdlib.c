/* Models of stdlib.h: numbers from text, quotients, sorting and searching. Only numbers from text set errno. */

extern void __proviso_set_errno(int to);

enum { INVALID = 22, OUT_OF_RANGE = 34 };

/* Numbers from text. A base other than 0 and 2 to 36 gives 0 and leaves *end alone. As in the GNU library, errno is set where
 * the base is wrong and where the number is out of range, and nowhere else. */

/* The value of a digit in the greatest base; 36 if it is none. */
static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* The base that the digits at `text` are in, if `base` is 0. */
static int base_of(const char *text, int base)
{
    if (base != 0)
        return base;
    if (text[0] != '0')
        return 10;
    if ((text[1] == 'x' || text[1] == 'X') && digit(text[2]) < 16)
        return 16;
    return 8;
}

long strtol(const char *text, char **end, int base)
{
    const unsigned long greatest = __LONG_MAX__;
    unsigned long limit;
    unsigned long value = 0;
    int negative = 0;
    int overflow = 0;
    __SIZE_TYPE__ i = 0;
    __SIZE_TYPE__ first;
    if (base < 0 || base == 1 || base > 36) {
        __proviso_set_errno(INVALID);
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        negative = text[i] == '-';
        i++;
    }
    base = base_of(text + i, base);
    if (base == 16 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && digit(text[i + 2]) < 16)
        i += 2;
    limit = negative ? greatest + 1 : greatest;
    first = i;
    while (digit(text[i]) < base) {
        unsigned long next = (unsigned long)digit(text[i]);
        if (overflow || value > (limit - next) / (unsigned long)base)
            overflow = 1;
        else
            value = value * (unsigned long)base + next;
        i++;
    }
    if (end != 0)
        *end = (char *)text + (i == first ? 0 : i);
    if (overflow) {
        __proviso_set_errno(OUT_OF_RANGE);
        value = limit;
    }
    if (!negative)
        return (long)value;
    return value == 0 ? 0 : -(long)(value - 1) - 1;
}

long long strtoll(const char *text, char **end, int base)
{
    const unsigned long long greatest = __LONG_LONG_MAX__;
    unsigned long long limit;
    unsigned long long value = 0;
    int negative = 0;
    int overflow = 0;
    __SIZE_TYPE__ i = 0;
    __SIZE_TYPE__ first;
    if (base < 0 || base == 1 || base > 36) {
        __proviso_set_errno(INVALID);
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        negative = text[i] == '-';
        i++;
    }
    base = base_of(text + i, base);
    if (base == 16 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && digit(text[i + 2]) < 16)
        i += 2;
    limit = negative ? greatest + 1 : greatest;
    first = i;
    while (digit(text[i]) < base) {
        unsigned long long next = (unsigned long long)digit(text[i]);
        if (overflow || value > (limit - next) / (unsigned long long)base)
            overflow = 1;
        else
            value = value * (unsigned long long)base + next;
        i++;
    }
    if (end != 0)
        *end = (char *)text + (i == first ? 0 : i);
    if (overflow) {
        __proviso_set_errno(OUT_OF_RANGE);
        value = limit;
    }
    if (!negative)
        return (long long)value;
    return value == 0 ? 0 : -(long long)(value - 1) - 1;
}

unsigned long strtoul(const char *text, char **end, int base)
{
    const unsigned long limit = __LONG_MAX__ * 2UL + 1UL;
    unsigned long value = 0;
    int negative = 0;
    int overflow = 0;
    __SIZE_TYPE__ i = 0;
    __SIZE_TYPE__ first;
    if (base < 0 || base == 1 || base > 36) {
        __proviso_set_errno(INVALID);
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        negative = text[i] == '-';
        i++;
    }
    base = base_of(text + i, base);
    if (base == 16 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && digit(text[i + 2]) < 16)
        i += 2;
    first = i;
    while (digit(text[i]) < base) {
        unsigned long next = (unsigned long)digit(text[i]);
        if (overflow || value > (limit - next) / (unsigned long)base)
            overflow = 1;
        else
            value = value * (unsigned long)base + next;
        i++;
    }
    if (end != 0)
        *end = (char *)text + (i == first ? 0 : i);
    if (overflow) {
        __proviso_set_errno(OUT_OF_RANGE);
        return limit;
    }
    return negative ? 0 - value : value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    const unsigned long long limit = __LONG_LONG_MAX__ * 2ULL + 1ULL;
    unsigned long long value = 0;
    int negative = 0;
    int overflow = 0;
    __SIZE_TYPE__ i = 0;
    __SIZE_TYPE__ first;
    if (base < 0 || base == 1 || base > 36) {
        __proviso_set_errno(INVALID);
        return 0;
    }
    while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
        i++;
    if (text[i] == '-' || text[i] == '+') {
        negative = text[i] == '-';
        i++;
    }
    base = base_of(text + i, base);
    if (base == 16 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && digit(text[i + 2]) < 16)
        i += 2;
    first = i;
    while (digit(text[i]) < base) {
        unsigned long long next = (unsigned long long)digit(text[i]);
        if (overflow || value > (limit - next) / (unsigned long long)base)
            overflow = 1;
        else
            value = value * (unsigned long long)base + next;
        i++;
    }
    if (end != 0)
        *end = (char *)text + (i == first ? 0 : i);
    if (overflow) {
        __proviso_set_errno(OUT_OF_RANGE);
        return limit;
    }
    return negative ? 0 - value : value;
}

__INTMAX_TYPE__ strtoimax(const char *text, char **end, int base)
{
    return (__INTMAX_TYPE__)strtoll(text, end, base);
}

__UINTMAX_TYPE__ strtoumax(const char *text, char **end, int base)
{
    return (__UINTMAX_TYPE__)strtoull(text, end, base);
}

long long strtoq(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtouq(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

int atoi(const char *text)
{
    return (int)strtol(text, 0, 10);
}

long atol(const char *text)
{
    return strtol(text, 0, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}

/* Absolute values and quotients. */

int abs(int number)
{
    return number < 0 ? -number : number;
}

long labs(long number)
{
    return number < 0 ? -number : number;
}

long long llabs(long long number)
{
    return number < 0 ? -number : number;
}

__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ number)
{
    return number < 0 ? -number : number;
}

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

typedef struct {
    __INTMAX_TYPE__ quot;
    __INTMAX_TYPE__ rem;
} imaxdiv_t;

div_t div(int number, int divisor)
{
    div_t result;
    result.quot = number / divisor;
    result.rem = number % divisor;
    return result;
}

ldiv_t ldiv(long number, long divisor)
{
    ldiv_t result;
    result.quot = number / divisor;
    result.rem = number % divisor;
    return result;
}

lldiv_t lldiv(long long number, long long divisor)
{
    lldiv_t result;
    result.quot = number / divisor;
    result.rem = number % divisor;
    return result;
}

imaxdiv_t imaxdiv(__INTMAX_TYPE__ number, __INTMAX_TYPE__ divisor)
{
    imaxdiv_t result;
    result.quot = number / divisor;
    result.rem = number % divisor;
    return result;
}

/* Times are seconds; their difference is rounded once. */
double difftime(long later, long earlier)
{
    if (later < earlier)
        return -(double)((unsigned long)earlier - (unsigned long)later);
    return (unsigned long)later - (unsigned long)earlier;
}

/* Sorting and searching. */

void __proviso_exchange(char *left, char *right);

/* Insertion sort, by exchanges of neighbours byte by byte. Elements that compare equal keep their
 * order, which the language leaves open. */
void qsort(void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size,
           int (*compare)(const void *, const void *))
{
    char *bytes = base;
    __SIZE_TYPE__ i;
    for (i = 1; i < count; i++) {
        __SIZE_TYPE__ j = i;
        while (j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0) {
            char *left = bytes + (j - 1) * size;
            char *right = bytes + j * size;
            __SIZE_TYPE__ k;
            for (k = 0; k < size; k++)
                __proviso_exchange(left + k, right + k);
            j--;
        }
    }
}

/* Of several elements that match, which one is found is left open. */
void *bsearch(const void *key, const void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size,
              int (*compare)(const void *, const void *))
{
    const char *bytes = base;
    __SIZE_TYPE__ low = 0;
    __SIZE_TYPE__ high = count;
    while (low < high) {
        __SIZE_TYPE__ middle = low + (high - low) / 2;
        int order = compare(key, bytes + middle * size);
        if (order == 0)
            return (char *)bytes + middle * size;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
