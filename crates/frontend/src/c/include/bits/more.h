/* Which functions the headers declare beyond those of the C standard. As in the GNU library, macros say so that a
   program defines before its first header: none of them, or _DEFAULT_SOURCE, has those of POSIX and older systems. */
#ifndef PROVISO_BITS_MORE_H
#define PROVISO_BITS_MORE_H
#if defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE
#define __PROVISO_DEFAULT 1
#elif !defined __STRICT_ANSI__ && !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE && !defined _XOPEN_SOURCE
#define __PROVISO_DEFAULT 1
#endif
#if defined __PROVISO_DEFAULT || defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE
#define __PROVISO_POSIX 1
struct __locale_struct;
typedef struct __locale_struct *locale_t;
#endif
#endif
