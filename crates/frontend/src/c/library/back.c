/* Model of ungetc: one byte that the next function reads from the same file. A second byte, and
 * functions of which it is not said what they do with the byte, are not modelled. */

void __proviso_back_twice(void);
void __proviso_back_unread(void);

static void *file_of_byte;
static int byte_back = -1;

int ungetc(int byte, void *file)
{
    if (byte == -1)
        return -1;
    if (byte_back >= 0)
        __proviso_back_twice();
    file_of_byte = file;
    byte_back = (unsigned char)byte;
    return byte_back;
}

/* The byte that was put back to a file, which then is gone; -1 if there is none. */
int __proviso_take_back(void *file)
{
    int byte = byte_back;
    if (byte < 0 || file != file_of_byte)
        return -1;
    byte_back = -1;
    return byte;
}

/* Ends the run as one that is not modelled if there is such a byte. */
int __proviso_refuse_back(void *file)
{
    if (byte_back >= 0 && file == file_of_byte)
        __proviso_back_unread();
    return 0;
}
