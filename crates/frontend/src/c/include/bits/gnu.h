/* Names of the GNU library that other headers of the system expect of those that are here. What comes with
   its headers later defines the macros again. */
#ifndef PROVISO_BITS_GNU_H
#define PROVISO_BITS_GNU_H
#ifndef _SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __nonnull(parameters)
#define __wur
#define __flexarr []
#define __attr_access(access)
#define __fortified_attr_access(access, object, size)
#define __attr_dealloc(function, argument)
#define __attr_dealloc_free
#define __attr_dealloc_fclose
#define __attribute_malloc__
#define __attribute_pure__
#define __attribute_const__
#define __attribute_warn_unused_result__
#endif
typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned int __u_int;
typedef unsigned long __u_long;
typedef __INT8_TYPE__ __int8_t;
typedef __UINT8_TYPE__ __uint8_t;
typedef __INT16_TYPE__ __int16_t;
typedef __UINT16_TYPE__ __uint16_t;
typedef __INT32_TYPE__ __int32_t;
typedef __UINT32_TYPE__ __uint32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef long __off_t;
typedef __INT64_TYPE__ __off64_t;
typedef int __pid_t;
typedef unsigned int __uid_t;
typedef unsigned int __gid_t;
typedef unsigned int __mode_t;
typedef long __time_t;
typedef long __suseconds_t;
typedef int __clockid_t;
typedef __PTRDIFF_TYPE__ __ssize_t;
typedef __INT64_TYPE__ __quad_t;
typedef __UINT64_TYPE__ __u_quad_t;
typedef __INTPTR_TYPE__ __intptr_t;
typedef __UINT64_TYPE__ __dev_t;
typedef unsigned long __ino_t;
typedef __UINT64_TYPE__ __ino64_t;
#ifdef __LP64__
typedef unsigned long __nlink_t;
#else
typedef unsigned int __nlink_t;
#endif
typedef unsigned int __id_t;
typedef int __key_t;
typedef __off64_t __loff_t;
typedef char *__caddr_t;
typedef int __daddr_t;
typedef long __clock_t;
typedef void *__timer_t;
typedef unsigned int __useconds_t;
typedef long __blksize_t;
typedef long __blkcnt_t;
typedef __INT64_TYPE__ __blkcnt64_t;
typedef unsigned long __fsblkcnt_t;
typedef __UINT64_TYPE__ __fsblkcnt64_t;
typedef unsigned long __fsfilcnt_t;
typedef __UINT64_TYPE__ __fsfilcnt64_t;
typedef unsigned long __rlim_t;
typedef __UINT64_TYPE__ __rlim64_t;
typedef unsigned int __socklen_t;
typedef int __sig_atomic_t;
#endif
