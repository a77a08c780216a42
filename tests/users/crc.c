// CRC-8 by bits and by table give the same.
// right: TRUE
// BUG: FALSE (unreach-call)  the table is made with another polynomial
#include <assert.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define POLYNOMIAL 0x07u

static uint8_t shifted(uint8_t crc, unsigned polynomial)
{
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 0x80 ? (uint8_t)(crc << 1 ^ polynomial) : (uint8_t)(crc << 1);
    return crc;
}

static uint8_t table[256];

static void make_table(void)
{
    for (int i = 0; i < 256; i++)
#ifdef BUG
        table[i] = shifted((uint8_t)i, 0x9bu);
#else
        table[i] = shifted((uint8_t)i, POLYNOMIAL);
#endif
}

int main(void)
{
    uint8_t slow = 0, fast = 0;
    make_table();
    for (int i = 0; i < 2; i++) {
        uint8_t byte = __VERIFIER_nondet_uchar();
        slow = shifted(slow ^ byte, POLYNOMIAL);
        fast = table[fast ^ byte];
    }
    assert(slow == fast);
    return 0;
}
