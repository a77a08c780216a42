// A setting is looked up by its key.
// right: TRUE
// BUG: FALSE (valid-deref)  no setting is found
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct setting {
    int key, value;
};

static struct setting settings[] = { { 1, 10 }, { 5, 20 }, { 9, 30 } };

static struct setting *find(int key)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].key == key)
            return &settings[i];
    return NULL;
}

int main(void)
{
    struct setting *setting = find(__VERIFIER_nondet_int());
#ifndef BUG
    if (setting == NULL)
        return 1;
#endif
    return setting->value == 0;
}
