/* Wide characters. */
#ifndef PROVISO_WCHAR_H
#define PROVISO_WCHAR_H
#include <bits/more.h>
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
typedef __WINT_TYPE__ wint_t;
#ifndef ____mbstate_t_defined
#define ____mbstate_t_defined 1
typedef struct {
    int __count;
    union {
        unsigned int __wide;
        char __bytes[4];
    } __value;
} __mbstate_t;
#endif
#ifndef __mbstate_t_defined
#define __mbstate_t_defined 1
typedef __mbstate_t mbstate_t;
#endif
struct _IO_FILE;
typedef struct _IO_FILE FILE;
struct tm;
#define WEOF (0xffffffffu)
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
wint_t btowc(int c);
int wctob(wint_t c);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *__restrict text, size_t count, mbstate_t *__restrict state);
size_t mbrtowc(wchar_t *__restrict to, const char *__restrict from, size_t count,
               mbstate_t *__restrict state);
size_t wcrtomb(char *__restrict to, wchar_t c, mbstate_t *__restrict state);
size_t mbsrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t count,
                 mbstate_t *__restrict state);
size_t wcsrtombs(char *__restrict to, const wchar_t **__restrict from, size_t count,
                 mbstate_t *__restrict state);
wchar_t *wcscpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wcscat(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncat(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count);
int wcscasecmp(const wchar_t *left, const wchar_t *right);
int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t count);
int wcscoll(const wchar_t *left, const wchar_t *right);
size_t wcsxfrm(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wcsdup(const wchar_t *text);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
size_t wcsspn(const wchar_t *text, const wchar_t *accept);
size_t wcscspn(const wchar_t *text, const wchar_t *reject);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *word);
wchar_t *wcstok(wchar_t *__restrict text, const wchar_t *__restrict separators,
                wchar_t **__restrict rest);
size_t wcslen(const wchar_t *text);
size_t wcsnlen(const wchar_t *text, size_t count);
wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wmemcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
wchar_t *wmemset(wchar_t *block, wchar_t c, size_t count);
double wcstod(const wchar_t *__restrict text, wchar_t **__restrict end);
float wcstof(const wchar_t *__restrict text, wchar_t **__restrict end);
long double wcstold(const wchar_t *__restrict text, wchar_t **__restrict end);
long wcstol(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
unsigned long wcstoul(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
long long wcstoll(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
unsigned long long wcstoull(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
int fwide(FILE *file, int mode);
int fwprintf(FILE *__restrict file, const wchar_t *__restrict format, ...);
int wprintf(const wchar_t *__restrict format, ...);
int swprintf(wchar_t *__restrict buffer, size_t size, const wchar_t *__restrict format, ...);
int vfwprintf(FILE *__restrict file, const wchar_t *__restrict format, __builtin_va_list arguments);
int vwprintf(const wchar_t *__restrict format, __builtin_va_list arguments);
int vswprintf(wchar_t *__restrict buffer, size_t size, const wchar_t *__restrict format,
              __builtin_va_list arguments);
int fwscanf(FILE *__restrict file, const wchar_t *__restrict format, ...);
int wscanf(const wchar_t *__restrict format, ...);
int swscanf(const wchar_t *__restrict text, const wchar_t *__restrict format, ...);
wint_t fgetwc(FILE *file);
wint_t getwc(FILE *file);
wint_t getwchar(void);
wint_t fputwc(wchar_t c, FILE *file);
wint_t putwc(wchar_t c, FILE *file);
wint_t putwchar(wchar_t c);
wchar_t *fgetws(wchar_t *__restrict buffer, int size, FILE *__restrict file);
int fputws(const wchar_t *__restrict text, FILE *__restrict file);
wint_t ungetwc(wint_t c, FILE *file);
size_t wcsftime(wchar_t *__restrict buffer, size_t size, const wchar_t *__restrict format,
                const struct tm *__restrict time);
int vfwscanf(FILE *__restrict file, const wchar_t *__restrict format, __builtin_va_list arguments);
int vwscanf(const wchar_t *__restrict format, __builtin_va_list arguments);
int vswscanf(const wchar_t *__restrict text, const wchar_t *__restrict format, __builtin_va_list arguments);
#ifdef __PROVISO_POSIX
int wcscasecmp_l(const wchar_t *left, const wchar_t *right, locale_t locale);
int wcsncasecmp_l(const wchar_t *left, const wchar_t *right, size_t count, locale_t locale);
int wcscoll_l(const wchar_t *left, const wchar_t *right, locale_t locale);
size_t wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t count, locale_t locale);
wchar_t *wcswcs(const wchar_t *text, const wchar_t *word);
size_t mbsnrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t count, size_t size,
                  mbstate_t *__restrict state);
size_t wcsnrtombs(char *__restrict to, const wchar_t **__restrict from, size_t count, size_t size,
                  mbstate_t *__restrict state);
wchar_t *wcpcpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcpncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
FILE *open_wmemstream(wchar_t **buffer, size_t *size);
#endif
#ifdef _GNU_SOURCE
int wcwidth(wchar_t c);
int wcswidth(const wchar_t *text, size_t count);
wchar_t *wcschrnul(const wchar_t *text, wchar_t c);
wchar_t *wmempcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
long long wcstoq(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
unsigned long long wcstouq(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
long wcstol_l(const wchar_t *__restrict text, wchar_t **__restrict end, int base, locale_t locale);
unsigned long wcstoul_l(const wchar_t *__restrict text, wchar_t **__restrict end, int base,
                        locale_t locale);
long long wcstoll_l(const wchar_t *__restrict text, wchar_t **__restrict end, int base, locale_t locale);
unsigned long long wcstoull_l(const wchar_t *__restrict text, wchar_t **__restrict end, int base,
                              locale_t locale);
double wcstod_l(const wchar_t *__restrict text, wchar_t **__restrict end, locale_t locale);
float wcstof_l(const wchar_t *__restrict text, wchar_t **__restrict end, locale_t locale);
long double wcstold_l(const wchar_t *__restrict text, wchar_t **__restrict end, locale_t locale);
wint_t getwc_unlocked(FILE *file);
wint_t getwchar_unlocked(void);
wint_t fgetwc_unlocked(FILE *file);
wint_t fputwc_unlocked(wchar_t c, FILE *file);
wint_t putwc_unlocked(wchar_t c, FILE *file);
wint_t putwchar_unlocked(wchar_t c);
wchar_t *fgetws_unlocked(wchar_t *__restrict buffer, int count, FILE *__restrict file);
int fputws_unlocked(const wchar_t *__restrict text, FILE *__restrict file);
size_t wcsftime_l(wchar_t *__restrict buffer, size_t size, const wchar_t *__restrict format,
                  const struct tm *__restrict time, locale_t locale);
#endif
#endif
