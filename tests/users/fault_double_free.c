// A message is sent or dropped, and freed once.
// right: TRUE
// BUG: FALSE (valid-free)  a dropped message is freed twice
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct message {
    int kind;
    char *text;
};

static int send(struct message *message)
{
    if (message->kind < 0) {
#ifdef BUG
        free(message->text);
#endif
        return 0;
    }
    message->text[0] = '!';
    return 1;
}

int main(void)
{
    struct message message = { __VERIFIER_nondet_int(), malloc(8) };
    if (message.text == NULL)
        return 0;
    send(&message);
    free(message.text);
    return 0;
}
