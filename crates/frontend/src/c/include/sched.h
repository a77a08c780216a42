/* Scheduling. */
#ifndef PROVISO_SCHED_H
#define PROVISO_SCHED_H
#include <bits/shared.h>
typedef __SIZE_TYPE__ size_t;
typedef int pid_t;
struct sched_param {
    int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_getparam(pid_t process, struct sched_param *parameters);
int sched_setparam(pid_t process, const struct sched_param *parameters);
int sched_getscheduler(pid_t process);
int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters);
int sched_rr_get_interval(pid_t process, struct timespec *interval);
#ifdef _GNU_SOURCE
#ifndef __cpu_set_t_defined
#define __cpu_set_t_defined 1
typedef struct {
    unsigned long __bits[1024 / (8 * sizeof(unsigned long))];
} cpu_set_t;
#endif
#define CPU_SETSIZE 1024
#define __CPU_WORD(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(unsigned long))])
#define __CPU_BIT(cpu) (1UL << ((cpu) % (8 * sizeof(unsigned long))))
#define CPU_ZERO(set) ((void)__builtin_memset(set, 0, sizeof(cpu_set_t)))
#define CPU_SET(cpu, set) ((void)(__CPU_WORD(cpu, set) |= __CPU_BIT(cpu)))
#define CPU_CLR(cpu, set) ((void)(__CPU_WORD(cpu, set) &= ~__CPU_BIT(cpu)))
#define CPU_ISSET(cpu, set) ((__CPU_WORD(cpu, set) & __CPU_BIT(cpu)) != 0)
int clone(int (*start)(void *argument), void *stack, int flags, void *argument, ...);
int unshare(int flags);
int sched_getcpu(void);
int getcpu(unsigned int *processor, unsigned int *node);
int setns(int fd, int kind);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
#endif
#endif
