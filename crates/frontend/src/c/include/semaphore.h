/* Semaphores. */
#ifndef PROVISO_SEMAPHORE_H
#define PROVISO_SEMAPHORE_H
#include <sys/types.h>
typedef union {
#ifdef __LP64__
    char __size[32];
#else
    char __size[16];
#endif
    long __align;
} sem_t;
#define SEM_FAILED ((sem_t *)0)
int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *__restrict semaphore, const struct timespec *__restrict until);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *__restrict semaphore, int *__restrict value);
#ifdef _GNU_SOURCE
int sem_clockwait(sem_t *__restrict semaphore, clockid_t clock, const struct timespec *__restrict until);
#endif
#endif
