typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
int printf(const char *, ...);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
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

struct N1 { unsigned char key; struct N1 *left, *right; };

static struct N1 *li2add(struct N1 *root, unsigned char key) {
    if (!root) {
        root = malloc(sizeof *root);
        *root = (struct N1){ .key = key };
        return root;
    }
    if (key < root->key) root->left = li2add(root->left, key);
    else if (key > root->key) root->right = li2add(root->right, key);
    return root;
}

static int li2walk(const struct N1 *n, int depth) {
    if (!n) return depth;
    int l = li2walk(n->left, depth + 1);
    mix(n->key);
    int r = li2walk(n->right, depth + 1);
    return l > r ? l : r;
}

static void li2drop(struct N1 *n) {
    if (n) { li2drop(n->left); li2drop(n->right); free(n); }
}

static void list3(void) {
    struct N1 *root = 0, *head = 0, **tail = &head, *p;
    unsigned x = 819;
    for (int i = 0; i < 12; i++) {
        x = x * 1103515245u + 12345;
        root = li2add(root, x >> 16 & 4095);
        p = calloc(1, sizeof *p);
        p->key = x >> 20; *tail = p; tail = &p->right;
    }
    mix(li2walk(root, 0));
    struct N1 *back = 0;
    for (p = head; p; ) { struct N1 *next = p->right; p->right = back; back = p; p = next; }
    for (struct N1 **q = &back; *q; ) {
        if ((*q)->key % 3 == 0) { p = *q; *q = p->right; free(p); } else { mix((*q)->key); q = &(*q)->right; }
    }
    printf("%d\n", li2walk(root->left, 1));
    li2drop(root); li2drop(back);
}

int main(void) {
    list3();
    show("list3");
    printf("end %016llx\n", sum);
    exit((int)sum);
}
