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
#endif
