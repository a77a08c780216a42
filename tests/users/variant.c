// A value with a tag: an integer, a float or four bytes.
// right: TRUE
// BUG: FALSE (unreach-call)  bytes are summed as if they were signed
#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum tag { NUMBER, BYTES };

struct variant {
    enum tag tag;
    union {
        uint32_t number;
#ifdef BUG
        signed char bytes[4];
#else
        uint8_t bytes[4];
#endif
    };
};

static unsigned sum(const struct variant *v)
{
    unsigned total = 0;
    switch (v->tag) {
    case NUMBER:
        for (uint32_t rest = v->number; rest != 0; rest >>= 8)
            total += rest & 0xff;
        break;
    case BYTES:
        for (int i = 0; i < 4; i++)
            total += v->bytes[i];
        break;
    }
    return total;
}

int main(void)
{
    struct variant v = { .tag = NUMBER, .number = __VERIFIER_nondet_uint() };
    unsigned by_number = sum(&v);
    v.tag = BYTES;
    assert(sum(&v) == by_number);
    return 0;
}
