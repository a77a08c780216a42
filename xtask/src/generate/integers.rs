//! Scenarios on integer types: conversions, arithmetic, shifts, compound assignment, constants.

use super::expr::{Exprs, Lvalue, Scope, prec};
use super::fill;
use super::program::Gen;
use super::types::{Int, same, shift_mask};

/// All operators on two random types over tables of telling values.
pub fn arithmetic(g: &mut Gen) {
    let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let (a, b) = (g.values(5), g.values(5));
    let mut lines = String::new();
    for op in ["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"] {
        if g.rng.chance(60) {
            lines += &format!("mix(a[i] {op} b[j]);\n");
        }
    }
    for op in ["+", "*", "-", "|"] {
        if g.rng.chance(40) {
            lines +=
                &format!("mix(sizeof(a[i] {op} b[j]) * 2 + ((a[i] {op} b[j]) * 0 - 1 < 0));\n");
        }
    }
    let v = Int::any(&mut g.rng);
    let body = fill(
        "static const $T a[] = { $a };
        $U b[] = { $b };
        for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
        for (unsigned j = 0; j < sizeof b / sizeof b[0]; j++) {
        $lines
        if (b[j] != 0 && b[j] != ($U)-1) {
        mix(a[i] / b[j]);
        mix(a[i] % b[j]);
        }
        $V r = a[i] * 3 + b[j];
        mix(r);
        mix(-a[i]);
        mix(~b[j]);
        mix(i & 1 ? a[i] : b[j]);
        }
        printf(\"%lld %lld\\n\", (long long)(a[1] + b[2]), (long long)(a[3] - b[4]));",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("V", v.name()),
            ("a", &a),
            ("b", &b),
            ("lines", lines.trim_end()),
        ],
    );
    g.scenario("arithmetic", &body);
}

