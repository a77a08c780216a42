/* Assertions. No guard: each inclusion follows NDEBUG as it is then. */
void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((__noreturn__));
#undef assert
#ifdef NDEBUG
#define assert(expr) ((void)0)
#else
#define assert(expr) ((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __func__))
#endif
#if !defined static_assert && !(defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L)
#define static_assert _Static_assert
#endif
