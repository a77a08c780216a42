typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);

static unsigned long long sum = 14695981039346656037ULL;
static int fuel = 200;

static void mix(unsigned long long v) {
    sum = (sum ^ v) * 1099511628211ULL;
    sum ^= sum >> 31;
}

static void show(const char *tag) {
    printf("%s %016llx\n", tag, sum);
}


static char vl1sum(int rows, int cols, char m[rows][cols]) {
    char total = 0;
    for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) total = total * 3 + m[i][j];
    mix(sizeof m[0]);
    return total;
}

static int vl1deep(int n) {
    char a[n + 1];
    for (int i = 0; i <= n; i++) a[i] = i * n;
    if (n == 0) return 1;
    int r = vl1deep(n - 1);
    return r + a[n] + (int)sizeof a;
}

static void vla2(void) {
    for (int n = 1; n < 6; n++) {
        char a[n], b[n + 1][4], d[2][n];
        int size = sizeof a;
        for (int i = 0; i < n; i++) {
            a[i] = i * 0x5uLL; d[0][i] = a[i]; d[1][n - 1 - i] = a[i] + 1;
            for (int j = 0; j < 4; j++) b[i][j] = i - j, b[n][j] = j;
        }
        char *p = a + n, (*row)[n] = d + 1;
        while (p > a) mix(*--p);
        mix((*row)[0]); mix(row[-1][n - 1]); mix(sizeof a); mix(sizeof b); mix(sizeof *row); mix(size); mix(sizeof b / sizeof b[0]); mix(sizeof d[0]);
        mix(vl1sum(n + 1, 4, b)); mix(vl1sum(2, n, d));
        if (n == 2) continue;
        typedef char line[n * 2]; line l; l[2 * n - 1] = n; mix(sizeof(line)); mix(l[2 * n - 1]);
        int m = n; mix(sizeof(int[m++])); mix(m);
    }
    mix(vl1deep(6));
    { int k = 6; again:; { char s[k + 3]; s[k + 2] = k; mix(s[k + 2]); mix(sizeof s); if (--k > 2) goto again; } }
    printf("%d\n", vl1deep(3));
}

int main(void) {
    vla2();
    show("vla2");
    printf("end %016llx\n", sum);
    return (int)sum;
}
