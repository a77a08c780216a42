typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void exit(int);
void *memcpy(void *, const void *, size_t);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static void byte_view1(void) {
    unsigned long x0 = 0b100ull, y0;
    unsigned char *p0 = (unsigned char *)&x0;
    for (unsigned k = 0; k < sizeof x0; k++) mix(p0[k]);
    p0[1 * (sizeof x0 - 1)] ^= 110;
    mix(x0);
    for (unsigned k = 0; k < sizeof x0; k++) ((char *)&y0)[k] = p0[sizeof x0 - 1 - k];
    mix(y0); mix(*(signed char *)&y0); mix(((char *)(&y0 + 1))[-1 - 1 * (int)(sizeof y0 - 1)]);
    unsigned int x1 = -116509784369603140l, y1;
    unsigned char *p1 = (unsigned char *)&x1;
    for (unsigned k = 0; k < sizeof x1; k++) mix(p1[k]);
    p1[0 * (sizeof x1 - 1)] ^= 172;
    mix(x1);
    for (unsigned k = 0; k < sizeof x1; k++) ((char *)&y1)[k] = p1[sizeof x1 - 1 - k];
    mix(y1); mix(*(signed char *)&y1); mix(((char *)(&y1 + 1))[-1 - 0 * (int)(sizeof y1 - 1)]);
    char x2 = 2905606016, y2;
    unsigned char *p2 = (unsigned char *)&x2;
    for (unsigned k = 0; k < sizeof x2; k++) mix(p2[k]);
    p2[1 * (sizeof x2 - 1)] ^= 218;
    mix(x2);
    for (unsigned k = 0; k < sizeof x2; k++) ((char *)&y2)[k] = p2[sizeof x2 - 1 - k];
    mix(y2); mix(*(signed char *)&y2); mix(((char *)(&y2 + 1))[-1 - 1 * (int)(sizeof y2 - 1)]);
    unsigned buffer[4] = { 0X4, 0b10101100, -0b110011111110110, 0lu };
    unsigned short *view = (unsigned short *)buffer;
    for (unsigned k = 0; k < sizeof buffer / sizeof *view; k += 3) { mix(view[k]); view[k] = (unsigned short)(k * 77); }
    for (int k = 0; k < 4; k++) mix(buffer[k]);
    unsigned long long wide;
    memcpy(&wide, (char *)buffer + 2, sizeof wide);
    mix(wide);
    printf("%llx\n", wide);
}

int main(void) {
    byte_view1();
    show("byte_view1");
    printf("end %016llx\n", sum);
    exit((int)sum);
}
