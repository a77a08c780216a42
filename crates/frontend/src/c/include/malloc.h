/* Allocation, under the name that older programs use. */
#ifndef PROVISO_MALLOC_H
#define PROVISO_MALLOC_H
#include <stddef.h>
#include <stdio.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
void *pvalloc(size_t size);
void *reallocarray(void *block, size_t count, size_t size);
size_t malloc_usable_size(void *block);
int malloc_trim(size_t pad);
int mallopt(int parameter, int value);
struct mallinfo {
    int arena;
    int ordblks;
    int smblks;
    int hblks;
    int hblkhd;
    int usmblks;
    int fsmblks;
    int uordblks;
    int fordblks;
    int keepcost;
};
struct mallinfo2 {
    size_t arena;
    size_t ordblks;
    size_t smblks;
    size_t hblks;
    size_t hblkhd;
    size_t usmblks;
    size_t fsmblks;
    size_t uordblks;
    size_t fordblks;
    size_t keepcost;
};
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
void malloc_stats(void);
int malloc_info(int options, FILE *file);
#endif
