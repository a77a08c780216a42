/* Waiting for files. */
#ifndef PROVISO_SYS_SELECT_H
#define PROVISO_SYS_SELECT_H
#include <bits/shared.h>
#ifndef __timeval_defined
#define __timeval_defined 1
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
#endif
typedef __sigset_t sigset_t;
#define FD_SETSIZE 1024
#define NFDBITS (8 * (int)sizeof(long))
typedef long fd_mask;
typedef struct {
    long __fds_bits[1024 / (8 * sizeof(long))];
} fd_set;
#define FD_ZERO(set)                                                                      \
    do {                                                                                  \
        unsigned int __i;                                                                 \
        for (__i = 0; __i < sizeof(fd_set) / sizeof(long); __i++)                         \
            (set)->__fds_bits[__i] = 0;                                                   \
    } while (0)
#define FD_SET(fd, set) ((void)((set)->__fds_bits[(fd) / NFDBITS] |= (long)(1UL << ((fd) % NFDBITS))))
#define FD_CLR(fd, set) ((void)((set)->__fds_bits[(fd) / NFDBITS] &= (long)~(1UL << ((fd) % NFDBITS))))
#define FD_ISSET(fd, set) (((set)->__fds_bits[(fd) / NFDBITS] & (long)(1UL << ((fd) % NFDBITS))) != 0)
int select(int count, fd_set *__restrict read, fd_set *__restrict write, fd_set *__restrict except,
           struct timeval *__restrict timeout);
int pselect(int count, fd_set *__restrict read, fd_set *__restrict write, fd_set *__restrict except,
            const struct timespec *__restrict timeout, const sigset_t *__restrict mask);
#endif
