typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void formats1(void) {
    printf("%ho|", (unsigned short)11LL);
    printf("%-12.8li|", (long)6uLL);
    printf("%-12llx|", (unsigned long long)42565);
    printf("%12.3llo|", (unsigned long long)4294967294l);
    printf("%6.0hhd|", (signed char)071317ULL);
    printf("%-1.0hX|", (unsigned short)'a');
    printf("%c%5c%-3c|", '#', 50 + 64, 'z');
    printf("%s|%8s|%-8s|%.2s|%*d|%.*s|%%\n", "b7", "b7", "b7", "b7", 5, 50, 0, "b7");
    printf("%zu %td %lu %hhu %s\n", sizeof(int), (char *)0 - (char *)0, 5ul, (unsigned char)50, 50 > 30 ? "more" : "less");
    printf("%d%s%c", 50, "", '\n');
}

static void formats2(void) {
    printf("%12.3llo|", (unsigned long long)'\377');
    printf("%-1hu|", (unsigned short)-129U);
    printf("%1lo|", (unsigned long)-4U);
    printf("% 12lld|", (long long)-51L);
    printf("%-1llo|", (unsigned long long)'\a');
    printf("%c%5c%-3c|", 'Z', 53 + 64, 'z');
    printf("%s|%8s|%-8s|%.2s|%*d|%.*s|%%\n", "aXb", "aXb", "aXb", "aXb", 2, 53, 6, "aXb");
    printf("%zu %td %lu %hhu %s\n", sizeof(int), (char *)0 - (char *)0, 5ul, (unsigned char)53, 53 > 30 ? "more" : "less");
    printf("%d%s%c", 53, "", '\n');
}

int main(void) {
    formats1();
    show("formats1");
    formats2();
    show("formats2");
    printf("end %016llx\n", sum);
    exit((unsigned char)sum);
}
