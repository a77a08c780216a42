/* Opening and controlling files, with the numbers of Linux for x86. */
#ifndef PROVISO_FCNTL_H
#define PROVISO_FCNTL_H
#include <sys/types.h>
#include <sys/stat.h>
#define O_ACCMODE 3
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_ASYNC 020000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define FD_CLOEXEC 1
#define AT_FDCWD (-100)
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
struct flock {
    short l_type;
    short l_whence;
    off_t l_start;
    off_t l_len;
    pid_t l_pid;
};
int creat(const char *path, mode_t mode);
int fcntl(int fd, int command, ...);
int open(const char *path, int flags, ...);
int openat(int directory, const char *path, int flags, ...);
int lockf(int fd, int command, off_t length);
int posix_fadvise(int fd, off_t offset, off_t length, int advice);
int posix_fallocate(int fd, off_t offset, off_t length);
#ifdef _GNU_SOURCE
struct iovec;
struct file_handle {
    unsigned int handle_bytes;
    int handle_type;
    unsigned char f_handle[0];
};
ssize_t readahead(int fd, off64_t offset, size_t count);
int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags);
ssize_t vmsplice(int target, const struct iovec *parts, size_t count, unsigned int flags);
ssize_t splice(int source, off64_t *from, int target, off64_t *to, size_t size, unsigned int flags);
ssize_t tee(int source, int target, size_t size, unsigned int flags);
int fallocate(int fd, int mode, off_t offset, off_t size);
int fallocate64(int fd, int mode, off64_t offset, off64_t size);
int name_to_handle_at(int directory, const char *name, struct file_handle *handle, int *mount, int flags);
int open_by_handle_at(int directory, struct file_handle *handle, int flags);
int fcntl64(int fd, int command, ...);
int open64(const char *path, int flags, ...);
int openat64(int fd, const char *path, int flags, ...);
int creat64(const char *path, mode_t mode);
int posix_fadvise64(int fd, off64_t offset, off64_t size, int advice);
int posix_fallocate64(int fd, off64_t offset, off64_t size);
#endif
#endif
