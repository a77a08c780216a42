typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
extern struct _IO_FILE *stdout;
extern struct _IO_FILE *stderr;
int fprintf(struct _IO_FILE *, const char *, ...);
int fputs(const char *, struct _IO_FILE *);
int fputc(int, struct _IO_FILE *);
int putc(int, struct _IO_FILE *);
size_t fwrite(const void *, size_t, size_t, struct _IO_FILE *);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static int next1(void) {
    static int calls;
    return ++calls;
}

static void streams2(void) {
    char text[9] = "w%d\0xyz";
    unsigned numbers[] = { 0x61620063, 0x0a410042 };
    fputc('Z', stdout);
    putc(next1() + 64, stdout);
    fwrite(numbers, sizeof *numbers, 2, stdout);
    fprintf(stderr, "%d %s|", next1(), text);
    fwrite(numbers, sizeof *numbers, 2, stdout);
    fputc('\n', stdout);
    fputs(text, stderr);
    mix(next1());
    fprintf(stdout, "\n");
}

int main(void) {
    streams2();
    show("streams2");
    printf("end %016llx\n", sum);
    return (int)(sum & 127);
}
