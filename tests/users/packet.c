// A packet with a length byte, whose payload is copied.
// right: TRUE
// BUG: FALSE (valid-deref)  the length of the packet is believed
#include <stdint.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct packet {
    uint8_t kind;
    uint8_t length;
    uint8_t payload[8];
};

static int parse(const uint8_t *bytes, unsigned count, struct packet *packet)
{
    if (count < 2)
        return -1;
    packet->kind = bytes[0];
    packet->length = bytes[1];
    if (packet->length > sizeof packet->payload)
        return -1;
#ifndef BUG
    if (packet->length > count - 2)
        return -1;
#endif
    memcpy(packet->payload, bytes + 2, packet->length);
    return packet->length;
}

int main(void)
{
    uint8_t received[6];
    for (unsigned i = 0; i < sizeof received; i++)
        received[i] = __VERIFIER_nondet_uchar();
    struct packet packet;
    parse(received, sizeof received, &packet);
    return 0;
}
