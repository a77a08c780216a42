//! Scenarios on pointers and arrays; all arithmetic stays inside one array.

use super::fill;
use super::program::Gen;
use super::types::{INTS, Int};

/// Pointers that walk through an array: both directions, differences, comparisons.
pub fn walk(g: &mut Gen) {
    let t = Int::any(&mut g.rng);
    let n = g.rng.range(5, 9);
    let values = g.values(n as usize);
    let at = g.rng.range(1, n - 2);
    let mut moves = String::new();
    for _ in 0..g.rng.range(3, 6) {
        moves += &match g.rng.below(8) {
            0 => "mix(*p++); p--;\n".to_string(),
            1 => "mix(*++p); --p;\n".to_string(),
            2 => "mix(++*p);\n".to_string(),
            3 => "mix((*p)--);\n".to_string(),
            4 => format!("p = a + {at}; p[-1] ^= {};\n", g.value()),
            5 => format!("p = &a[{at}]; mix(p[1] + {at}[a]);\n"),
            6 => "mix(*(p + 1) - *(p - 1));\n".to_string(),
            _ => format!("p += {}; p -= {} - 1; p--;\n", n - 1 - at, n - 1 - at),
        };
    }
    let body = fill(
        "$T a[$n] = { $values };
        $T *p = a + $at, *const first = a, *const end = &a[$n];
        const $T *r = end;
        $moves
        while (r != a) mix(*--r);
        for ($T *q = a; q < end; q += $step) {
        mix(q - a); mix(end - q); mix(q > p); mix(q <= p); mix(q == &a[$at]);
        *q = *q + (q - p);
        if (end - q < $step) break;
        }
        mix((char *)end - (char *)first); mix(&a[$at] - &a[$last] < 0); mix(p == first + $at);
        mix((p - a) * sizeof *p); mix(*(&a + 1) - a); mix((&a)[0][1]); mix(end[-1]); mix(*(end - 2)); mix(sizeof a / sizeof a[0]);
        printf(\"%d %lld\\n\", (int)(p - a), (long long)*p);",
        &[
            ("T", t.name()),
            ("n", &n.to_string()),
            ("values", &values),
            ("at", &at.to_string()),
            ("last", &(n - 1).to_string()),
            ("moves", moves.trim_end()),
            ("step", g.rng.pick(&["1", "2", "3"])),
        ],
    );
    g.scenario("walk", &body);
}

/// Pointers to pointers, arrays of pointers, pointers in records, `void *`.
pub fn indirect(g: &mut Gen) {
    let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let swap = g.name("swap");
    let set = g.name("set");
    let text = fill(
        "static void $swap($T **a, $T **b) {
        $T *t = *a;
        *a = *b;
        *b = t;
        }

        static $U *$set(void *where, const $U *value) {
        $U *target = where;
        *target = value ? *value : $k;
        return target;
        }",
        &[("swap", &swap), ("set", &set), ("T", t.name()), ("U", u.name()), ("k", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "$T x = $a, y = $b, z = $c;
        $T *p = &x, *q = &y, **pp = &p, ***ppp = &pp;
        $T *table[3] = { &x, &y, &z };
        struct { $T *in; $T **out; struct { void *deep; } nest; } s = { &z, &q, { &x } };
        $U m = $d, k = $e;
        **pp = $f; $swap(&p, &q); ***ppp += 3; *pp = &z; (***ppp)++;
        mix(x); mix(y); mix(z); mix(*p); mix(*q); mix(p == &z); mix(q == *s.out);
        *s.in ^= $a; **s.out -= 2; *($T *)s.nest.deep |= 1;
        for (int i = 0; i < 3; i++) { *table[i] += i; mix(*table[i]); table[i] = table[(i + 1) % 3]; }
        mix(table[0] == &y); mix(*table[2] == y);
        mix(*$set(&m, &k)); mix(*$set(&k, 0)); mix(m); mix(k);
        void *v = p; const void *w = v;
        mix(v == w); mix(*(const $T *)w == *p); mix(v ? 1 : 2); mix(!v);
        $T (*whole)[3] = &($T[3]){ x, y, z };
        mix((*whole)[1]); mix(sizeof *whole == 3 * sizeof($T)); (*whole)[2] = $b; mix(2[*whole]);
        p = (m & 1) ? &x : &y; *p = 7; q = 0;
        mix(x); mix(y); mix(q == 0); mix(p != q); mix(p && !q);
        printf(\"%lld %lld %lld\\n\", (long long)x, (long long)y, (long long)z);",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("swap", &swap),
            ("set", &set),
            ("a", &g.value()),
            ("b", &g.value()),
            ("c", &g.value()),
            ("d", &g.value()),
            ("e", &g.value()),
            ("f", &g.value()),
        ],
    );
    g.scenario("pointers", &body);
}

/// Arrays of arrays, rows as parameters, pointers to rows.
pub fn matrix(g: &mut Gen) {
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::UChar, Int::LLong, Int::UInt, Int::Long]);
    let (rows, cols) = (g.rng.range(2, 4), g.rng.range(2, 4));
    let f = g.name("row");
    g.function(&fill(
        "static $T $f($T m[][$c], int n, $T (*const last)[$c]) {
        $T total = 0;
        for (int i = 0; i < n; i++)
        for (int j = 0; j < $c; j++) total += m[i][j] * (j + 1);
        (*last)[0] += total;
        return total;
        }",
        &[("f", &f), ("T", t.name()), ("c", &cols.to_string())],
    ));
    let global = g.name("m");
    let values = g.values((rows * cols - 1) as usize);
    g.decl(&format!("static {} {global}[{rows}][{cols}] = {{ {values} }};", t.name()));
    let body = fill(
        "$T a[$r][$c] = { { $x }, { $y, $x }, }, cube[2][$r][$c] = { [1][$q] = { $y } };
        mix($f($g, $r, &$g[$q])); mix($f(a, $r, a + 1));
        $T (*p)[$c] = $g + 1, *flat = &$g[0][0];
        mix((*p)[0]); mix(p[-1][$d]); mix(*(*(p - 1) + 1)); mix(p - $g); mix(*flat); mix(flat[$d]);
        for (int i = 0; i < $r; i++)
        for (int j = 0; j < $c; j++) {
        a[i][j] += $g[$r - 1 - i][j] * (i - j);
        cube[i & 1][i][j] = a[i][j] ^ cube[1][$q][0];
        mix(&$g[i][j] - &$g[i][0]); mix(a[i][j]);
        }
        for (int k = 0; k < 2; k++)
        for (int i = 0; i < $r; i++)
        for (int j = 0; j < $c; j++) mix(cube[k][i][j]);
        memcpy(a, cube[1], sizeof a);
        mix(a[$q][$d]); mix(sizeof a); mix(sizeof a[0]); mix(sizeof cube / sizeof *cube); mix(sizeof **cube);
        mix((char *)&cube[1] - (char *)cube); mix((char *)(cube[0] + 1) - (char *)cube[0]);
        printf(\"%lld %lld\\n\", (long long)a[0][0], (long long)$g[$q][$d]);",
        &[
            ("T", t.name()),
            ("f", &f),
            ("g", &global),
            ("r", &rows.to_string()),
            ("c", &cols.to_string()),
            ("q", &g.rng.below(rows as usize).to_string()),
            ("d", &g.rng.below(cols as usize).to_string()),
            ("x", &g.value()),
            ("y", &g.value()),
        ],
    );
    g.scenario("matrix", &body);
}

