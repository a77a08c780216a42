//! Scenarios on side effects that must happen once, and on the lifetimes of locals.

use super::fill;
use super::program::Gen;
use super::types::{INTS, Int};

/// Lvalues with side effects: an operand that modifies something is evaluated once, whatever is
/// done to the place that it names.
pub fn once(g: &mut Gen) {
    let f = g.name("on");
    let t = g.rng.pick(&INTS[1..]);
    let text = fill(
        "struct ${f}s { $T v[4]; unsigned bits : 5; int low : 3; $T *p; };
        static $T ${f}cells[4] = { $values };
        static int ${f}calls;

        static $T *${f}at(int i) {
        ${f}calls++;
        return &${f}cells[i & 3];
        }

        static struct ${f}s *${f}same(struct ${f}s *s) {
        ${f}calls += 10;
        return s;
        }",
        &[("f", &f), ("T", t.name()), ("values", &g.values(4))],
    );
    g.function(&text);
    let mut body = fill(
        "struct ${f}s s[3] = { { { 1, 2, 3, 4 }, 5, -2, ${f}cells }, { .bits = 31 } }, *q = s;
        $T a[8] = { $values }, *p = a, x = $x, y = $y;
        int i = 0, n = 0;\n",
        &[
            ("f", &f),
            ("T", t.name()),
            ("values", &g.values(8)),
            ("x", &g.value()),
            ("y", &g.value()),
        ],
    );
    for _ in 0..g.rng.range(6, 11) {
        let value = g.value();
        let op = g.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
        // Each line moves an index or a pointer by one at most; they are brought back below.
        let line = g.rng.pick(&[
            "a[i++] $op $v;",
            "*p++ $op $v;",
            "a[i++]++;",
            "++*p++;",
            "(*p++)--;",
            "mix(a[i++] $op $v);",
            "mix(*p++ = $v);",
            "*${f}at(n++) $op $v;",
            "(*${f}at(n))++; mix(--*${f}at(n + 1));",
            "q++->bits $op $v;",
            "mix(q++->low++);",
            "${f}same(q)->bits++; ${f}same(q)->v[n++ & 3] $op 3;",
            "s[i++ % 3].low $op $v;",
            "*(i++ & 1 ? &x : &y) $op $v;",
            "${f}same(q)->p = ${f}at(n++); *q->p $op 7;",
            "x = y = a[i++] $op $v; mix(x); mix(y);",
            "s[n++ & 1] = s[2]; mix(s[1].bits);",
        ]);
        body += &line.replace("$op", op).replace("$v", &value).replace("${f}", &f);
        body += "\nmix(i); mix(n); mix(p - a); mix(q - s); i &= 3; n &= 7; if (p - a > 5) p = a; if (q - s > 1) q = s;\n";
    }
    body += &fill(
        "for (int k = 0; k < 8; k++) mix(a[k]);
        for (int k = 0; k < 3; k++) { mix(s[k].bits); mix(s[k].low); for (int j = 0; j < 4; j++) mix(s[k].v[j]); }
        for (int k = 0; k < 4; k++) mix(${f}cells[k]);
        mix(x); mix(y); mix(${f}calls);
        printf(\"%d %d %d\\n\", i, n, ${f}calls);",
        &[("f", &f)],
    );
    g.scenario("once", &body);
}

/// Locals that begin anew in each iteration, call and backward jump; initialisers with calls.
pub fn lifetimes(g: &mut Gen) {
    let f = g.name("lf");
    let t = Int::any(&mut g.rng);
    let text = fill(
        "static $T ${f}twice($T x) {
        return x * 2 + 1;
        }

        static int ${f}depth(int n, $T **chain) {
        $T here[2] = { n }, *links[8];
        for (int i = 0; i < 8; i++) links[i] = chain ? chain[i] : 0;
        links[n & 7] = &here[1];
        here[1] = n * $k;
        if (n < 5) return ${f}depth(n + 1, links) + here[0];
        int r = 0;
        for (int i = 0; i < 8; i++) if (links[i]) { *links[i] += i; r = r * 3 + *links[i]; }
        return r;
        }",
        &[("f", &f), ("T", t.name()), ("k", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "for (int i = 0; i < 4; i++) {
        $T z[3] = { 1 }, w = z[0] + i;
        struct { $T a; int b[2]; } s = { .b = { i } };
        char text[5] = \"ab\";
        z[1] += i; s.b[1] += i; s.a--; text[2 + (i & 1)] = 'c';
        mix(z[1] + z[2]); mix(s.b[0] * 10 + s.b[1]); mix(s.a); mix(w); mix(text[2]); mix(text[3]);
        if (i == $skip) continue;
        int late = i * 7; z[2] = late; mix(z[2]);
        }
        int n = 0;
        again: { int fresh = 5; $T v[2] = { ${f}twice($v), ${f}twice(n) }; fresh += n; mix(fresh); mix(v[0] - v[1]); if (++n < 4) goto again; }
        struct { $T a, b; } made = { ${f}twice(n), n > 2 ? ${f}twice($v) : 0 }, copy = made;
        int sized[sizeof(made) > 4 ? 3 : 2] = { n, n + 1 }; mix(sizeof sized / sizeof *sized); mix(sized[1]);
        $T outer = $v; { $T outer = 3; outer++; mix(outer); { $T outer = $k; mix(outer); } mix(outer); } mix(outer);
        mix(made.a); mix(copy.b); mix(${f}depth(0, 0)); mix(${f}depth(3, 0));
        int *kept[3]; int store[3]; for (int i = 0; i < 3; i++) { kept[i] = &store[i]; *kept[i] = i * i; } mix(*kept[0] + *kept[1] + *kept[2]);
        switch (n) { int skipped; case 4: skipped = 9; mix(skipped); break; default: skipped = 1; mix(skipped); }
        do { if (n & 1) continue; n += 3; mix(n); } while (0);
        if (n > 1) ; else mix(1);
        printf(\"%d\\n\", ${f}depth(4, 0));",
        &[
            ("f", &f),
            ("T", t.name()),
            ("k", &g.small()),
            ("v", &g.value()),
            ("skip", &g.rng.below(4).to_string()),
        ],
    );
    g.scenario("lifetimes", &body);
}
