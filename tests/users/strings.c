// A path is joined from a folder and a file name.
// right: TRUE
// BUG: FALSE (valid-deref)  the terminating zero does not fit
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define LONGEST 12

static int join(char *path, unsigned size, const char *folder, const char *file)
{
    unsigned needed = strlen(folder) + 1 + strlen(file);
#ifdef BUG
    if (needed > size)
        return -1;
#else
    if (needed + 1 > size)
        return -1;
#endif
    strcpy(path, folder);
    strcat(path, "/");
    strcat(path, file);
    return (int)needed;
}

int main(void)
{
    char path[LONGEST], file[9];
    unsigned length = __VERIFIER_nondet_uint() % sizeof file;
    for (unsigned i = 0; i < length; i++) {
        file[i] = __VERIFIER_nondet_char();
        if (file[i] == 0)
            return 0;
    }
    file[length] = 0;
    int written = join(path, sizeof path, "home", file);
    if (written >= 0)
        assert(path[4] == '/' && strlen(path) == (unsigned)written);
    return 0;
}
