/* Input and output. */
#ifndef PROVISO_STDIO_H
#define PROVISO_STDIO_H
#include <bits/more.h>
#include <bits/gnu.h>
#include <stdarg.h>
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#define NULL ((void *)0)
struct _IO_FILE;
typedef struct _IO_FILE FILE;
typedef struct {
    long __position;
    int __state[2];
} fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define L_ctermid 9
#define TMP_MAX 238328
#define P_tmpdir "/tmp"
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int remove(const char *path);
int rename(const char *from, const char *to);
FILE *tmpfile(void);
char *tmpnam(char *buffer);
char *tempnam(const char *directory, const char *prefix);
int fclose(FILE *file);
int fflush(FILE *file);
FILE *fopen(const char *__restrict path, const char *__restrict mode);
FILE *freopen(const char *__restrict path, const char *__restrict mode, FILE *__restrict file);
FILE *fdopen(int fd, const char *mode);
FILE *fmemopen(void *buffer, size_t size, const char *mode);
FILE *open_memstream(char **buffer, size_t *size);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fileno(FILE *file);
void setbuf(FILE *__restrict file, char *__restrict buffer);
void setbuffer(FILE *__restrict file, char *__restrict buffer, size_t size);
void setlinebuf(FILE *file);
int setvbuf(FILE *__restrict file, char *__restrict buffer, int mode, size_t size);
int fprintf(FILE *__restrict file, const char *__restrict format, ...);
int fscanf(FILE *__restrict file, const char *__restrict format, ...);
int printf(const char *__restrict format, ...);
int scanf(const char *__restrict format, ...);
int dprintf(int fd, const char *__restrict format, ...);
int sprintf(char *__restrict buffer, const char *__restrict format, ...);
int snprintf(char *__restrict buffer, size_t size, const char *__restrict format, ...);
int sscanf(const char *__restrict text, const char *__restrict format, ...);
int vfprintf(FILE *__restrict file, const char *__restrict format, va_list arguments);
int vfscanf(FILE *__restrict file, const char *__restrict format, va_list arguments);
int vprintf(const char *__restrict format, va_list arguments);
int vscanf(const char *__restrict format, va_list arguments);
int vdprintf(int fd, const char *__restrict format, va_list arguments);
int vsprintf(char *__restrict buffer, const char *__restrict format, va_list arguments);
int vsnprintf(char *__restrict buffer, size_t size, const char *__restrict format, va_list arguments);
int vsscanf(const char *__restrict text, const char *__restrict format, va_list arguments);
int fgetc(FILE *file);
char *fgets(char *__restrict buffer, int size, FILE *__restrict file);
int fputc(int c, FILE *file);
int fputs(const char *__restrict text, FILE *__restrict file);
int getc(FILE *file);
int getchar(void);
char *gets(char *buffer);
int putc(int c, FILE *file);
int putchar(int c);
int puts(const char *text);
int ungetc(int c, FILE *file);
int getw(FILE *file);
int putw(int word, FILE *file);
int getc_unlocked(FILE *file);
int getchar_unlocked(void);
int putc_unlocked(int c, FILE *file);
int putchar_unlocked(int c);
int fgetc_unlocked(FILE *file);
int fputc_unlocked(int c, FILE *file);
ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict file);
ssize_t getdelim(char **__restrict line, size_t *__restrict size, int delimiter, FILE *__restrict file);
size_t fread(void *__restrict to, size_t size, size_t count, FILE *__restrict file);
size_t fwrite(const void *__restrict from, size_t size, size_t count, FILE *__restrict file);
int fgetpos(FILE *__restrict file, fpos_t *__restrict position);
int fsetpos(FILE *file, const fpos_t *position);
int fseek(FILE *file, long offset, int origin);
int fseeko(FILE *file, off_t offset, int origin);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
void clearerr(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void perror(const char *text);
void flockfile(FILE *file);
int ftrylockfile(FILE *file);
void funlockfile(FILE *file);
char *ctermid(char *buffer);
#ifdef __PROVISO_POSIX
int renameat(int source, const char *from, int target, const char *to);
#endif
#ifdef __PROVISO_DEFAULT
char *tmpnam_r(char buffer[20]);
int fflush_unlocked(FILE *file);
size_t fread_unlocked(void *__restrict block, size_t size, size_t count, FILE *__restrict file);
size_t fwrite_unlocked(const void *__restrict block, size_t size, size_t count, FILE *__restrict file);
void clearerr_unlocked(FILE *file);
int feof_unlocked(FILE *file);
int ferror_unlocked(FILE *file);
int fileno_unlocked(FILE *file);
#endif
#ifdef _GNU_SOURCE
int asprintf(char **__restrict text, const char *__restrict format, ...);
int vasprintf(char **__restrict text, const char *__restrict format, va_list arguments);
typedef struct {
    __off64_t __position;
    int __state[2];
} fpos64_t;
typedef struct {
    __ssize_t (*read)(void *cookie, char *buffer, size_t size);
    __ssize_t (*write)(void *cookie, const char *buffer, size_t size);
    int (*seek)(void *cookie, __off64_t *position, int origin);
    int (*close)(void *cookie);
} cookie_io_functions_t;
int renameat2(int source, const char *from, int target, const char *to, unsigned int flags);
FILE *tmpfile64(void);
int fcloseall(void);
FILE *fopen64(const char *__restrict path, const char *__restrict mode);
FILE *freopen64(const char *__restrict path, const char *__restrict mode, FILE *__restrict file);
FILE *fopencookie(void *__restrict cookie, const char *__restrict mode, cookie_io_functions_t functions);
char *fgets_unlocked(char *__restrict buffer, int size, FILE *__restrict file);
int fputs_unlocked(const char *__restrict text, FILE *__restrict file);
int fseeko64(FILE *file, __off64_t offset, int origin);
__off64_t ftello64(FILE *file);
int fgetpos64(FILE *__restrict file, fpos64_t *__restrict position);
int fsetpos64(FILE *file, const fpos64_t *position);
char *cuserid(char *buffer);
#endif
#endif
