/* Types that several headers share. Structures have the guards that the headers of Linux and of
   the GNU library have, since a program may include one of those too. */
#ifndef PROVISO_BITS_SHARED_H
#define PROVISO_BITS_SHARED_H
typedef long time_t;
typedef long suseconds_t;
#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif
#ifndef ____sigset_t_defined
#define ____sigset_t_defined
typedef struct {
    unsigned long __val[128 / sizeof(unsigned long)];
} __sigset_t;
#endif
#endif
