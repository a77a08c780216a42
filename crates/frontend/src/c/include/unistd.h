/* Calls of the system. */
#ifndef PROVISO_UNISTD_H
#define PROVISO_UNISTD_H
#include <bits/more.h>
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef int pid_t;
typedef long off_t;
typedef unsigned int useconds_t;
typedef unsigned int socklen_t;
#define NULL ((void *)0)
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _POSIX_VERSION 200809L
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
int access(const char *path, int mode);
unsigned int alarm(unsigned int seconds);
int brk(void *end);
void *sbrk(intptr_t increment);
int chdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int chroot(const char *path);
int close(int fd);
size_t confstr(int name, char *buffer, size_t size);
char *crypt(const char *key, const char *salt);
int daemon(int keep_directory, int keep_files);
int dup(int fd);
int dup2(int fd, int wanted);
int execl(const char *path, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
void _exit(int status) __attribute__((__noreturn__));
int fchdir(int fd);
int fchown(int fd, uid_t owner, gid_t group);
int fdatasync(int fd);
pid_t fork(void);
pid_t vfork(void);
long fpathconf(int fd, int name);
int fsync(int fd);
int ftruncate(int fd, off_t length);
char *getcwd(char *buffer, size_t size);
char *getwd(char *buffer);
int getdtablesize(void);
gid_t getegid(void);
uid_t geteuid(void);
gid_t getgid(void);
int getgroups(int size, gid_t list[]);
long gethostid(void);
int gethostname(char *name, size_t size);
int sethostname(const char *name, size_t size);
int getdomainname(char *name, size_t size);
char *getlogin(void);
int getlogin_r(char *name, size_t size);
int getopt(int count, char *const arguments[], const char *options);
int getpagesize(void);
char *getpass(const char *prompt);
int getentropy(void *buffer, size_t count);
pid_t getpgid(pid_t process);
pid_t getpgrp(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t getsid(pid_t process);
uid_t getuid(void);
int isatty(int fd);
int lchown(const char *path, uid_t owner, gid_t group);
int link(const char *from, const char *to);
int lockf(int fd, int command, off_t length);
off_t lseek(int fd, off_t offset, int origin);
int nice(int increment);
long pathconf(const char *path, int name);
int pause(void);
int pipe(int fds[2]);
ssize_t pread(int fd, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int fd, const void *buffer, size_t count, off_t offset);
ssize_t read(int fd, void *buffer, size_t count);
ssize_t readlink(const char *__restrict path, char *__restrict buffer, size_t size);
int rmdir(const char *path);
int setegid(gid_t group);
int seteuid(uid_t user);
int setgid(gid_t group);
int setpgid(pid_t process, pid_t group);
int setregid(gid_t real, gid_t effective);
int setreuid(uid_t real, uid_t effective);
pid_t setsid(void);
int setuid(uid_t user);
unsigned int sleep(unsigned int seconds);
int symlink(const char *from, const char *to);
void sync(void);
long syscall(long number, ...);
long sysconf(int name);
pid_t tcgetpgrp(int fd);
int tcsetpgrp(int fd, pid_t group);
int truncate(const char *path, off_t length);
char *ttyname(int fd);
int ttyname_r(int fd, char *buffer, size_t size);
int unlink(const char *path);
int usleep(useconds_t microseconds);
ssize_t write(int fd, const void *buffer, size_t count);
#ifdef __PROVISO_POSIX
int faccessat(int fd, const char *path, int mode, int flags);
int fchownat(int fd, const char *path, uid_t owner, gid_t group, int flags);
int fexecve(int fd, char *const arguments[], char *const environment[]);
int setpgrp(void);
int linkat(int source, const char *from, int target, const char *to, int flags);
int symlinkat(const char *from, int target, const char *to);
ssize_t readlinkat(int fd, const char *__restrict path, char *__restrict buffer, size_t size);
int unlinkat(int fd, const char *path, int flags);
#endif
#ifdef __PROVISO_DEFAULT
void closefrom(int first);
useconds_t ualarm(useconds_t value, useconds_t interval);
int ttyslot(void);
int setlogin(const char *name);
int sethostid(long id);
int setdomainname(const char *name, size_t size);
int vhangup(void);
int revoke(const char *path);
int profil(unsigned short *samples, size_t size, size_t offset, unsigned int scale);
int acct(const char *name);
char *getusershell(void);
void endusershell(void);
void setusershell(void);
#endif
#ifdef _GNU_SOURCE
extern char **environ;
void swab(const void *__restrict from, void *__restrict to, ssize_t count);
pid_t gettid(void);
int pipe2(int fds[2], int flags);
int dup3(int fd, int wanted, int flags);
typedef __INT64_TYPE__ off64_t;
int euidaccess(const char *path, int mode);
int eaccess(const char *path, int mode);
int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags);
off64_t lseek64(int fd, off64_t offset, int origin);
ssize_t pread64(int fd, void *buffer, size_t count, off64_t offset);
ssize_t pwrite64(int fd, const void *buffer, size_t count, off64_t offset);
char *get_current_dir_name(void);
int execvpe(const char *path, char *const arguments[], char *const environment[]);
int group_member(gid_t group);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
pid_t _Fork(void);
int syncfs(int fd);
int truncate64(const char *path, off64_t length);
int ftruncate64(int fd, off64_t length);
ssize_t copy_file_range(int source, off64_t *from, int target, off64_t *to, size_t length,
                        unsigned int flags);
int close_range(unsigned int fd, unsigned int last, int flags);
#endif
#endif
