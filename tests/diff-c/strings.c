typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);
void *memmove(void *, const void *, size_t);
size_t strlen(const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strstr(const char *, const char *);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void strings1(void) {
    char buf[64] = "start", *p = buf;
    const char *a = "Xzca", b[] = "bXX", *const c = " z " "+";
    mix(strncmp(a, c, 5) < 0); mix(strncmp(a, b, 0));
    for (p = buf; *p; ) mix(*p++);
    p = strstr(buf, "b"); mix(p ? p - buf : -1);
    for (p = buf; *p; ) mix(*p++);
    memmove(buf + 1, buf, strlen(buf) + 1); buf[0] = '#'; if (strlen(buf) > 20) buf[2] = 0;
    for (p = buf; *p; ) mix(*p++);
    p = strstr(buf, "b"); mix(p ? p - buf : -1);
    for (p = buf; *p; ) mix(*p++);
    for (p = buf; *p; p++) if (*p == 'z') *p = 'q';
    for (p = buf; *p; ) mix(*p++);
    mix(strlen(a) * 8 + strlen(b + (b[0] != 0)));
    for (p = buf; *p; ) mix(*p++);
    strcpy(buf, a); strcat(buf, b);
    for (p = buf; *p; ) mix(*p++);
    printf("[%s] [%s] %d %s\n", buf, a, (int)strlen(b), c + 1);
}

int main(void) {
    strings1();
    show("strings1");
    printf("end %016llx\n", sum);
    exit((int)(sum & 127));
}
