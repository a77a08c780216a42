/* Models of functions on the bits of integers: the lowest set bit (strings.h), and the order of
 * bytes in the network (arpa/inet.h), which is the reverse of the order in both data models. */

int ffs(int number)
{
    unsigned int rest = (unsigned int)number;
    int place = 1;
    if (rest == 0)
        return 0;
    while ((rest & 1) == 0) {
        rest >>= 1;
        place++;
    }
    return place;
}

int ffsl(long number)
{
    unsigned long rest = (unsigned long)number;
    int place = 1;
    if (rest == 0)
        return 0;
    while ((rest & 1) == 0) {
        rest >>= 1;
        place++;
    }
    return place;
}

int ffsll(long long number)
{
    unsigned long long rest = (unsigned long long)number;
    int place = 1;
    if (rest == 0)
        return 0;
    while ((rest & 1) == 0) {
        rest >>= 1;
        place++;
    }
    return place;
}

unsigned short htons(unsigned short number)
{
    return (unsigned short)((number >> 8) | (number << 8));
}

unsigned short ntohs(unsigned short number)
{
    return (unsigned short)((number >> 8) | (number << 8));
}

unsigned int htonl(unsigned int number)
{
    return (number >> 24) | ((number >> 8) & 0xff00u) | ((number << 8) & 0xff0000u) | (number << 24);
}

unsigned int ntohl(unsigned int number)
{
    return (number >> 24) | ((number >> 8) & 0xff00u) | ((number << 8) & 0xff0000u) | (number << 24);
}
