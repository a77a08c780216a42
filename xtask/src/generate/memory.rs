//! Scenarios on storage: heap, blocks of bytes, variable length arrays.

use super::fill;
use super::program::Gen;
use super::types::Int;

/// `malloc`, `calloc`, `realloc`, `free` on arrays.
pub fn heap(g: &mut Gen) {
    let t = Int::any(&mut g.rng);
    let tag = g.name("H");
    g.decl(&format!("struct {tag} {{ int n; {} v[]; }};", t.name()));
    let body = fill(
        "int n = $n;
        $T *a = malloc(n * sizeof *a), *b = calloc(n, sizeof($T)), *c;
        struct $H *h = malloc(sizeof(struct $H) + $n * sizeof($T));
        if (!a || !b || !h) return;
        for (int i = 0; i < n; i++) { a[i] = i * $k; b[i] += a[i] + 1; }
        h->n = n;
        for (int i = 0; i < h->n; i++) h->v[i] = a[i] ^ b[n - 1 - i];
        a = realloc(a, 2 * n * sizeof *a);
        for (int i = n; i < 2 * n; i++) a[i] = a[i - n] - i;
        c = a + n;
        for (int i = -n; i < n; i++) mix(c[i]);
        a = realloc(a, 2 * sizeof *a);
        mix(a[0]); mix(a[1]); mix(h->v[n - 1]); mix(sizeof(struct $H)); mix(b[0] == 1);
        free(a); free(0);
        struct { char c; $T *p; } *boxes = malloc(3 * sizeof *boxes);
        for (int i = 0; i < 3; i++) { boxes[i].c = 'a' + i; boxes[i].p = i & 1 ? &b[i] : &h->v[i]; }
        for (int i = 0; i < 3; i++) { *boxes[i].p += boxes[i].c; mix(*boxes[i].p); }
        $T **rows = malloc(n * sizeof *rows);
        for (int i = 0; i < n; i++) { rows[i] = malloc((i + 1) * sizeof **rows); rows[i][i] = i; rows[i][0] = $k; }
        for (int i = 0; i < n; i++) { mix(rows[i][i]); mix(rows[i][0]); free(rows[i]); }
        printf(\"%lld %lld\\n\", (long long)b[1], (long long)h->v[0]);
        free(rows); free(boxes); free(h); free(b);",
        &[
            ("T", t.name()),
            ("H", &tag),
            ("n", &g.rng.range(3, 7).to_string()),
            ("k", &g.value()),
        ],
    );
    g.scenario("heap", &body);
}

/// A linked list or a tree of heap nodes.
pub fn list(g: &mut Gen) {
    let tag = g.name("N");
    let f = g.name("li");
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::LLong, Int::UChar, Int::UInt]);
    g.decl(&format!("struct {tag} {{ {} key; struct {tag} *left, *right; }};", t.name()));
    g.function(&fill(
        "static struct $N *${f}add(struct $N *root, $T key) {
        if (!root) {
        root = malloc(sizeof *root);
        *root = (struct $N){ .key = key };
        return root;
        }
        if (key < root->key) root->left = ${f}add(root->left, key);
        else if (key > root->key) root->right = ${f}add(root->right, key);
        return root;
        }

        static int ${f}walk(const struct $N *n, int depth) {
        if (!n) return depth;
        int l = ${f}walk(n->left, depth + 1);
        mix(n->key);
        int r = ${f}walk(n->right, depth + 1);
        return l > r ? l : r;
        }

        static void ${f}drop(struct $N *n) {
        if (n) { ${f}drop(n->left); ${f}drop(n->right); free(n); }
        }",
        &[("N", &tag), ("f", &f), ("T", t.name())],
    ));
    let body = fill(
        "struct $N *root = 0, *head = 0, **tail = &head, *p;
        unsigned x = $seed;
        for (int i = 0; i < $n; i++) {
        x = x * 1103515245u + 12345;
        root = ${f}add(root, x >> 16 & $mask);
        p = calloc(1, sizeof *p);
        p->key = x >> 20; *tail = p; tail = &p->right;
        }
        mix(${f}walk(root, 0));
        struct $N *back = 0;
        for (p = head; p; ) { struct $N *next = p->right; p->right = back; back = p; p = next; }
        for (struct $N **q = &back; *q; ) {
        if ((*q)->key % 3 == 0) { p = *q; *q = p->right; free(p); } else { mix((*q)->key); q = &(*q)->right; }
        }
        printf(\"%d\\n\", ${f}walk(root->left, 1));
        ${f}drop(root); ${f}drop(back);",
        &[
            ("N", &tag),
            ("f", &f),
            ("seed", &g.rng.below(1000).to_string()),
            ("n", &g.rng.range(5, 12).to_string()),
            ("mask", g.rng.pick(&["15", "255", "4095"])),
        ],
    );
    g.scenario("list", &body);
}