/// Shifts of a random type by variables of another.
pub fn shifts(g: &mut Gen) {
    let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let values = g.values(5);
    let mask = shift_mask(same(t));
    let body = fill(
        "static $T a[5] = { $values };
        for (int i = 0; i < 5; i++) {
        for (int k = 0; k <= $mask; k += $step) {
        $U n = k;
        mix(a[i] >> (n & $mask));
        mix(a[i] << (n & $mask));
        $T c = a[i];
        c $op n & $mask;
        mix(c);
        mix((a[i] >> (k & $mask)) + (1 << (k & 15)));
        mix((unsigned char)a[i] << (k & 23) | a[i] >> 1);
        }
        printf(\"%d \", (int)(a[i] >> 3));
        }
        printf(\"%llx\\n\", (unsigned long long)(a[4] << ($k & $mask)));",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("values", &values),
            ("mask", &mask),
            ("step", g.rng.pick(&["1", "3", "5", "7"])),
            ("op", g.rng.pick(&["<<=", ">>="])),
            ("k", &g.small()),
        ],
    );
    g.scenario("shifts", &body);
}

/// `x op= y` for random pairs of types, among them `_Bool` and floating operands.
pub fn compound(g: &mut Gen) {
    let mut body = String::new();
    for i in 0..g.rng.range(2, 5) {
        let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
        let (x, y) = (format!("x{i}"), format!("y{i}"));
        body += &format!("{} {x} = {};\n{} {y} = {};\n", t.name(), g.value(), u.name(), g.value());
        let mask = shift_mask(same(t));
        for _ in 0..g.rng.range(3, 7) {
            body += &match g.rng.below(9) {
                0..=3 => {
                    let op = g.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                    format!("{x} {op} {y};\n")
                }
                4 => format!("{x} {} {y} & {mask};\n", g.rng.pick(&["<<=", ">>="])),
                5 => format!("{x} {} ({y} & 15) + 1;\n", g.rng.pick(&["/=", "%="])),
                6 if g.rng.chance(50) => format!("{y} = {x} = {};\nmix({y});\n", g.value()),
                6 => format!("{y} += {x} -= {};\n", g.value()),
                7 => float_compound(g, &x, t),
                _ => format!("mix({x} {} {y});\n", g.rng.pick(&["+=", "^=", "*=", "="])),
            };
            body += &format!("mix({x});\n");
        }
        body += &format!("printf(\"%lld %lld\\n\", (long long){x}, (long long){y});\n");
    }
    g.scenario("compound", body.trim_end());
}

/// A compound assignment through a floating type; guarded, for the result must fit again.
fn float_compound(g: &mut Gen, x: &str, t: Int) -> String {
    if t == Int::Bool {
        let op = g.rng.pick(&["+=", "-=", "*="]);
        let value = g.rng.pick(&["0.5", "1.0f", "0.0", "1e-320", "-1.0"]);
        return format!("{x} {op} {value};\n");
    }
    let change = g.rng.pick(&[
        "+= 1.5", "-= 2.5", "*= 1.25f", "/= 0.75", "+= 0.1f", "*= 0.333", "-= 0.9L", "/= 3.0f",
    ]);
    format!("if ({x} > 3 && {x} < 60) {x} {change};\n")
}

/// `++` and `--`, before and after, on variables of every type.
pub fn steps(g: &mut Gen) {
    let mut body = String::new();
    for (i, ty) in super::INTS.iter().enumerate() {
        if g.rng.chance(35) {
            continue;
        }
        let x = format!("x{i}");
        let class = g.rng.pick(&["", "", "static ", "volatile "]);
        body += &format!("{class}{} {x} = {};\n", ty.name(), g.value());
        for _ in 0..g.rng.range(2, 5) {
            let step = g.rng.pick(&["$++", "$--", "++$", "--$"]).replace('$', &x);
            body += &format!("mix({step});\n");
        }
        body += &format!("mix({x});\n");
    }
    let value = g.rng.pick(&["1.5", "-0.5", "1e16", "16777216.0", "0.1"]);
    body += &format!("float f = {value};\ndouble d = {value};\n");
    body += "mixd(f++);\nmixd(--f);\nmixd(d--);\nmixd(++d);\nmixd(f);\nmixd(d);";
    g.scenario("steps", &body);
}

/// Division and remainder of negative numbers.
pub fn division(g: &mut Gen) {
    let t = g.rng.pick(&[Int::SChar, Int::Short, Int::Int, Int::Long, Int::LLong]);
    let u = g.rng.pick(&[Int::SChar, Int::Short, Int::Int, Int::Long, Int::LLong]);
    let a: Vec<String> = (0..5).map(|_| g.rng.range(-130, 130).to_string()).collect();
    let b: Vec<String> = (0..4)
        .map(|_| {
            let n = g.rng.range(1, 60);
            (if g.rng.chance(50) { -n } else { n }).to_string()
        })
        .collect();
    let body = fill(
        "$T a[] = { $a, ($T)$big };
        const $U b[] = { $b };
        for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
        if (b[j] == -1) continue;
        mix(a[i] / b[j]);
        mix(a[i] % b[j]);
        mix((a[i] / b[j]) * b[j] + a[i] % b[j] == a[i]);
        if (i == $i) printf(\"%lld/%lld=%lld,%lld \", (long long)a[i], (long long)b[j], (long long)(a[i] / b[j]), (long long)(a[i] % b[j]));
        }
        printf(\"%u %d\\n\", -7 / 2u, -7 / 2);",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("a", &a.join(", ")),
            ("b", &b.join(", ")),
            ("big", &g.value()),
            ("i", &g.rng.below(6).to_string()),
        ],
    );
    g.scenario("division", &body);
}

/// Chains of conversions between integer types, by casts, initialisers, arguments and returns.
pub fn conversions(g: &mut Gen) {
    let f = g.name("through");
    let (a, r) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    g.function(&format!("static {} {f}({} x) {{\nreturn x;\n}}", r.name(), a.name()));
    let source = Int::any(&mut g.rng);
    let values = g.values(7);
    let mut body = fill(
        "static const $S v[] = { $values };
        for (int i = 0; i < 7; i++) {
        $S x = v[i];",
        &[("S", source.name()), ("values", &values)],
    );
    for i in 0..g.rng.range(3, 8) {
        let (t, u, w) = (Int::any(&mut g.rng), Int::any(&mut g.rng), Int::any(&mut g.rng));
        body += &match g.rng.below(4) {
            0 => format!("\nmix(({})({})({})x);", t.name(), u.name(), w.name()),
            1 => format!("\n{} c{i} = x;\nmix(({})c{i} + 1);", t.name(), u.name()),
            2 => format!("\nmix({f}(({})x));", t.name()),
            _ => format!("\nmix(({})x < ({})x);", t.name(), u.name()),
        };
    }
    body += "\n}";
    g.scenario("conversions", &body);
}

/// Constants in all notations, their sizes and values.
pub fn constants(g: &mut Gen) {
    let mut body = String::new();
    for _ in 0..8 {
        let value = g.value();
        body += &format!("mix({value});\nmix(sizeof({value}) * 2 + ({value} * 0 - 1 < 0));\n");
    }
    for _ in 0..4 {
        let value = g.rng.pick(&[
            "'\\x41'",
            "'\\101'",
            "'\\0'",
            "'\\''",
            "'\"'",
            "'\\?'",
            "'\\b'",
            "'\\f'",
            "'\\r'",
            "'\\xfe'",
            "(int)L'x'",
            "(int)L'\\xe9'",
            "(int)u'A'",
            "(int)U'z'",
            "\"abc\"[1]",
            "\"\\x41\\102\\n\"[2]",
            "sizeof(\"four\")",
            "sizeof(\"a\" \"bc\\0d\")",
            "sizeof('a')",
            "(int)sizeof(L\"ab\") / 4",
            "(\"xyz\" + 1)[1]",
            "*\"q\"",
            "1[\"no\"]",
            "(int)L\"abc\"[1]",
            "u\"abc\"[2]",
            "U\"\\x1f600\"[0] == 0x1f600",
            "(int)sizeof(u8\"x\")",
        ]);
        body += &format!("mix({value});\n");
    }
    let value = g.value();
    body += &format!(
        "printf(\"%d %d\\n\", '{}' + 0, (int)({value} >> 1));",
        g.rng.pick(&["~", "A", "\\xff", "\\n", "%", "\\177"])
    );
    g.scenario("constants", &body);
}

/// Enumerations with negative, repeated and large values, as variables and in switches.
pub fn enums(g: &mut Gen) {
    let tag = g.name("E");
    let negative = g.rng.chance(50);
    let first = if negative { g.rng.range(-300, -1) } else { g.rng.range(0, 9) };
    let jump = g.rng.range(10, 70000);
    g.decl(&fill(
        "enum $E { ${E}_a = $first, ${E}_b, ${E}_c = $jump, ${E}_d = ${E}_c, ${E}_e, ${E}_f = ${E}_e * 2 + (int)sizeof(int), ${E}_g = 'g' };
        typedef enum $E ${E}_t;
        static ${E}_t ${E}_v = ${E}_e;
        struct ${E}_s { enum $E m; unsigned n : 4; };",
        &[("E", &tag), ("first", &first.to_string()), ("jump", &jump.to_string())],
    ));
    let body = fill(
        "${E}_t x = ${E}_b;
        enum $E y = (enum $E)($k);
        struct ${E}_s s = { ${E}_c, $n };
        int count = 0;
        for (x = ${E}_a; x != ${E}_a + 3; x++) {
        switch (x) {
        case ${E}_a: count += 1;
        case ${E}_b: count += 10; break;
        case ${E}_c: count += 100; break;
        default: count += 1000;
        }
        }
        y += ${E}_c;
        s.m -= ${E}_a;
        ${E}_v = ${E}_v ^ $k;
        mix(count); mix(x); mix(y); mix(s.m); mix(${E}_v); mix(sizeof(x)); mix(x - ${E}_f < 0); mix(${E}_a < 0u);
        mix((x > -1) + 2 * (${E}_a > -1)); mix(~y); mix(-y / 2);
        printf(\"%d %d %d %d\\n\", count, (int)x, ${E}_f, ${E}_g);",
        &[("E", &tag), ("k", &g.small()), ("n", &g.small())],
    );
    g.scenario("enums", &body);
}

/// 128-bit integers, where the target has them.
pub fn int128(g: &mut Gen) {
    let name = g.name("int128_");
    let t = g.rng.pick(&["__int128", "unsigned __int128", "__int128_t", "__uint128_t"]);
    let u = g.rng.pick(&["__int128", "unsigned __int128", "long long", "unsigned", "signed char"]);
    let (a, b, c) = (g.value(), g.value(), g.value());
    let text = fill(
        "#ifdef __SIZEOF_INT128__
        static $T $f_g = $a;
        static void $f_mix(unsigned __int128 v) {
        mix((unsigned long long)v);
        mix((unsigned long long)(v >> 64));
        }
        static $T $f_op($T x, $U y) {
        return x * 3 + y;
        }
        static void $f(void) {
        $T x = ($T)$b << $k | $c;
        $U y = $c;
        $T v[3] = { x, y, -x };
        $f_mix(x); $f_mix(y);
        $f_mix(x + y); $f_mix(x - $f_g); $f_mix(x * y); $f_mix(x & ~v[2]); $f_mix(v[1] ^ x << 3);
        for (int i = 0; i < 128; i += 13) {
        $f_mix(x >> i); $f_mix(x << i); $f_mix(-x >> i);
        }
        $f_mix(x / ((y & 63) + 3)); $f_mix(x % ((y & 1023) + 2)); $f_mix(-x / 7); $f_mix(x / ((v[1] >> 1 & 0x7fffffffffffffffLL) + 5));
        mix(x < y); mix(x > v[1]); mix(v[0] == v[2]); mix(!x); mix(x && y);
        $f_mix($f_op(x, y)); x++; --v[1]; x += v[1]; x <<= 5; $f_mix(x); $f_mix(v[1]);
        mix(sizeof(x)); mix((int)x); mix((unsigned char)(x >> 70)); mixd((double)(long long)x); mixd((double)(__int128)(x >> 20));
        struct { char c; $T m; } s = { 1, x };
        $f_mix(s.m); mix(sizeof s); mix((_Bool)x);
        if (y > 2 && y < 100) { $T z = 3.75e20; $f_mix(z); }
        }
        #else
        static void $f(void) {
        mix(128);
        }
        #endif",
        &[
            ("f", &name),
            ("f_g", &format!("{name}g")),
            ("f_mix", &format!("{name}mix")),
            ("f_op", &format!("{name}op")),
            ("T", t),
            ("U", u),
            ("a", &a),
            ("b", &b),
            ("c", &c),
            ("k", &g.small()),
        ],
    );
    g.function(&text);
    g.main(&format!("{name}();"));
    g.show(&name);
}

/// `&&`, `||`, `?:` and commas with side effects in their operands.
pub fn logic(g: &mut Gen) {
    let mut scope = Scope { statements: true, ..Scope::default() };
    let mut body = String::new();
    for i in 0..3 {
        let ty = Int::any(&mut g.rng);
        body += &format!("{} r{i} = {};\n", ty.name(), g.value());
        scope.reads.push(Lvalue::Plain { text: format!("r{i}"), ty });
    }
    for i in 0..4 {
        let ty = Int::any(&mut g.rng);
        body += &format!("{} s{i} = {};\n", ty.name(), g.value());
        scope.sides.push((format!("s{i}"), ty));
    }
    for _ in 0..g.rng.range(3, 6) {
        let mut e = Exprs::new(&mut g.rng, &scope);
        let (a, b, c) = (e.int(2), e.int(2), e.int(1));
        if a.text.len() + b.text.len() > 300 {
            continue;
        }
        let op = g.rng.pick(&["&&", "||"]);
        body += &match g.rng.below(4) {
            0 => format!(
                "if ({} {op} {}) mix({});\n",
                a.at(prec::EQ),
                b.at(prec::EQ),
                c.at(prec::ASSIGN)
            ),
            1 => format!(
                "mix(({}, {}) ? {} : 5);\n",
                a.at(prec::ASSIGN),
                b.at(prec::ASSIGN),
                c.at(prec::COND)
            ),
            2 => format!(
                "mix(!({} {op} {}) + 2 * !!({}));\n",
                a.at(prec::EQ),
                b.at(prec::EQ),
                c.text
            ),
            _ => format!(
                "r0 = {} {op} {} {op} {};\nmix(r0);\n",
                a.at(prec::EQ),
                b.at(prec::EQ),
                c.at(prec::EQ)
            ),
        };
        body += "mix(s0); mix(s1); mix(s2); mix(s3);\n";
    }
    let (x, y) = (g.small(), g.small());
    body += &fill(
        "int k = $x, *p = &k, *q = 0;
        q = p && *p > $y ? p : 0;
        if (q && ++*q > 3 || (k += 2, k & 1)) mix(k);
        mixd(k > $y ? 1 : 2.5);
        mixd(k & 1 ? 3.5f : k);
        mix((p ? p : q) == p); mix(!q); mix(q == 0 || *q == k);
        printf(\"%d %d\\n\", k, !!q);",
        &[("x", &x), ("y", &y)],
    );
    g.scenario("logic", &body);
}
