/* Dates and clocks. */
#ifndef PROVISO_TIME_H
#define PROVISO_TIME_H
#include <bits/more.h>
#include <bits/gnu.h>
#include <bits/shared.h>
typedef __SIZE_TYPE__ size_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int pid_t;
#define NULL ((void *)0)
#ifndef __itimerspec_defined
#define __itimerspec_defined 1
struct itimerspec {
    struct timespec it_interval;
    struct timespec it_value;
};
#endif
#ifndef __struct_tm_defined
#define __struct_tm_defined 1
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
#endif
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
extern char *tzname[2];
extern int daylight;
extern long timezone;
clock_t clock(void);
time_t time(time_t *result);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *time);
time_t timegm(struct tm *time);
time_t timelocal(struct tm *time);
int timespec_get(struct timespec *time, int base);
char *asctime(const struct tm *time);
char *asctime_r(const struct tm *__restrict time, char *__restrict buffer);
char *ctime(const time_t *time);
char *ctime_r(const time_t *__restrict time, char *__restrict buffer);
struct tm *gmtime(const time_t *time);
struct tm *gmtime_r(const time_t *__restrict time, struct tm *__restrict result);
struct tm *localtime(const time_t *time);
struct tm *localtime_r(const time_t *__restrict time, struct tm *__restrict result);
size_t strftime(char *__restrict buffer, size_t size, const char *__restrict format,
                const struct tm *__restrict time);
void tzset(void);
int nanosleep(const struct timespec *wanted, struct timespec *left);
int clock_getres(clockid_t clock, struct timespec *result);
int clock_gettime(clockid_t clock, struct timespec *time);
int clock_settime(clockid_t clock, const struct timespec *time);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);
#ifdef __PROVISO_POSIX
struct sigevent;
size_t strftime_l(char *__restrict buffer, size_t size, const char *__restrict format,
                  const struct tm *__restrict time, locale_t locale);
int clock_getcpuclockid(pid_t process, clockid_t *clock);
int timer_create(clockid_t clock, struct sigevent *__restrict event, timer_t *__restrict timer);
int timer_delete(timer_t timer);
int timer_settime(timer_t timer, int flags, const struct itimerspec *__restrict value,
                  struct itimerspec *__restrict old);
int timer_gettime(timer_t timer, struct itimerspec *value);
int timer_getoverrun(timer_t timer);
struct tm *getdate(const char *text);
#endif
#ifdef __PROVISO_DEFAULT
int dysize(int year);
#endif
#ifdef _GNU_SOURCE
char *strptime(const char *__restrict text, const char *__restrict format, struct tm *__restrict time);
struct timex;
int clock_adjtime(clockid_t clock, struct timex *adjustment);
char *strptime_l(const char *__restrict text, const char *__restrict format, struct tm *time,
                 locale_t locale);
int timespec_getres(struct timespec *time, int base);
int getdate_r(const char *__restrict text, struct tm *__restrict time);
#endif
#endif
