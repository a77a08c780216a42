/* Jumps out of functions. */
#ifndef PROVISO_SETJMP_H
#define PROVISO_SETJMP_H
struct __jmp_buf_tag {
#ifdef __LP64__
    long __registers[8];
#else
    int __registers[6];
#endif
    int __mask_was_saved;
    unsigned long __saved_mask[128 / sizeof(unsigned long)];
};
typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];
int setjmp(jmp_buf buffer) __attribute__((__returns_twice__));
int _setjmp(jmp_buf buffer) __attribute__((__returns_twice__));
int __sigsetjmp(sigjmp_buf buffer, int save_mask) __attribute__((__returns_twice__));
void longjmp(jmp_buf buffer, int value) __attribute__((__noreturn__));
void _longjmp(jmp_buf buffer, int value) __attribute__((__noreturn__));
void siglongjmp(sigjmp_buf buffer, int value) __attribute__((__noreturn__));
#define setjmp(buffer) _setjmp(buffer)
#define sigsetjmp(buffer, save_mask) __sigsetjmp(buffer, save_mask)
#endif
