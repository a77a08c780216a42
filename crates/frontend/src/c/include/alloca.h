/* Allocation in the frame of the caller. */
#ifndef PROVISO_ALLOCA_H
#define PROVISO_ALLOCA_H
typedef __SIZE_TYPE__ size_t;
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
#endif
