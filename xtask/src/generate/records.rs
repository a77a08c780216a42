//! Scenarios on structs and unions.

use super::fill;
use super::program::Gen;
use super::types::{INTS, Int};

/// Type punning through unions.
pub fn puns(g: &mut Gen) {
    let tag = g.name("U");
    let (a, b) = (g.rng.pick(&INTS[1..]), g.rng.pick(&INTS[1..]));
    g.decl(&fill(
        "union $U {
        unsigned char bytes[16];
        $A a;
        $B b;
        float f;
        double d;
        short halves[4];
        struct { int low; unsigned high; } pair;
        struct { $B first; char second; };
        unsigned long long whole;
        };",
        &[("U", &tag), ("A", a.name()), ("B", b.name())],
    ));
    let mut body = fill(
        "union $U x, y = { .a = $v }, v[2] = { { { 1, 2, 3 } }, { .d = $d } };
        memset(&x, 0, sizeof x);
        mix(y.a); mix(v[0].halves[0]); mix(v[0].halves[1]); mixd(v[1].d); mix(v[1].pair.high);\n",
        &[
            ("U", &tag),
            ("v", &g.value()),
            ("d", &super::expr::float_constant(&mut g.rng, super::Float::Double)),
        ],
    );
    for _ in 0..g.rng.range(4, 8) {
        let value = g.value();
        body += &match g.rng.below(9) {
            0 => format!("x.a = {value};\n"),
            1 => format!("x.b += {value};\n"),
            2 => {
                format!("x.f = {};\n", super::expr::float_constant(&mut g.rng, super::Float::Float))
            }
            3 => format!(
                "x.d = {};\n",
                super::expr::float_constant(&mut g.rng, super::Float::Double)
            ),
            4 => format!("x.halves[{}] = {value};\n", g.rng.below(4)),
            5 => format!("x.pair.high ^= {value};\nx.pair.low--;\n"),
            6 => format!("x.second = {value};\n"),
            7 => "v[0] = x;\nx.bytes[0] ^= 255;\nx = v[1];\n".to_string(),
            _ => format!("x.whole *= {value};\n"),
        };
        body += "mix(x.whole); mix(x.pair.low); mix(x.bytes[3]); mix(x.halves[2]);\n";
    }
    body +=
        "mix(x.a); mix(x.b); mix(x.first); mixd(x.f); mixd(x.d); mix(sizeof x); mix(v[0].whole);\n";
    body += "printf(\"%llx %d\\n\", x.whole, x.pair.low);";
    g.scenario("puns", &body);
}

