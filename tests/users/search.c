// A binary search in a sorted table.
// right: TRUE
// BUG: FALSE (unreach-call)  the last element is never found
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int table[] = { -40, -7, 0, 3, 12, 99, 1000 };

static int find(const int *sorted, int count, int key)
{
    int low = 0, high = count - 1;
#ifdef BUG
    while (low < high) {
#else
    while (low <= high) {
#endif
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key)
            return middle;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int count = sizeof table / sizeof table[0];
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index >= count)
        return 0;
    int found = find(table, count, table[index]);
    assert(found == index);
    return 0;
}
