/* What the system knows about a file. */
#ifndef PROVISO_SYS_STAT_H
#define PROVISO_SYS_STAT_H
#include <bits/more.h>
#include <sys/types.h>
struct stat {
    dev_t st_dev;
#ifdef __LP64__
    ino_t st_ino;
    nlink_t st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    int __pad;
    dev_t st_rdev;
#else
    unsigned short __pad1;
    ino_t st_ino;
    mode_t st_mode;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    unsigned short __pad2;
#endif
    off_t st_size;
    blksize_t st_blksize;
    blkcnt_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
#ifdef __LP64__
    long __reserved[3];
#else
    unsigned long __reserved[2];
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
int stat(const char *__restrict path, struct stat *__restrict result);
int lstat(const char *__restrict path, struct stat *__restrict result);
int fstat(int fd, struct stat *result);
int chmod(const char *path, mode_t mode);
int fchmod(int fd, mode_t mode);
mode_t umask(mode_t mask);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
int mknod(const char *path, mode_t mode, dev_t device);
#ifdef __PROVISO_POSIX
int fstatat(int fd, const char *__restrict path, struct stat *__restrict buffer, int flags);
int fchmodat(int fd, const char *path, mode_t mode, int flags);
int mkdirat(int fd, const char *path, mode_t mode);
int mknodat(int fd, const char *path, mode_t mode, dev_t device);
int mkfifoat(int fd, const char *path, mode_t mode);
int utimensat(int fd, const char *path, const struct timespec times[2], int flags);
int futimens(int fd, const struct timespec times[2]);
#endif
#ifdef __PROVISO_DEFAULT
int lchmod(const char *path, mode_t mode);
#endif
#ifdef _GNU_SOURCE
struct stat64 {
    dev_t st_dev;
#ifdef __LP64__
    ino_t st_ino;
    nlink_t st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    int __pad;
    dev_t st_rdev;
    off_t st_size;
#else
    unsigned int __pad1;
    ino_t __st_ino;
    mode_t st_mode;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    unsigned int __pad2;
    off64_t st_size;
#endif
    blksize_t st_blksize;
    __INT64_TYPE__ st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
#ifdef __LP64__
    long __reserved[3];
#else
    ino64_t st_ino;
#endif
};
struct statx;
int stat64(const char *__restrict path, struct stat64 *__restrict buffer);
int fstat64(int fd, struct stat64 *buffer);
int fstatat64(int fd, const char *__restrict path, struct stat64 *__restrict buffer, int flags);
int lstat64(const char *__restrict path, struct stat64 *__restrict buffer);
mode_t getumask(void);
int statx(int directory, const char *__restrict path, int flags, unsigned int mask,
          struct statx *__restrict buffer);
#endif
#endif
