/* Types that several headers share. */
#ifndef PROVISO_BITS_SHARED_H
#define PROVISO_BITS_SHARED_H
typedef long time_t;
typedef long suseconds_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef struct {
    unsigned long __val[128 / sizeof(unsigned long)];
} __sigset_t;
#endif
