/* Numbers from text, allocation, sorting, ends of the program. */
#ifndef PROVISO_STDLIB_H
#define PROVISO_STDLIB_H
#include <alloca.h>
#include <sys/types.h>
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
size_t __ctype_get_mb_cur_max(void);
#define MB_CUR_MAX (__ctype_get_mb_cur_max())
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
double atof(const char *text);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double strtod(const char *__restrict text, char **__restrict end);
float strtof(const char *__restrict text, char **__restrict end);
long double strtold(const char *__restrict text, char **__restrict end);
long strtol(const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict text, char **__restrict end, int base);
long long strtoll(const char *__restrict text, char **__restrict end, int base);
unsigned long long strtoull(const char *__restrict text, char **__restrict end, int base);
int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
char *initstate(unsigned int seed, char *state, size_t size);
char *setstate(char *state);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void *valloc(size_t size);
void free(void *block);
void abort(void) __attribute__((__noreturn__));
void exit(int status) __attribute__((__noreturn__));
void _Exit(int status) __attribute__((__noreturn__));
void quick_exit(int status) __attribute__((__noreturn__));
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
int on_exit(void (*function)(int status, void *argument), void *argument);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int putenv(char *text);
int clearenv(void);
int system(const char *command);
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
int abs(int number);
long labs(long number);
long long llabs(long long number);
div_t div(int number, int divisor);
ldiv_t ldiv(long number, long divisor);
lldiv_t lldiv(long long number, long long divisor);
int mblen(const char *text, size_t count);
int mbtowc(wchar_t *__restrict to, const char *__restrict from, size_t count);
int wctomb(char *to, wchar_t c);
size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t count);
size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t count);
char *mktemp(char *pattern);
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);
char *realpath(const char *__restrict path, char *__restrict resolved);
int getloadavg(double averages[], int count);
int getsubopt(char **__restrict option, char *const *__restrict tokens, char **__restrict value);
#endif