/// `memcpy`, `memmove`, `memset`, `memcmp`, `memchr`.
pub fn blocks(g: &mut Gen) {
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::LLong, Int::UChar, Int::Long]);
    let mut moves = String::new();
    for _ in 0..g.rng.range(3, 6) {
        let (from, to) = (g.rng.below(4), g.rng.below(4));
        let count = g.rng.range(1, 4);
        moves += &match g.rng.below(6) {
            0 => format!("memmove(a + {to}, a + {from}, {count} * sizeof *a);\n"),
            1 => format!("memcpy(&a[{to}], &b[{from}], {count} * sizeof *b);\n"),
            2 => format!("memset(a + {to}, {}, {count});\n", g.rng.range(0, 255)),
            3 => format!("memset(&b[{to}], 0, {count} * sizeof b[0]);\n"),
            4 => format!("memmove((char *)a + {from}, (char *)a + {to}, {});\n", count + 1),
            _ => format!("memcpy((char *)b + {from}, (char *)a + {to}, {count});\n"),
        };
    }
    let body = fill(
        "$T a[8] = { $a }, b[8] = { $b }, c[8];
        $moves
        memcpy(c, a, sizeof c);
        for (int i = 0; i < 8; i++) { mix(a[i]); mix(b[i]); mix(c[i]); }
        mix(memcmp(a, c, sizeof a) == 0); mix(memcmp(a, b, sizeof a) < 0); mix(memcmp(a, b, 0));
        c[$k]++; mix(memcmp(a, c, sizeof a) > 0); mix(memcmp(a, c, $k * sizeof *a) == 0);
        char text[12] = \"abcabcabc\"; char *hit = memchr(text + 1, 'a', 9);
        mix(hit - text); mix(memchr(text, 'z', 12) == 0); mix(memcmp(\"abc\", text, 3) == 0); mix((memcmp(\"\\x80\", \"\\x01\", 1) > 0));
        struct { char c; int i; short s[2]; } x = { 1, 2, { 3, 4 } }, y;
        memcpy(&y, &x, sizeof y); memset(&x.s, $k, sizeof x.s); mix(y.i + y.s[1]); mix(x.s[0]); mix(memcpy(&y.i, &x.s, 4) == &y.i); mix(y.i);
        printf(\"%lld\\n\", (long long)a[0]);",
        &[
            ("T", t.name()),
            ("a", &g.values(8)),
            ("b", &g.values(8)),
            ("moves", moves.trim_end()),
            ("k", &g.rng.range(1, 7).to_string()),
        ],
    );
    g.scenario("blocks", &body);
}

/// Variable length arrays in one and two dimensions, as locals and as parameters.
pub fn variable_length(g: &mut Gen) {
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::LLong, Int::Char, Int::UInt]);
    let f = g.name("vl");
    g.function(&fill(
        "static $T ${f}sum(int rows, int cols, $T m[rows][cols]) {
        $T total = 0;
        for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) total = total * 3 + m[i][j];
        mix(sizeof m[0]);
        return total;
        }

        static int ${f}deep(int n) {
        $T a[n + 1];
        for (int i = 0; i <= n; i++) a[i] = i * n;
        if (n == 0) return 1;
        int r = ${f}deep(n - 1);
        return r + a[n] + (int)sizeof a;
        }",
        &[("f", &f), ("T", t.name())],
    ));
    let body = fill(
        "for (int n = 1; n < $n; n++) {
        $T a[n], b[n + 1][$c], d[2][n];
        int size = sizeof a;
        for (int i = 0; i < n; i++) {
        a[i] = i * $k; d[0][i] = a[i]; d[1][n - 1 - i] = a[i] + 1;
        for (int j = 0; j < $c; j++) b[i][j] = i - j, b[n][j] = j;
        }
        $T *p = a + n, (*row)[n] = d + 1;
        while (p > a) mix(*--p);
        mix((*row)[0]); mix(row[-1][n - 1]); mix(sizeof a); mix(sizeof b); mix(sizeof *row); mix(size); mix(sizeof b / sizeof b[0]); mix(sizeof d[0]);
        mix(${f}sum(n + 1, $c, b)); mix(${f}sum(2, n, d));
        if (n == $stop) continue;
        typedef $T line[n * 2]; line l; l[2 * n - 1] = n; mix(sizeof(line)); mix(l[2 * n - 1]);
        int m = n; mix(sizeof(int[m++])); mix(m);
        }
        mix(${f}deep($n));
        { int k = $n; again:; { char s[k + 3]; s[k + 2] = k; mix(s[k + 2]); mix(sizeof s); if (--k > 2) goto again; } }
        printf(\"%d\\n\", ${f}deep(3));",
        &[
            ("T", t.name()),
            ("f", &f),
            ("n", &g.rng.range(3, 6).to_string()),
            ("c", &g.rng.range(1, 4).to_string()),
            ("k", &g.value()),
            ("stop", &g.rng.range(1, 5).to_string()),
        ],
    );
    g.scenario("vla", &body);
}

/// Storage that lives until the function returns.
pub fn alloca(g: &mut Gen) {
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::LLong, Int::UChar]);
    let f = g.name("al");
    let text = fill(
        "static long long $f(int n) {
        $T *rows[$n], *last = 0;
        for (int i = 0; i < $n; i++) {
        rows[i] = __builtin_alloca((n + i) * sizeof($T));
        for (int j = 0; j < n + i; j++) rows[i][j] = i * $k + j;
        if (i & 1) last = rows[i];
        }
        long long total = last ? last[n - 1] : 0;
        for (int i = 0; i < $n; i++) total = total * 7 + rows[i][n + i - 1] + rows[i][0];
        return total;
        }",
        &[("f", &f), ("T", t.name()), ("n", &g.rng.range(1, 5).to_string()), ("k", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "for (int i = 1; i < 5; i++) mix($f(i));
        char *s = __builtin_alloca(8);
        for (int i = 0; i < 8; i++) s[i] = 'a' + i;
        s[7] = 0;
        printf(\"%s %lld\\n\", s, $f($k));",
        &[("f", &f), ("k", &g.rng.range(1, 6).to_string())],
    );
    g.scenario("alloca", &body);
}
