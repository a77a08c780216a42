// A singly linked list that is built, reversed and freed.
// right: TRUE
// BUG: FALSE (valid-deref)  a node is read after it was freed
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->value = value;
    node->next = head;
    return node;
}

static struct node *reverse(struct node *head)
{
    struct node *done = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

int main(void)
{
    int first = __VERIFIER_nondet_int();
    struct node *list = NULL;
    list = push(list, first);
    list = push(list, __VERIFIER_nondet_int());
    list = push(list, __VERIFIER_nondet_int());
    list = reverse(list);
    assert(list->value == first);
    while (list != NULL) {
#ifdef BUG
        free(list);
        list = list->next;
#else
        struct node *next = list->next;
        free(list);
        list = next;
#endif
    }
    return 0;
}
