/* Waiting for child processes. */
#ifndef PROVISO_SYS_WAIT_H
#define PROVISO_SYS_WAIT_H
#include <bits/more.h>
#include <signal.h>
typedef unsigned int id_t;
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status) & 0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 0x80)
typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
int waitid(idtype_t kind, id_t id, siginfo_t *information, int options);
#ifdef __PROVISO_DEFAULT
struct rusage;
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t process, int *status, int options, struct rusage *usage);
#endif
#endif
