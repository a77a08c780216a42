/* Strings and blocks of bytes. */
#ifndef PROVISO_STRING_H
#define PROVISO_STRING_H
#include <bits/more.h>
#include <bits/gnu.h>
#include <strings.h>
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)
void *memcpy(void *__restrict to, const void *__restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memccpy(void *__restrict to, const void *__restrict from, int c, size_t count);
void *memset(void *block, int c, size_t count);
int memcmp(const void *left, const void *right, size_t count);
void *memchr(const void *block, int c, size_t count);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t count);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t count);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t count);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t count);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t count);
char *strdup(const char *text);
char *strndup(const char *text, size_t count);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
size_t strspn(const char *text, const char *accept);
size_t strcspn(const char *text, const char *reject);
char *strpbrk(const char *text, const char *accept);
char *strstr(const char *text, const char *word);
char *strtok(char *__restrict text, const char *__restrict separators);
char *strtok_r(char *__restrict text, const char *__restrict separators, char **__restrict rest);
char *strsep(char **__restrict text, const char *__restrict separators);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t count);
char *strerror(int number);
char *strsignal(int number);
void explicit_bzero(void *block, size_t count);
#ifdef _GNU_SOURCE
void *mempcpy(void *__restrict to, const void *__restrict from, size_t count);
void *memrchr(const void *block, int c, size_t count);
void *rawmemchr(const void *block, int c);
void *memmem(const void *block, size_t count, const void *word, size_t word_count);
char *strchrnul(const char *text, int c);
char *strcasestr(const char *text, const char *word);
int strverscmp(const char *left, const char *right);
char *basename(const char *path);
char *strerror_r(int number, char *buffer, size_t size);
#define strdupa(text)                                                         \
    (__extension__({                                                          \
        const char *__text = (text);                                          \
        size_t __size = strlen(__text) + 1;                                   \
        (char *)memcpy(__builtin_alloca(__size), __text, __size);             \
    }))
#else
int strerror_r(int number, char *buffer, size_t size);
#endif
#ifdef __PROVISO_POSIX
int strcoll_l(const char *left, const char *right, locale_t locale);
size_t strxfrm_l(char *to, const char *from, size_t count, locale_t locale);
char *strerror_l(int number, locale_t locale);
#endif
#ifdef _GNU_SOURCE
const char *strerrordesc_np(int number);
const char *strerrorname_np(int number);
const char *sigabbrev_np(int number);
const char *sigdescr_np(int number);
char *strfry(char *text);
void *memfrob(void *block, size_t count);
#endif
#endif
