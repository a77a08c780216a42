// expect: Run ended: returned 0
// What the library writes is no longer than it is, and time() writes through its argument.
typedef __SIZE_TYPE__ size_t;
void reach_error(void);
int snprintf(char *, size_t, const char *, ...);
long time(long *);
void *aligned_alloc(size_t, size_t);
int getchar(void);
long random(void);

int main(void) {
    char small[4];
    snprintf(small, 100, "%d", 5);
    snprintf(0, 0, "x");
    long now = 1, then = time(&now);
    if (now != then) reach_error();
    if ((size_t)aligned_alloc(64, 128) % 64 != 0) reach_error();
    int c = getchar();
    if (c < -1 || c > 255) reach_error();
    long r = random();
    if (r < 0 || r > 2147483647) reach_error();
    return 0;
}
