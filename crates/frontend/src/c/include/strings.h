/* Strings, as older programs have them. */
#ifndef PROVISO_STRINGS_H
#define PROVISO_STRINGS_H
#include <bits/more.h>
typedef __SIZE_TYPE__ size_t;
int bcmp(const void *left, const void *right, size_t count);
void bcopy(const void *from, void *to, size_t count);
void bzero(void *block, size_t count);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int ffs(int number);
int ffsl(long number);
int ffsll(long long number);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t count);
#ifdef __PROVISO_POSIX
int strcasecmp_l(const char *left, const char *right, locale_t locale);
int strncasecmp_l(const char *left, const char *right, size_t count, locale_t locale);
#endif
#endif
