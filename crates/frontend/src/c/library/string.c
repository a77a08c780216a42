/* Models of string.h and strings.h: byte loops, in the "C" locale.
 *
 * memcpy, memmove and memset are built in and may be called here. Comparisons give the difference
 * of the first bytes that differ; programs may rely on its sign only. */

void *memcpy(void *to, const void *from, __SIZE_TYPE__ count);
void *memmove(void *to, const void *from, __SIZE_TYPE__ count);
void *memset(void *block, int c, __SIZE_TYPE__ count);
void *malloc(__SIZE_TYPE__ size);

static int lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Lengths. */

__SIZE_TYPE__ strlen(const char *text)
{
    __SIZE_TYPE__ i = 0;
    while (text[i] != 0)
        i++;
    return i;
}

__SIZE_TYPE__ strnlen(const char *text, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i = 0;
    while (i < count && text[i] != 0)
        i++;
    return i;
}

/* Copies. */

char *strcpy(char *to, const char *from)
{
    __SIZE_TYPE__ i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    __SIZE_TYPE__ i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to + i;
}

char *strncpy(char *to, const char *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i = 0;
    while (i < count && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < count) {
        to[i] = 0;
        i++;
    }
    return to;
}

char *stpncpy(char *to, const char *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i = 0;
    __SIZE_TYPE__ end;
    while (i < count && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    end = i;
    while (i < count) {
        to[i] = 0;
        i++;
    }
    return to + end;
}

char *strcat(char *to, const char *from)
{
    __SIZE_TYPE__ end = 0;
    __SIZE_TYPE__ i = 0;
    while (to[end] != 0)
        end++;
    while (from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

char *strncat(char *to, const char *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ end = 0;
    __SIZE_TYPE__ i = 0;
    while (to[end] != 0)
        end++;
    while (i < count && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

void *mempcpy(void *to, const void *from, __SIZE_TYPE__ count)
{
    memcpy(to, from, count);
    return (char *)to + count;
}

void *memccpy(void *to, const void *from, int c, __SIZE_TYPE__ count)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    __SIZE_TYPE__ i = 0;
    while (i < count) {
        target[i] = source[i];
        i++;
        if (source[i - 1] == (unsigned char)c)
            return target + i;
    }
    return 0;
}

void bcopy(const void *from, void *to, __SIZE_TYPE__ count)
{
    memmove(to, from, count);
}

void bzero(void *block, __SIZE_TYPE__ count)
{
    memset(block, 0, count);
}

void explicit_bzero(void *block, __SIZE_TYPE__ count)
{
    memset(block, 0, count);
}

char *strdup(const char *text)
{
    __SIZE_TYPE__ length = strlen(text);
    char *copy = malloc(length + 1);
    if (copy != 0)
        memcpy(copy, text, length + 1);
    return copy;
}

char *strndup(const char *text, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ length = strnlen(text, count);
    char *copy = malloc(length + 1);
    if (copy != 0) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

/* An odd last byte is not copied. */
void swab(const void *from, void *to, __PTRDIFF_TYPE__ count)
{
    const char *source = from;
    char *target = to;
    __PTRDIFF_TYPE__ i = 0;
    while (i + 1 < count) {
        char first = source[i];
        target[i] = source[i + 1];
        target[i + 1] = first;
        i += 2;
    }
}

/* Comparisons. */

int memcmp(const void *left, const void *right, __SIZE_TYPE__ count)
{
    const unsigned char *l = left;
    const unsigned char *r = right;
    __SIZE_TYPE__ i = 0;
    /* All of both is read, though the answer may be known before. */
    if (count) {
        l[count - 1];
        r[count - 1];
    }
    while (i < count) {
        if (l[i] != r[i])
            return l[i] - r[i];
        i++;
    }
    return 0;
}

int bcmp(const void *left, const void *right, __SIZE_TYPE__ count)
{
    const unsigned char *l = left;
    const unsigned char *r = right;
    __SIZE_TYPE__ i = 0;
    while (i < count) {
        if (l[i] != r[i])
            return l[i] - r[i];
        i++;
    }
    return 0;
}

int strcmp(const char *left, const char *right)
{
    __SIZE_TYPE__ i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int strcoll(const char *left, const char *right)
{
    __SIZE_TYPE__ i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int strncmp(const char *left, const char *right, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i = 0;
    while (i < count && left[i] != 0 && left[i] == right[i])
        i++;
    return i < count ? (unsigned char)left[i] - (unsigned char)right[i] : 0;
}

int strcasecmp(const char *left, const char *right)
{
    __SIZE_TYPE__ i = 0;
    while (left[i] != 0 && lower(left[i]) == lower(right[i]))
        i++;
    return lower(left[i]) - lower(right[i]);
}

int strncasecmp(const char *left, const char *right, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ i = 0;
    while (i < count && left[i] != 0 && lower(left[i]) == lower(right[i]))
        i++;
    return i < count ? lower(left[i]) - lower(right[i]) : 0;
}

/* Searches. */

char *strchr(const char *text, int c)
{
    __SIZE_TYPE__ i = 0;
    while (text[i] != (char)c) {
        if (text[i] == 0)
            return 0;
        i++;
    }
    return (char *)text + i;
}

char *index(const char *text, int c)
{
    return strchr(text, c);
}

char *strchrnul(const char *text, int c)
{
    __SIZE_TYPE__ i = 0;
    while (text[i] != (char)c && text[i] != 0)
        i++;
    return (char *)text + i;
}

char *strrchr(const char *text, int c)
{
    char *last = 0;
    __SIZE_TYPE__ i = 0;
    while (text[i] != 0) {
        if (text[i] == (char)c)
            last = (char *)text + i;
        i++;
    }
    if ((char)c == 0)
        last = (char *)text + i;
    return last;
}

char *rindex(const char *text, int c)
{
    return strrchr(text, c);
}

void *memchr(const void *block, int c, __SIZE_TYPE__ count)
{
    const unsigned char *bytes = block;
    __SIZE_TYPE__ i = 0;
    while (i < count) {
        if (bytes[i] == (unsigned char)c)
            return (unsigned char *)bytes + i;
        i++;
    }
    return 0;
}

void *memrchr(const void *block, int c, __SIZE_TYPE__ count)
{
    const unsigned char *bytes = block;
    __SIZE_TYPE__ i = count;
    while (i > 0) {
        i--;
        if (bytes[i] == (unsigned char)c)
            return (unsigned char *)bytes + i;
    }
    return 0;
}

void *rawmemchr(const void *block, int c)
{
    const unsigned char *bytes = block;
    __SIZE_TYPE__ i = 0;
    while (bytes[i] != (unsigned char)c)
        i++;
    return (unsigned char *)bytes + i;
}

char *strstr(const char *text, const char *word)
{
    __SIZE_TYPE__ start = 0;
    for (;;) {
        __SIZE_TYPE__ i = 0;
        while (word[i] != 0 && text[start + i] == word[i])
            i++;
        if (word[i] == 0)
            return (char *)text + start;
        if (text[start] == 0)
            return 0;
        start++;
    }
}

char *strcasestr(const char *text, const char *word)
{
    __SIZE_TYPE__ start = 0;
    for (;;) {
        __SIZE_TYPE__ i = 0;
        while (word[i] != 0 && lower(text[start + i]) == lower(word[i]))
            i++;
        if (word[i] == 0)
            return (char *)text + start;
        if (text[start] == 0)
            return 0;
        start++;
    }
}

void *memmem(const void *block, __SIZE_TYPE__ count, const void *word, __SIZE_TYPE__ length)
{
    const unsigned char *bytes = block;
    const unsigned char *wanted = word;
    __SIZE_TYPE__ start = 0;
    while (start <= count && count - start >= length) {
        __SIZE_TYPE__ i = 0;
        while (i < length && bytes[start + i] == wanted[i])
            i++;
        if (i == length)
            return (unsigned char *)bytes + start;
        start++;
    }
    return 0;
}

__SIZE_TYPE__ strspn(const char *text, const char *accept)
{
    __SIZE_TYPE__ i = 0;
    while (text[i] != 0) {
        __SIZE_TYPE__ j = 0;
        while (accept[j] != 0 && accept[j] != text[i])
            j++;
        if (accept[j] == 0)
            return i;
        i++;
    }
    return i;
}

__SIZE_TYPE__ strcspn(const char *text, const char *reject)
{
    __SIZE_TYPE__ i = 0;
    while (text[i] != 0) {
        __SIZE_TYPE__ j = 0;
        while (reject[j] != 0 && reject[j] != text[i])
            j++;
        if (reject[j] != 0)
            return i;
        i++;
    }
    return i;
}

char *strpbrk(const char *text, const char *accept)
{
    __SIZE_TYPE__ i = strcspn(text, accept);
    return text[i] != 0 ? (char *)text + i : 0;
}

/* Tokens. */

char *strtok_r(char *text, const char *separators, char **rest)
{
    char *end;
    if (text == 0)
        text = *rest;
    text += strspn(text, separators);
    if (*text == 0) {
        *rest = text;
        return 0;
    }
    end = text + strcspn(text, separators);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *rest = end;
    return text;
}

/* Where the next call of strtok goes on. */
static char *strtok_rest;

char *strtok(char *text, const char *separators)
{
    return strtok_r(text, separators, &strtok_rest);
}

char *strsep(char **text, const char *separators)
{
    char *start = *text;
    char *end;
    if (start == 0)
        return 0;
    end = start + strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = 0;
    }
    return start;
}

/* Names that preprocessed programs have from their headers. */

char *__strdup(const char *text)
{
    return strdup(text);
}

char *__strndup(const char *text, __SIZE_TYPE__ count)
{
    return strndup(text, count);
}

char *__stpcpy(char *to, const char *from)
{
    return stpcpy(to, from);
}

void *__mempcpy(void *to, const void *from, __SIZE_TYPE__ count)
{
    return mempcpy(to, from, count);
}

void *__rawmemchr(const void *block, int c)
{
    return rawmemchr(block, c);
}

char *__strtok_r(char *text, const char *separators, char **rest)
{
    return strtok_r(text, separators, rest);
}

char *__stpncpy(char *to, const char *from, __SIZE_TYPE__ count)
{
    return stpncpy(to, from, count);
}

void __bzero(void *block, __SIZE_TYPE__ count)
{
    bzero(block, count);
}
