/* Types of the system, with the widths of Linux for x86. */
#ifndef PROVISO_SYS_TYPES_H
#define PROVISO_SYS_TYPES_H
#include <bits/gnu.h>
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ u_int8_t;
typedef __UINT16_TYPE__ u_int16_t;
typedef __UINT32_TYPE__ u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef __INT64_TYPE__ quad_t;
typedef __UINT64_TYPE__ u_quad_t;
typedef __PTRDIFF_TYPE__ register_t;
typedef __UINT64_TYPE__ dev_t;
typedef unsigned long ino_t;
typedef unsigned int mode_t;
#ifdef __LP64__
typedef unsigned long nlink_t;
#else
typedef unsigned int nlink_t;
#endif
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef int pid_t;
typedef int key_t;
typedef long off_t;
typedef __INT64_TYPE__ loff_t;
typedef char *caddr_t;
typedef int daddr_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef struct {
    int __val[2];
} fsid_t;
#ifdef _GNU_SOURCE
typedef __INT64_TYPE__ off64_t;
typedef __UINT64_TYPE__ ino64_t;
#endif
#include <sys/select.h>
#include <bits/threads.h>
#endif
