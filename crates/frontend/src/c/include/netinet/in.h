/* Addresses of the Internet, the main part of them. */
#ifndef PROVISO_NETINET_IN_H
#define PROVISO_NETINET_IN_H
#include <bits/more.h>
#include <stdint.h>
#include <sys/socket.h>
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct in_addr {
    in_addr_t s_addr;
};
struct sockaddr_in {
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    unsigned char sin_zero[8];
};
struct in6_addr {
    union {
        uint8_t __u6_addr8[16];
        uint16_t __u6_addr16[8];
        uint32_t __u6_addr32[4];
    } __in6_u;
};
#define s6_addr __in6_u.__u6_addr8
#define s6_addr16 __in6_u.__u6_addr16
#define s6_addr32 __in6_u.__u6_addr32
struct sockaddr_in6 {
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
extern const struct in6_addr in6addr_any;
extern const struct in6_addr in6addr_loopback;
#define IN6ADDR_ANY_INIT { { { 0 } } }
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define INADDR_ANY ((in_addr_t)0x00000000)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_RAW 255
uint32_t htonl(uint32_t number);
uint16_t htons(uint16_t number);
uint32_t ntohl(uint32_t number);
uint16_t ntohs(uint16_t number);
#ifdef __PROVISO_DEFAULT
int bindresvport(int socket, struct sockaddr_in *address);
int bindresvport6(int socket, struct sockaddr_in6 *address);
#endif
#ifdef _GNU_SOURCE
int inet6_option_space(int count);
int inet6_option_init(void *header, struct cmsghdr **message, int kind);
int inet6_option_append(struct cmsghdr *message, const uint8_t *kind, int multiple, int plus);
uint8_t *inet6_option_alloc(struct cmsghdr *message, int size, int multiple, int plus);
int inet6_option_next(const struct cmsghdr *message, uint8_t **place);
int inet6_option_find(const struct cmsghdr *message, uint8_t **place, int kind);
int inet6_opt_init(void *header, socklen_t length);
int inet6_opt_append(void *header, socklen_t length, int offset, uint8_t kind, socklen_t size,
                     uint8_t align, void **data);
int inet6_opt_finish(void *header, socklen_t length, int offset);
int inet6_opt_set_val(void *data, int offset, void *value, socklen_t size);
int inet6_opt_next(void *header, socklen_t length, int offset, uint8_t *kind, socklen_t *found,
                   void **data);
int inet6_opt_find(void *header, socklen_t length, int offset, uint8_t kind, socklen_t *found, void **data);
int inet6_opt_get_val(void *data, int offset, void *value, socklen_t size);
socklen_t inet6_rth_space(int kind, int segments);
void *inet6_rth_init(void *header, socklen_t length, int kind, int segments);
int inet6_rth_add(void *header, const struct in6_addr *address);
int inet6_rth_reverse(const void *address, void *to);
int inet6_rth_segments(const void *header);
struct in6_addr *inet6_rth_getaddr(const void *header, int index);
int getipv4sourcefilter(int socket, struct in_addr interface, struct in_addr group, uint32_t *mode,
                        uint32_t *count, struct in_addr *sources);
int setipv4sourcefilter(int socket, struct in_addr interface, struct in_addr group, uint32_t mode,
                        uint32_t count, const struct in_addr *sources);
int getsourcefilter(int socket, uint32_t interface, const struct sockaddr *group, socklen_t length,
                    uint32_t *mode, uint32_t *count, struct sockaddr_storage *sources);
int setsourcefilter(int socket, uint32_t interface, const struct sockaddr *group, socklen_t length,
                    uint32_t mode, uint32_t count, const struct sockaddr_storage *sources);
#endif
#endif
