/* Numbers from text, allocation, sorting, ends of the program. */
#ifndef PROVISO_STDLIB_H
#define PROVISO_STDLIB_H
#include <bits/more.h>
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
#ifdef __PROVISO_POSIX
char *l64a(long number);
long a64l(const char *text);
unsigned short *seed48(unsigned short seed[3]);
void lcong48(unsigned short parameters[7]);
int posix_openpt(int flags);
int grantpt(int fd);
int unlockpt(int fd);
char *ptsname(int fd);
#endif
#ifdef __PROVISO_DEFAULT
struct random_data {
    int32_t *fptr;
    int32_t *rptr;
    int32_t *state;
    int rand_type;
    int rand_deg;
    int rand_sep;
    int32_t *end_ptr;
};
struct drand48_data {
    unsigned short __x[3];
    unsigned short __old_x[3];
    unsigned short __c;
    unsigned short __init;
    unsigned long long __a;
};
long long strtoq(const char *__restrict text, char **__restrict end, int base);
unsigned long long strtouq(const char *__restrict text, char **__restrict end, int base);
int random_r(struct random_data *__restrict buffer, int32_t *__restrict result);
int srandom_r(unsigned int seed, struct random_data *buffer);
int initstate_r(unsigned int seed, char *__restrict state, size_t size,
                struct random_data *__restrict buffer);
int setstate_r(char *__restrict state, struct random_data *__restrict buffer);
int drand48_r(struct drand48_data *__restrict data, double *__restrict result);
int erand48_r(unsigned short state[3], struct drand48_data *__restrict data, double *__restrict result);
int lrand48_r(struct drand48_data *__restrict data, long *__restrict result);
int nrand48_r(unsigned short state[3], struct drand48_data *__restrict data, long *__restrict result);
int mrand48_r(struct drand48_data *__restrict data, long *__restrict result);
int jrand48_r(unsigned short state[3], struct drand48_data *__restrict data, long *__restrict result);
int srand48_r(long seed, struct drand48_data *data);
int seed48_r(unsigned short seed[3], struct drand48_data *data);
int lcong48_r(unsigned short parameters[7], struct drand48_data *data);
unsigned int arc4random(void);
void arc4random_buf(void *buffer, size_t size);
unsigned int arc4random_uniform(unsigned int bound);
int mkstemps(char *pattern, int suffix);
char *ecvt(double value, int digits, int *__restrict point, int *__restrict sign);
char *fcvt(double value, int digits, int *__restrict point, int *__restrict sign);
char *gcvt(double value, int digits, char *buffer);
char *qecvt(long double value, int digits, int *__restrict point, int *__restrict sign);
char *qfcvt(long double value, int digits, int *__restrict point, int *__restrict sign);
char *qgcvt(long double value, int digits, char *buffer);
int ecvt_r(double value, int digits, int *__restrict point, int *__restrict sign, char *__restrict buffer,
           size_t size);
int fcvt_r(double value, int digits, int *__restrict point, int *__restrict sign, char *__restrict buffer,
           size_t size);
int qecvt_r(long double value, int digits, int *__restrict point, int *__restrict sign,
            char *__restrict buffer, size_t size);
int qfcvt_r(long double value, int digits, int *__restrict point, int *__restrict sign,
            char *__restrict buffer, size_t size);
int rpmatch(const char *answer);
#endif
#ifdef _GNU_SOURCE
int strfromd(char *to, size_t size, const char *format, double number);
int strfromf(char *to, size_t size, const char *format, float number);
int strfroml(char *to, size_t size, const char *format, long double number);
long strtol_l(const char *__restrict text, char **__restrict end, int base, locale_t locale);
unsigned long strtoul_l(const char *__restrict text, char **__restrict end, int base, locale_t locale);
long long strtoll_l(const char *__restrict text, char **__restrict end, int base, locale_t locale);
unsigned long long strtoull_l(const char *__restrict text, char **__restrict end, int base,
                              locale_t locale);
double strtod_l(const char *__restrict text, char **__restrict end, locale_t locale);
float strtof_l(const char *__restrict text, char **__restrict end, locale_t locale);
long double strtold_l(const char *__restrict text, char **__restrict end, locale_t locale);
char *secure_getenv(const char *name);
int mkstemp64(char *pattern);
int mkstemps64(char *pattern, int suffix);
int mkostemp(char *pattern, int flags);
int mkostemp64(char *pattern, int flags);
int mkostemps(char *pattern, int suffix, int flags);
int mkostemps64(char *pattern, int suffix, int flags);
char *canonicalize_file_name(const char *name);
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *argument);
int ptsname_r(int fd, char *buffer, size_t size);
int getpt(void);
#endif
#endif