/// Nested structs, arrays of structs, copies, pointers to members.
pub fn structs(g: &mut Gen) {
    let (inner, outer) = (g.name("I"), g.name("O"));
    let types: Vec<Int> = (0..5).map(|_| Int::any(&mut g.rng)).collect();
    let global = g.name("so");
    let n = g.rng.range(2, 4);
    let text = fill(
        "typedef struct $I {
        $A a;
        $B b[3];
        struct { $C c; float f; } in;
        } $I;
        struct $O {
        $D d;
        $I one, many[$n];
        $E e;
        const char *name;
        $I *link;
        };
        static struct $O $g = { $v1, { $v2, { $v3, $v4 }, { .c = $v5, 1.5f } }, { [1] = { .b = { [2] = $v6 } } }, .e = $v7, .name = \"$g\", .link = &$g.many[1] };",
        &[
            ("I", &inner),
            ("O", &outer),
            ("g", &global),
            ("A", types[0].name()),
            ("B", types[1].name()),
            ("C", types[2].name()),
            ("D", types[3].name()),
            ("E", types[4].name()),
            ("n", &n.to_string()),
            ("v1", &g.value()),
            ("v2", &g.value()),
            ("v3", &g.value()),
            ("v4", &g.value()),
            ("v5", &g.value()),
            ("v6", &g.value()),
            ("v7", &g.value()),
        ],
    );
    g.decl(&text);
    let body = fill(
        "struct $O x = $g, *p = &x, v[2] = { x };
        $I t = x.one, *q = &p->many[1];
        mix(t.a); mix(t.b[0]); mix(t.b[2]); mix(t.in.c); mixd(t.in.f); mix(q->b[2]); mix(x.link->b[2]); mix(x.name[0]);
        q->a = $v1; q->b[1] -= $v2; (*q).in.c++; p->one = *q; q[-1] = t; x.link = q;
        x.many[0].b[$k] = $v3; v[1] = x; v[1].link->in.f += 0.25f; v[0].one = v[1].many[$n - 1];
        $B *r = &v[1].one.b[1]; *r = $v4; r[-1] ^= 1; r++; *r += 2;
        for (int i = 0; i < 2; i++) {
        mix(v[i].d); mix(v[i].e); mix(v[i].one.a); mix(v[i].one.in.c); mixd(v[i].one.in.f);
        for (int j = 0; j < 3; j++) mix(v[i].one.b[j]);
        for (int j = 0; j < $n; j++) { mix(v[i].many[j].a); mix(v[i].many[j].b[j % 3]); }
        }
        mix($g.many[1].a); mixd(x.many[1].in.f); mix(x.link == q); mix(&x.many[1] == q); mix((char *)&x.many[1] - (char *)x.many == sizeof($I));
        $g.one = ($I){ .a = $v5 }; mix($g.one.a); mix($g.one.b[0]); mix(($g = v[1]).e);
        struct $O *up = (struct $O *)((char *)q - __builtin_offsetof(struct $O, many[1])); mix(up == &x); mix(up->d);
        $B *elem = &v[1].many[1].b[2]; mix(((struct $O *)((char *)elem - __builtin_offsetof(struct $O, many[1].b[2])))->e);
        p = &v[1]; *p = *p; v[0] = *p; *q = p->many[0]; mix(v[0].e); mix(q->a); mix((p > v ? v[0] : x).d); mix(p - v);
        printf(\"%lld %s\\n\", (long long)v[1].one.b[1], v[1].name);",
        &[
            ("I", &inner),
            ("O", &outer),
            ("g", &global),
            ("B", types[1].name()),
            ("n", &n.to_string()),
            ("k", &g.rng.below(3).to_string()),
            ("v1", &g.value()),
            ("v2", &g.value()),
            ("v3", &g.value()),
            ("v4", &g.value()),
            ("v5", &g.value()),
        ],
    );
    g.scenario("structs", &body);
}

/// Structs and unions as parameters and results.
pub fn by_value(g: &mut Gen) {
    let (small, large, mixed) = (g.name("S"), g.name("L"), g.name("M"));
    let f = g.name("by");
    let (a, b, c) = (Int::any(&mut g.rng), Int::any(&mut g.rng), Int::any(&mut g.rng));
    let n = g.rng.range(3, 9);
    g.decl(&fill(
        "struct $S { $A a; $B b; };
        struct $L { $C v[$n]; struct $S s; };
        union $M { struct $S s; double d; struct { char c[3]; } small; };
        struct ${S}d { float x; double y; };",
        &[
            ("S", &small),
            ("L", &large),
            ("M", &mixed),
            ("A", a.name()),
            ("B", b.name()),
            ("C", c.name()),
            ("n", &n.to_string()),
        ],
    ));
    g.function(&fill(
        "static struct $S ${f}make($A a, $B b) {
        struct $S r = { a, b };
        r.a ^= 1;
        return r;
        }

        static struct $L ${f}fill(struct $L in, struct $S s, int k) {
        in.v[k % $n] = s.a;
        in.s = s;
        s.b++;
        in.s.b += s.b;
        return in;
        }

        static union $M ${f}union(union $M u, const struct $S *p) {
        if (p) u.s = *p;
        return u;
        }

        static double ${f}sum(struct ${S}d *q, struct $L l) {
        double total = q->x + q->y;
        for (int i = 0; i < $n; i++) total += l.v[i];
        return total;
        }",
        &[
            ("f", &f),
            ("S", &small),
            ("L", &large),
            ("M", &mixed),
            ("A", a.name()),
            ("B", b.name()),
            ("n", &n.to_string()),
        ],
    ));
    let body = fill(
        "struct $S s = ${f}make($v1, $v2), t;
        struct $L l = { { $v3 }, { .b = $v4 } }, m;
        mix(s.a); mix(s.b); mix(${f}make($v5, 2).b); mix((t = s).a);
        m = ${f}fill(l, s, $k); mix(m.s.b); mix(l.s.b);
        l = ${f}fill(${f}fill(m, ${f}make(3, 4), 1), t, 2);
        for (int i = 0; i < $n; i++) { mix(l.v[i]); mix(m.v[i]); }
        mix(l.s.a); mix(l.s.b); mix(s.b);
        union $M u = ${f}union((union $M){ .d = 1.5 }, 0); mixd(u.d);
        u = ${f}union(u, &s); mix(u.s.a); mix(u.s.b); mix(u.small.c[0]);
        struct ${S}d q = { 0.5f, $k };
        mixd(${f}sum(&q, l)); mixd(${f}sum(&(struct ${S}d){ 1, 2 }, m));
        struct $S (*fp)($A, $B) = ${f}make; mix(fp($v2, $v1).a); mix((*fp)(1, 0).b);
        printf(\"%lld %lld\\n\", (long long)l.s.b, (long long)${f}fill(l, s, 0).v[0]);",
        &[
            ("S", &small),
            ("L", &large),
            ("M", &mixed),
            ("f", &f),
            ("A", a.name()),
            ("B", b.name()),
            ("n", &n.to_string()),
            ("k", &g.rng.below(9).to_string()),
            ("v1", &g.value()),
            ("v2", &g.value()),
            ("v3", &g.value()),
            ("v4", &g.value()),
            ("v5", &g.value()),
        ],
    );
    g.scenario("by_value", &body);
}

/// Packed and over-aligned records; members at odd offsets.
pub fn packed(g: &mut Gen) {
    let (p, q) = (g.name("P"), g.name("Q"));
    let types: Vec<Int> = (0..4).map(|_| Int::any(&mut g.rng)).collect();
    let pack = g.rng.pick(&["1", "2", "4"]);
    let text = fill(
        "struct __attribute__((packed)) $P { char c; $A a; double d; $B b : $w; short h; $B tail; };
        #pragma pack(push, $pack)
        struct $Q { $C c; struct $P p; $D d; long long l; unsigned char v[3]; int i; };
        #pragma pack(pop)
        struct ${Q}a { char c; $D d __attribute__((aligned(16))); _Alignas(8) char e; };",
        &[
            ("P", &p),
            ("Q", &q),
            ("pack", pack),
            ("A", types[0].name()),
            ("B", types[1].name()),
            ("C", types[2].name()),
            ("D", types[3].name()),
            ("w", &g.rng.range(1, i64::from(types[1].bits(super::types::Model::Ilp32))).to_string()),
        ],
    );
    g.decl(&text);
    let body = fill(
        "struct $P x, v[3];
        struct $Q y = { $v1, { 'c', $v2, 2.5, $v3, -3 }, $v4, $v5, { 1, 2, 3 }, $v6 };
        unsigned char bytes[sizeof(struct $P)];
        memset(&x, 0, sizeof x); memset(v, 0, sizeof v);
        x.a = $v1; x.d = 0.1; x.b = $v2; x.h = $v3; x.tail = $v4; x.c--;
        v[1] = x; v[2] = y.p; v[2].a += $v5; v[2].h *= 3; v[0].b--;
        memcpy(bytes, &x, sizeof x);
        for (size_t i = 0; i < sizeof x; i++) mix(bytes[i]);
        for (int i = 0; i < 3; i++) { mix(v[i].c); mix(v[i].a); mixd(v[i].d); mix(v[i].b); mix(v[i].h); mix(v[i].tail); }
        mix(y.c); mix(y.d); mix(y.l); mix(y.v[2]); mix(y.i); y.l <<= 3; y.i -= $v1; mix(y.l); mix(y.i);
        mix(sizeof(struct $P)); mix(sizeof(struct $Q)); mix(_Alignof(struct $Q)); mix(__builtin_offsetof(struct $Q, l)); mix(__builtin_offsetof(struct $P, h));
        mix(sizeof(struct ${Q}a)); mix(_Alignof(struct ${Q}a)); mix(__builtin_offsetof(struct ${Q}a, d)); mix(__builtin_offsetof(struct ${Q}a, e));
        printf(\"%d %lld\\n\", (int)sizeof y, (long long)v[2].a);",
        &[
            ("P", &p),
            ("Q", &q),
            ("v1", &g.value()),
            ("v2", &g.value()),
            ("v3", &g.value()),
            ("v4", &g.value()),
            ("v5", &g.value()),
            ("v6", &g.value()),
        ],
    );
    g.scenario("packed", &body);
}

/// `sizeof`, `_Alignof` and `offsetof` of types and of expressions that are not evaluated.
pub fn sizes(g: &mut Gen) {
    let tag = g.name("Z");
    let mut members = String::new();
    let mut body = String::new();
    let count = g.rng.range(2, 6);
    for i in 0..count {
        let base = match g.rng.below(6) {
            0 => "double".to_string(),
            1 => "float".to_string(),
            2 => "char *".to_string(),
            3 => "long double".to_string(),
            _ => Int::any(&mut g.rng).name().to_string(),
        };
        let suffix = g.rng.pick(&["", "", "[3]", "[2][5]"]);
        members += &format!("{base} m{i}{suffix};\n");
        body += &format!(
            "mix(__builtin_offsetof(struct {tag}, m{i}));\nmix(sizeof(((struct {tag} *)0)->m{i}));\n"
        );
    }
    g.decl(&format!("struct {tag} {{\n{members}}};"));
    for _ in 0..5 {
        let ty = g.rng.pick(&[
            "int *",
            "char[7]",
            "int (*)[3]",
            "long double",
            "double[2][3]",
            "void *",
            "int (*)(int)",
            "size_t",
            "struct { char c; long l; }",
            "union { short s; char c[5]; }",
            "long[3]",
            "ptrdiff_t",
        ]);
        body += &format!("mix(sizeof({ty}));\nmix(_Alignof({ty}));\n");
    }
    body += &fill(
        "int n = 3;
        char text[] = \"hello\", *s = text;
        mix(sizeof n++); mix(n); mix(sizeof(n + 1LL)); mix(sizeof text); mix(sizeof s[0]); mix(sizeof *s + 1);
        mix(sizeof(char)); mix(sizeof 'a'); mix(sizeof(short) + sizeof(1.0f)); mix(sizeof(1 ? (char)1 : (short)2));
        mix(sizeof(struct $Z)); mix(_Alignof(struct $Z)); mix(sizeof(struct $Z[2]) / sizeof(struct $Z)); mix(__alignof__(short));
        mix((sizeof(int) - 5 > 0)); mix(-1 < (int)sizeof(int)); mix(sizeof(n == 1)); mix(sizeof(&text)); mix(sizeof \"lit\" \"eral\");
        mix(sizeof(-(char)1)); mix(sizeof((char)1 << 1LL)); mix(sizeof(1L << 2)); mix(sizeof(n, s[1])); mix(sizeof(text + 0));
        printf(\"%d %d\\n\", (int)sizeof(struct $Z), (int)_Alignof(struct $Z));",
        &[("Z", &tag)],
    );
    g.scenario("sizes", &body);
}