/// Objects seen as bytes, and objects put together from bytes.
pub fn bytes(g: &mut Gen) {
    let mut body = String::new();
    for i in 0..3 {
        let t = g.rng.pick(&INTS[1..]);
        let value = g.value();
        let (from, to) = (g.rng.below(2), g.rng.below(2));
        body += &fill(
            "$T x$i = $v, y$i;
            unsigned char *p$i = (unsigned char *)&x$i;
            for (unsigned k = 0; k < sizeof x$i; k++) mix(p$i[k]);
            p$i[$from * (sizeof x$i - 1)] ^= $mask;
            mix(x$i);
            for (unsigned k = 0; k < sizeof x$i; k++) ((char *)&y$i)[k] = p$i[sizeof x$i - 1 - k];
            mix(y$i); mix(*(signed char *)&y$i); mix(((char *)(&y$i + 1))[-1 - $to * (int)(sizeof y$i - 1)]);\n",
            &[
                ("i", &i.to_string()),
                ("T", t.name()),
                ("v", &value),
                ("from", &from.to_string()),
                ("to", &to.to_string()),
                ("mask", &g.rng.range(1, 255).to_string()),
            ],
        );
    }
    let (a, b) = (g.rng.pick(&[Int::Short, Int::UShort, Int::Int, Int::UChar]), g.rng.range(0, 3));
    body += &fill(
        "unsigned buffer[4] = { $values };
        $A *view = ($A *)buffer;
        for (unsigned k = 0; k < sizeof buffer / sizeof *view; k += 3) { mix(view[k]); view[k] = ($A)(k * 77); }
        for (int k = 0; k < 4; k++) mix(buffer[k]);
        unsigned long long wide;
        memcpy(&wide, (char *)buffer + $b, sizeof wide);
        mix(wide);
        printf(\"%llx\\n\", wide);",
        &[("A", a.name()), ("b", &b.to_string()), ("values", &g.values(4))],
    );
    g.scenario("byte_view", &body);
}

/// Addresses as integers: there and back, alignment, tags in the low bits.
pub fn integers(g: &mut Gen) {
    let t = g.rng.pick(&[Int::Int, Int::LLong, Int::UInt, Int::Long]);
    let body = fill(
        "$T a[4] = { $values }, *p = &a[$i];
        unsigned long n = (unsigned long)p;
        $T *q = ($T *)n;
        mix(q == p); mix(*q); mix((unsigned long)(a + 3) - (unsigned long)a); mix(n % sizeof(int)); mix(n != 0);
        n |= 1; mix(n & 1); q = ($T *)(n & ~1ul); *q += 5; mix(a[$i]); mix(q == p);
        n = (unsigned long)a; n += $i * sizeof(*a); mix(*($T *)n); mix((char *)n - (char *)a);
        void *null = (void *)0; mix((unsigned long)null); mix((long)(($T *)0 + 0)); mix(!(unsigned long)p);
        printf(\"%lld\\n\", (long long)*q);",
        &[
            ("T", t.name()),
            ("values", &g.values(4)),
            ("i", &g.rng.below(4).to_string()),
        ],
    );
    g.scenario("pointer_integers", &body);
}
