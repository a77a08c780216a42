/* The types of pthread.h: opaque blocks of the sizes that they have on Linux for x86. */
#ifndef PROVISO_BITS_THREADS_H
#define PROVISO_BITS_THREADS_H
#ifdef __LP64__
#define __PTHREAD_SIZE(lp64, ilp32) lp64
#else
#define __PTHREAD_SIZE(lp64, ilp32) ilp32
#endif
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;
typedef union {
    char __size[4];
    int __align;
} pthread_mutexattr_t;
typedef union {
    char __size[4];
    int __align;
} pthread_condattr_t;
typedef union {
    char __size[8];
    long __align;
} pthread_rwlockattr_t;
typedef union {
    char __size[4];
    int __align;
} pthread_barrierattr_t;
typedef union pthread_attr_t {
    char __size[__PTHREAD_SIZE(56, 36)];
    long __align;
} pthread_attr_t;
typedef union {
    char __size[__PTHREAD_SIZE(40, 24)];
    long __align;
} pthread_mutex_t;
typedef union {
    char __size[48];
    long long __align;
} pthread_cond_t;
typedef union {
    char __size[__PTHREAD_SIZE(56, 32)];
    long __align;
} pthread_rwlock_t;
typedef union {
    char __size[__PTHREAD_SIZE(32, 20)];
    long __align;
} pthread_barrier_t;
#endif
