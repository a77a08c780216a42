/* Signals, with the numbers of Linux for x86. */
#ifndef PROVISO_SIGNAL_H
#define PROVISO_SIGNAL_H
#include <bits/more.h>
#include <bits/shared.h>
#include <bits/threads.h>
#ifdef _GNU_SOURCE
#include <unistd.h>
#endif
typedef __SIZE_TYPE__ size_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef __sigset_t sigset_t;
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int number);
typedef __sighandler_t sighandler_t;
typedef __sighandler_t sig_t;
#define SIG_ERR ((__sighandler_t)-1)
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SI_USER 0
#ifndef ____sigval_t_defined
#define ____sigval_t_defined
union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef union sigval __sigval_t;
#endif
typedef union sigval sigval_t;
#ifndef __sigevent_t_defined
#define __sigevent_t_defined 1
typedef struct sigevent {
    __sigval_t sigev_value;
    int sigev_signo;
    int sigev_notify;
    union {
        int __pad[(64 - 2 * sizeof(int) - sizeof(__sigval_t)) / sizeof(int)];
        pid_t __target;
        struct {
            void (*__function)(__sigval_t value);
            pthread_attr_t *__attributes;
        } __start;
    } __how;
} sigevent_t;
#endif
#define sigev_notify_function __how.__start.__function
#define sigev_notify_attributes __how.__start.__attributes
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4
typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
#ifdef __LP64__
    int __pad0;
#endif
    union {
        int __pad[(128 - 4 * sizeof(int)) / sizeof(int) + (sizeof(long) == 4)];
        struct {
            pid_t si_pid;
            uid_t si_uid;
            union {
                int si_status;
                sigval_t si_value;
            } __what;
        } __process;
        struct {
            void *si_addr;
        } __fault;
    } __fields;
} siginfo_t;
#define si_pid __fields.__process.si_pid
#define si_uid __fields.__process.si_uid
#define si_status __fields.__process.__what.si_status
#define si_value __fields.__process.__what.si_value
#define si_int __fields.__process.__what.si_value.sival_int
#define si_ptr __fields.__process.__what.si_value.sival_ptr
#define si_addr __fields.__fault.si_addr
struct sigaction {
    union {
        __sighandler_t sa_handler;
        void (*sa_sigaction)(int number, siginfo_t *information, void *context);
    } __sigaction_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction
typedef struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;
__sighandler_t signal(int number, __sighandler_t handler);
int raise(int number);
int kill(pid_t process, int number);
int killpg(pid_t group, int number);
int sigaction(int number, const struct sigaction *__restrict action,
              struct sigaction *__restrict old);
int sigaltstack(const stack_t *__restrict stack, stack_t *__restrict old);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigpending(sigset_t *set);
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int sigsuspend(const sigset_t *set);
int sigwait(const sigset_t *__restrict set, int *__restrict number);
int siginterrupt(int number, int flag);
int sigqueue(pid_t process, int number, const union sigval value);
int pthread_sigmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int pthread_kill(pthread_t thread, int number);
void psignal(int number, const char *text);
#ifdef __PROVISO_POSIX
void psiginfo(const siginfo_t *information, const char *text);
int sigpause(int number);
int sigwaitinfo(const sigset_t *__restrict set, siginfo_t *__restrict information);
int sigtimedwait(const sigset_t *__restrict set, siginfo_t *__restrict information,
                 const struct timespec *__restrict timeout);
int sighold(int number);
int sigrelse(int number);
int sigignore(int number);
__sighandler_t sigset(int number, __sighandler_t handler);
#endif
#ifdef __PROVISO_DEFAULT
struct sigstack {
    void *ss_sp;
    int ss_onstack;
};
__sighandler_t ssignal(int number, __sighandler_t handler);
int gsignal(int number);
int sigblock(int mask);
int sigsetmask(int mask);
int siggetmask(void);
int sigstack(struct sigstack *stack, struct sigstack *old);
#endif
#ifdef _GNU_SOURCE
__sighandler_t sysv_signal(int number, __sighandler_t handler);
int sigisemptyset(const sigset_t *set);
int sigandset(sigset_t *set, const sigset_t *left, const sigset_t *right);
int sigorset(sigset_t *set, const sigset_t *left, const sigset_t *right);
int pthread_sigqueue(pthread_t thread, int number, const union sigval value);
int tgkill(pid_t group, pid_t thread, int number);
#endif
#endif
