/* Time of day. */
#ifndef PROVISO_SYS_TIME_H
#define PROVISO_SYS_TIME_H
#include <bits/more.h>
#include <bits/gnu.h>
#include <sys/select.h>
struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};
struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
int gettimeofday(struct timeval *__restrict time, void *__restrict zone);
int settimeofday(const struct timeval *time, const struct timezone *zone);
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *__restrict value, struct itimerval *__restrict old);
int utimes(const char *path, const struct timeval times[2]);
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, op) \
    (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec op(b)->tv_usec) : ((a)->tv_sec op(b)->tv_sec))
#define timeradd(a, b, sum)                               \
    do {                                                  \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec;        \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec;     \
        if ((sum)->tv_usec >= 1000000) {                  \
            (sum)->tv_sec++;                              \
            (sum)->tv_usec -= 1000000;                    \
        }                                                 \
    } while (0)
#define timersub(a, b, difference)                            \
    do {                                                      \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec;     \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec;  \
        if ((difference)->tv_usec < 0) {                      \
            (difference)->tv_sec--;                           \
            (difference)->tv_usec += 1000000;                 \
        }                                                     \
    } while (0)
#ifdef __PROVISO_DEFAULT
int adjtime(const struct timeval *delta, struct timeval *old);
int lutimes(const char *path, const struct timeval times[2]);
int futimes(int fd, const struct timeval times[2]);
#endif
#ifdef _GNU_SOURCE
int futimesat(int fd, const char *path, const struct timeval times[2]);
#endif
#endif
