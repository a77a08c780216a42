// The state machine of a door.
// right: TRUE
// BUG: FALSE (unreach-call)  a locked door can be opened
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { OPEN, CLOSED, LOCKED };
enum event { PUSH, PULL, TURN_KEY };

static enum state next(enum state state, enum event event)
{
    switch (state) {
    case OPEN:
        return event == PUSH ? CLOSED : OPEN;
    case CLOSED:
        if (event == PULL)
            return OPEN;
        return event == TURN_KEY ? LOCKED : CLOSED;
    case LOCKED:
#ifdef BUG
        return event == TURN_KEY ? CLOSED : OPEN;
#else
        return event == TURN_KEY ? CLOSED : LOCKED;
#endif
    }
    return state;
}

int main(void)
{
    enum state state = CLOSED;
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (event < PUSH || event > TURN_KEY)
            break;
        enum state before = state;
        state = next(state, (enum event)event);
        assert(!(before == LOCKED && state == OPEN));
    }
    return 0;
}
