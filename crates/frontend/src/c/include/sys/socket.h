/* Sockets, the main part of them. */
#ifndef PROVISO_SYS_SOCKET_H
#define PROVISO_SYS_SOCKET_H
#include <bits/more.h>
#include <stddef.h>
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
#ifndef __iovec_defined
#define __iovec_defined 1
struct iovec {
    void *iov_base;
    size_t iov_len;
};
#endif
struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_storage {
    sa_family_t ss_family;
    char __padding[128 - sizeof(unsigned short) - sizeof(unsigned long)];
    unsigned long __align;
};
struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    size_t msg_iovlen;
    void *msg_control;
    size_t msg_controllen;
    int msg_flags;
};
struct cmsghdr {
    size_t cmsg_len;
    int cmsg_level;
    int cmsg_type;
    unsigned char __cmsg_data[];
};
#define SCM_RIGHTS 1
#define CMSG_ALIGN(size) (((size) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_LEN(size) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (size))
#define CMSG_SPACE(size) (CMSG_ALIGN(sizeof(struct cmsghdr)) + CMSG_ALIGN(size))
#define CMSG_DATA(part) ((part)->__cmsg_data)
#define CMSG_FIRSTHDR(message)                                 \
    ((message)->msg_controllen >= sizeof(struct cmsghdr)       \
         ? (struct cmsghdr *)(message)->msg_control            \
         : (struct cmsghdr *)0)
struct cmsghdr *__cmsg_nxthdr(struct msghdr *message, struct cmsghdr *part);
#define CMSG_NXTHDR(message, part) __cmsg_nxthdr(message, part)
struct linger {
    int l_onoff;
    int l_linger;
};
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_CLOEXEC 02000000
#define SOCK_NONBLOCK 04000
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_LOCAL
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int sockets[2]);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *__restrict address, socklen_t *__restrict length);
int connect(int socket, const struct sockaddr *address, socklen_t length);
int getsockname(int socket, struct sockaddr *__restrict address, socklen_t *__restrict length);
int getpeername(int socket, struct sockaddr *__restrict address, socklen_t *__restrict length);
int getsockopt(int socket, int level, int name, void *__restrict value, socklen_t *__restrict length);
int setsockopt(int socket, int level, int name, const void *value, socklen_t length);
ssize_t send(int socket, const void *buffer, size_t count, int flags);
ssize_t recv(int socket, void *buffer, size_t count, int flags);
ssize_t sendto(int socket, const void *buffer, size_t count, int flags,
               const struct sockaddr *address, socklen_t length);
ssize_t recvfrom(int socket, void *__restrict buffer, size_t count, int flags,
                 struct sockaddr *__restrict address, socklen_t *__restrict length);
ssize_t sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t recvmsg(int socket, struct msghdr *message, int flags);
int shutdown(int socket, int how);
#ifdef __PROVISO_POSIX
int sockatmark(int fd);
#endif
#ifdef __PROVISO_DEFAULT
int isfdtype(int fd, int kind);
#endif
#ifdef _GNU_SOURCE
struct mmsghdr {
    struct msghdr msg_hdr;
    unsigned int msg_len;
};
int sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags);
int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout);
int accept4(int fd, struct sockaddr *__restrict address, socklen_t *__restrict length, int flags);
#endif
#endif
