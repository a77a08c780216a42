/* Addresses of the Internet as text. */
#ifndef PROVISO_ARPA_INET_H
#define PROVISO_ARPA_INET_H
#include <bits/more.h>
#include <netinet/in.h>
in_addr_t inet_addr(const char *text);
int inet_aton(const char *text, struct in_addr *address);
char *inet_ntoa(struct in_addr address);
int inet_pton(int family, const char *__restrict text, void *__restrict address);
const char *inet_ntop(int family, const void *__restrict address, char *__restrict text,
                      socklen_t size);
in_addr_t inet_lnaof(struct in_addr address);
struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host);
in_addr_t inet_netof(struct in_addr address);
in_addr_t inet_network(const char *text);
#ifdef __PROVISO_DEFAULT
char *inet_neta(in_addr_t network, char *buffer, size_t size);
char *inet_net_ntop(int family, const void *address, int bits, char *text, size_t size);
int inet_net_pton(int family, const char *text, void *address, size_t size);
unsigned int inet_nsap_addr(const char *text, unsigned char *buffer, int size);
char *inet_nsap_ntoa(int size, const unsigned char *address, char *buffer);
#endif
#endif
