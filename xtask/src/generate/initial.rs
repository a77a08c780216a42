//! Scenarios on initialisers.

use super::fill;
use super::program::Gen;
use super::types::Int;

/// Designated, nested, overridden and partial initialisers; strings; inferred lengths.
pub fn designated(g: &mut Gen) {
    let tag = g.name("D");
    let (a, b) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let global = g.name("di");
    let (i, j) = (g.rng.range(0, 2), g.rng.range(3, 6));
    let values: Vec<String> = (0..8).map(|_| g.value()).collect();
    let initial = fill(
        "{ .b = { [$i] = $v1, [$j] = $v2, $v3 }, .a = $v4, .in = { 'x', .v = { 1, [1] = 2 } }, .text = \"$s\" }",
        &[
            ("i", &i.to_string()),
            ("j", &j.to_string()),
            ("v1", &values[0]),
            ("v2", &values[1]),
            ("v3", &values[2]),
            ("v4", &values[3]),
            ("s", g.rng.pick(&["", "hi", "abcdefg", "a\\0b", "\\x41\\n", "12345678"])),
        ],
    );
    let range = g.rng.range(1, 3);
    let text = fill(
        "struct $D { $A a; $B b[8]; struct { char c; short v[3]; } in; char text[8]; union { int i; char c; } u; };
        static const struct $D $g = $init;
        static $A ${g}v[] = { $v1, [5] = $v2, $v3, [2] = $v4 };
        static $B ${g}w[10] = { [0 ... $r] = $v5, [$r + 2 ... 8] = 7, [6] = $v6 };
        static struct $D ${g}x[] = { [1].a = 3, [1].b[2] = $v1, [0] = { .u.c = 'u' }, [2].in.v[1] = $v2 };
        char ${g}s[] = \"one\" \"\\ttwo\\0three\", ${g}t[4] = \"four\", ${g}m[2][6] = { \"row\", { 'c', 'o', 'l' } };
        const char *${g}p[] = { \"zero\", [3] = \"three\", ${g}s + 1, };",
        &[
            ("D", &tag),
            ("g", &global),
            ("A", a.name()),
            ("B", b.name()),
            ("init", &initial),
            ("r", &range.to_string()),
            ("v1", &values[4]),
            ("v2", &values[5]),
            ("v3", &values[6]),
            ("v4", &values[7]),
            ("v5", &g.value()),
            ("v6", &g.value()),
        ],
    );
    g.decl(&text);
    let body = fill(
        "struct $D x = $init, y = { $v, { $v }, { 'q', 1, 2, 3 }, { 'n', 'o' }, { 9 } }, z = { 0 };
        const struct $D *all[] = { &x, &y, &z, &$g, ${g}x, &${g}x[1], &${g}x[2] };
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct $D *d = all[k];
        mix(d->a); mix(d->in.c); mix(d->u.c);
        for (int i = 0; i < 8; i++) { mix(d->b[i]); mix(d->text[i]); }
        for (int i = 0; i < 3; i++) mix(d->in.v[i]);
        }
        for (size_t k = 0; k < sizeof ${g}v / sizeof *${g}v; k++) mix(${g}v[k]);
        for (int k = 0; k < 10; k++) mix(${g}w[k]);
        for (size_t k = 0; k < sizeof ${g}s; k++) mix(${g}s[k]);
        for (int k = 0; k < 4; k++) mix(${g}t[k]);
        for (int k = 0; k < 12; k++) mix(${g}m[k / 6][k % 6]);
        mix(sizeof ${g}x / sizeof *${g}x); mix(sizeof ${g}p / sizeof *${g}p); mix(${g}p[1] == 0); mix(*${g}p[4]);
        int local[] = { 1, [$k] = $v, 3 }; mix(sizeof local); mix(local[$k]); mix(local[$k - 1]); mix(local[$k + 1]);
        printf(\"%s %s %s %d\\n\", ${g}p[0], ${g}p[4], ${g}m[1], (int)sizeof ${g}s);",
        &[
            ("D", &tag),
            ("g", &global),
            ("init", &initial),
            ("v", &g.value()),
            ("k", &g.rng.range(1, 5).to_string()),
        ],
    );
    g.scenario("initial", &body);
}

/// Globals whose initialisers are addresses: of variables, members, elements, functions.
pub fn addresses(g: &mut Gen) {
    let name = g.name("ad");
    let t = Int::any(&mut g.rng);
    let values = g.values(6);
    let text = fill(
        "static $T ${n}a[6] = { $values };
        struct ${n}s { $T *p; const $T *const *pp; int (*f)(int); struct ${n}s *next; char c; };
        static int ${n}f(int);
        extern struct ${n}s ${n}x;
        static $T *const ${n}q = &${n}a[$i], *const ${n}end = ${n}a + 6;
        struct ${n}s ${n}y = { ${n}a + 2, (const $T *const *)&${n}q, ${n}f, &${n}x, 'y' }, ${n}x = { .next = &${n}y, .p = &${n}a[5] - 1, .f = &${n}f };
        static char *${n}c = &${n}y.c, **${n}cc = &${n}c;
        static struct ${n}s *${n}list[] = { &${n}x, &${n}y, 0 };
        static const long ${n}d = (long)sizeof(${n}a[0]) * $i - 3;
        static int ${n}k = sizeof(${n}a) / sizeof *${n}a + ($i > 2 ? 10 : 20) * (1 << 3), ${n}off = __builtin_offsetof(struct ${n}s, c);",
        &[
            ("T", t.name()),
            ("n", &name),
            ("values", &values),
            ("i", &g.rng.below(6).to_string()),
        ],
    );
    g.decl(&text);
    let text = format!("static int {name}f(int x) {{\nreturn x * 2 + {};\n}}", g.small());
    g.function(&text);
    let body = fill(
        "mix(*${n}q); mix(${n}end - ${n}q); mix(*${n}y.p); mix(**${n}y.pp); mix(${n}x.next == &${n}y); mix(${n}x.next->next == &${n}x);
        mix(*${n}x.p); mix(${n}x.p - ${n}y.p); mix(${n}y.f(3)); mix((*${n}x.f)(4)); mix(${n}x.f == ${n}y.f); mix(${n}x.pp == 0);
        **${n}cc = 'z'; mix(${n}y.c); mix(*${n}c == 'z'); mix(${n}k); mix(${n}off); mix(${n}d);
        for (struct ${n}s **l = ${n}list; *l; l++) { mix((*l)->p[0]); (*l)->p++; }
        mix(*${n}y.p + *${n}x.p);
        printf(\"%d %d\\n\", ${n}k, ${n}y.f(${n}k));",
        &[("n", &name)],
    );
    g.scenario("addresses", &body);
}

/// Compound literals, at file scope, in functions, in loops and as arguments.
pub fn compound_literals(g: &mut Gen) {
    let tag = g.name("C");
    let f = g.name("cl");
    let (a, b) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let text = fill(
        "typedef struct { $A a; $B b[2]; } $C;
        static $C *${f}g = &($C){ $v1, { $v2 } };
        static int *${f}v = (int[]){ 1, 2, [4] = 5 };",
        &[
            ("C", &tag),
            ("f", &f),
            ("A", a.name()),
            ("B", b.name()),
            ("v1", &g.value()),
            ("v2", &g.value()),
        ],
    );
    g.decl(&text);
    g.function(&fill(
        "static long long ${f}sum(const $C *c, int n, const $A *more) {
        long long total = more[n];
        for (int i = 0; i < 2; i++) total += c->b[i];
        return total + c->a;
        }",
        &[("C", &tag), ("f", &f), ("A", a.name())],
    ));
    let body = fill(
        "mix(${f}g->a); mix(${f}g->b[0]); mix(${f}g->b[1]); ${f}g->b[1] = 4; mix(${f}v[4]); mix(${f}v[3]);
        $C *p = &($C){ .b = { $v1, $v2 } }, x = ($C){ 1 };
        mix(${f}sum(p, 1, ($A[]){ 5, 6, 7 })); mix(${f}sum(&x, 0, &($A){ $v3 })); mix((($C){ .a = $v1 }).a);
        for (int i = 0; i < 4; i++) {
        $C *q = &($C){ i, { [1] = i * 3 } };
        int *r = (int[3]){ i, i + 1 };
        q->a += $v2; r[2] -= i;
        mix(q->a); mix(q->b[0]); mix(q->b[1]); mix(r[0] + r[1] * r[2]);
        x = i & 1 ? *q : ($C){ 9, { 8, 7 } };
        mix(x.b[0]); mix(x.b[1]);
        }
        mix((int[]){ 3, 2, 1 }[$k]); mix(sizeof((char[]){ 1, 2, 3 })); mix(((char[]){ \"str\" })[1]); mix((unsigned char){ $v3 });
        mix(*&(int){ $k }); mix(((union { int i; unsigned char c[4]; }){ .i = 0x01020304 }).c[$k]);
        printf(\"%lld %d\\n\", (long long)p->b[0], (($C){ .b = { 2, 4 } }).b[1] != 0);",
        &[
            ("C", &tag),
            ("f", &f),
            ("A", a.name()),
            ("v1", &g.value()),
            ("v2", &g.value()),
            ("v3", &g.value()),
            ("k", &g.rng.below(3).to_string()),
        ],
    );
    g.scenario("literals", &body);
}
