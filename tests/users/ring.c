// A ring buffer for received bytes.
// right: TRUE
// BUG: FALSE (unreach-call)  a full buffer takes one byte more
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define SIZE 4u

struct ring {
    uint8_t data[SIZE];
    unsigned head, count;
};

static bool put(struct ring *ring, uint8_t byte)
{
#ifdef BUG
    if (ring->count > SIZE)
        return false;
#else
    if (ring->count == SIZE)
        return false;
#endif
    ring->data[(ring->head + ring->count) % SIZE] = byte;
    ring->count++;
    return true;
}

static bool get(struct ring *ring, uint8_t *byte)
{
    if (ring->count == 0)
        return false;
    *byte = ring->data[ring->head];
    ring->head = (ring->head + 1) % SIZE;
    ring->count--;
    return true;
}

int main(void)
{
    struct ring ring = { .head = 0, .count = 0 };
    for (int step = 0; step < 6; step++) {
        uint8_t byte = __VERIFIER_nondet_uchar();
        if (__VERIFIER_nondet_bool())
            put(&ring, byte);
        else
            get(&ring, &byte);
        assert(ring.count <= SIZE);
    }
    return 0;
}
