typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
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

static unsigned char m2[3][4] = { 0x5uLL, -0175437ull, '\v', 0x1d341ec799, 42565, 0b11010011100000, 8uLL, 054627U, 0b11111000110110ul, 9L, '\\' };

static unsigned char row1(unsigned char m[][4], int n, unsigned char (*const last)[4]) {
    unsigned char total = 0;
    for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) total += m[i][j] * (j + 1);
    (*last)[0] += total;
    return total;
}

static void matrix3(void) {
    unsigned char a[3][4] = { { -0xaU }, { 0x6LL, -0xaU }, }, cube[2][3][4] = { [1][0] = { 0x6LL } };
    mix(row1(m2, 3, &m2[0])); mix(row1(a, 3, a + 1));
    unsigned char (*p)[4] = m2 + 1, *flat = &m2[0][0];
    mix((*p)[0]); mix(p[-1][0]); mix(*(*(p - 1) + 1)); mix(p - m2); mix(*flat); mix(flat[0]);
    for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
        a[i][j] += m2[3 - 1 - i][j] * (i - j);
        cube[i & 1][i][j] = a[i][j] ^ cube[1][0][0];
        mix(&m2[i][j] - &m2[i][0]); mix(a[i][j]);
    }
    for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) mix(cube[k][i][j]);
    memcpy(a, cube[1], sizeof a);
    mix(a[0][0]); mix(sizeof a); mix(sizeof a[0]); mix(sizeof cube / sizeof *cube); mix(sizeof **cube);
    mix((char *)&cube[1] - (char *)cube); mix((char *)(cube[0] + 1) - (char *)cube[0]);
    printf("%lld %lld\n", (long long)a[0][0], (long long)m2[0][0]);
}

int main(void) {
    matrix3();
    show("matrix3");
    printf("end %016llx\n", sum);
    return (int)sum;
}
