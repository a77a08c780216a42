/* Models of functions that read from files, which give what is outside of the program.
 *
 * Every byte is an input of its own, and what one call has read says nothing of the next: a file
 * that has ended may go on. Errors in the middle of reading are left out. The functions whose names
 * begin with "__proviso_" give inputs, named after the function that reads. A harness has the same
 * functions, which take the same inputs in the same order. */

int __proviso_byte_fgets(void *file);
int __proviso_byte_getline(void *file);
int __proviso_byte_gets(void);
int __proviso_byte_read(void);
int __proviso_byte_recv(void);
int __proviso_byte_fread(void);
int __proviso_byte_scanf(void);
long __proviso_length_read(long least, __SIZE_TYPE__ most);
long __proviso_length_recv(long least, __SIZE_TYPE__ most);
long __proviso_length_fread(long least, __SIZE_TYPE__ most);
void __proviso_assume(int holds);
void __proviso_no_byte_back(void *file);
void *realloc(void *old, __SIZE_TYPE__ size);

/* Lines. */

char *fgets(char *text, int size, void *file)
{
    int length = 0;
    /* As glibc has it. */
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int byte = __proviso_byte_fgets(file);
        if (byte < 0)
            break;
        text[length] = byte;
        length++;
        if (byte == '\n')
            break;
    }
    if (length == 0 && size > 1)
        return 0;
    text[length] = 0;
    return text;
}

char *gets(char *text)
{
    __SIZE_TYPE__ length = 0;
    for (;;) {
        int byte = __proviso_byte_gets();
        if (byte < 0 && length == 0)
            return 0;
        if (byte < 0 || byte == '\n')
            break;
        text[length] = byte;
        length++;
    }
    text[length] = 0;
    return text;
}

/* Sizes of the buffer are those of glibc, which has one also where nothing is read. */

static long line_of(char **line, __SIZE_TYPE__ *size, int delimiter, void *file)
{
    __SIZE_TYPE__ length = 0;
    if (line == 0 || size == 0)
        return -1;
    if (*line == 0 || *size == 0) {
        char *text = realloc(*line, 120);
        if (text == 0)
            return -1;
        *line = text;
        *size = 120;
    }
    for (;;) {
        int byte = __proviso_byte_getline(file);
        if (byte < 0 && length == 0)
            return -1;
        if (byte < 0)
            break;
        /* There is room for the end, too. */
        if (length + 2 > *size) {
            char *text = realloc(*line, 2 * *size);
            if (text == 0)
                return -1;
            *line = text;
            *size = 2 * *size;
        }
        (*line)[length] = byte;
        length++;
        if (byte == delimiter)
            break;
    }
    (*line)[length] = 0;
    return length;
}

long getline(char **line, __SIZE_TYPE__ *size, void *file)
{
    return line_of(line, size, '\n', file);
}

long getdelim(char **line, __SIZE_TYPE__ *size, int delimiter, void *file)
{
    return line_of(line, size, (unsigned char)delimiter, file);
}

/* Blocks. A byte is at least zero here. */

long read(int file, void *to, __SIZE_TYPE__ count)
{
    unsigned char *bytes = to;
    long length = __proviso_length_read(-1, count);
    for (long at = 0; at < length; at++)
        bytes[at] = __proviso_byte_read();
    return length;
}

long recv(int socket, void *to, __SIZE_TYPE__ count, int flags)
{
    unsigned char *bytes = to;
    long length = __proviso_length_recv(-1, count);
    for (long at = 0; at < length; at++)
        bytes[at] = __proviso_byte_recv();
    return length;
}

__SIZE_TYPE__ fread(void *to, __SIZE_TYPE__ size, __SIZE_TYPE__ count, void *file)
{
    unsigned char *bytes = to;
    if (size == 0 || count == 0)
        return 0;
    __proviso_no_byte_back(file);
    long length = __proviso_length_fread(0, size * count);
    for (long at = 0; at < length; at++)
        bytes[at] = __proviso_byte_fread();
    return (__SIZE_TYPE__)length / size;
}

/* What "%s", "%[" and "%c" of scanf read: at least one byte, all of them in a set of bytes that is
 * given by its bits. */

int __proviso_scan(char *to, __SIZE_TYPE__ most, unsigned long long set0, unsigned long long set1,
                   unsigned long long set2, unsigned long long set3, int ends)
{
    __SIZE_TYPE__ length = 0;
    while (length < most) {
        int byte = __proviso_byte_scanf();
        if (byte < 0) {
            __proviso_assume(length > 0);
            break;
        }
        unsigned long long set = byte < 64 ? set0 : byte < 128 ? set1 : byte < 192 ? set2 : set3;
        __proviso_assume(set >> (byte & 63) & 1);
        to[length] = byte;
        length++;
    }
    if (ends)
        to[length] = 0;
    return 0;
}
