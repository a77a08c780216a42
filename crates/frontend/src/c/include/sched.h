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
#endif
