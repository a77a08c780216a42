//! Scenarios on floating types. NaNs are compared but never printed: their sign and payload are
//! not part of the language.

use super::expr::float_constant;
use super::fill;
use super::program::Gen;
use super::types::{Float, INTS, Int};

fn constants(g: &mut Gen, ty: Float, count: usize) -> String {
    (0..count)
        .map(|_| {
            let value = float_constant(&mut g.rng, ty);
            if g.rng.chance(30) { format!("-{value}") } else { value }
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// Expressions for infinities, NaN, zeros and denormals.
fn specials(ty: Float) -> &'static str {
    match ty {
        Float::Float => "1e38f * 10, -1e38f * 10, 1e38f * 10 - 1e38f * 10, -0.0f, 1e-40f, 3.4e38f",
        Float::Double => "1e308 * 10, -1e308 * 10, 0.0 / 0.0, -0.0, 4.9e-324, 1.7e308",
        Float::LongDouble => {
            "1e4000L * 1e4000L, -1e4000L * 1e4000L, 0.0L / 0.0L, -0.0L, 1e-4940L, 1e4932L"
        }
    }
}

/// All operators over pairs of values, special ones among them.
pub fn arithmetic(g: &mut Gen) {
    let t = g.rng.pick(&[Float::Float, Float::Double]);
    let u = g.rng.pick(&[Float::Float, Float::Double]);
    let (a, b) = (constants(g, t, 4), constants(g, u, 4));
    let mut lines = String::new();
    for op in ["+", "-", "*", "/"] {
        lines += &format!("mixd(a[i] {op} b[j]);\n");
        if g.rng.chance(50) {
            lines += &format!("c = a[i]; c {op}= b[j]; mixd(c);\n");
        }
    }
    for op in ["<", "<=", ">", ">=", "==", "!="] {
        lines += &format!("mix(a[i] {op} b[j]);\n");
        if g.rng.chance(30) {
            lines += &format!("mix(!(a[i] {op} b[j]));\n");
        }
    }
    let body = fill(
        "static const $T a[] = { $a, $special_a };
        $U b[] = { $b, $special_b };
        for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
        $T c;
        $lines
        mix(sizeof(a[i] * b[j])); mix(!a[i]); mix(a[i] && b[j]); mix((_Bool)b[j]);
        mixd(-a[i]); mixd(a[i] > b[j] ? a[i] : b[j]); mixd(a[i] * $k + b[j] / 3);
        if (a[i]) mix(i);
        }
        printf(\"%a %a\\n\", a[0] + b[1], (double)(float)(a[2] * b[3]));",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("a", &a),
            ("b", &b),
            ("special_a", specials(t)),
            ("special_b", specials(u)),
            ("lines", lines.trim_end()),
            ("k", &g.small()),
        ],
    );
    g.scenario("floats", &body);
}

/// Between every integer type and every floating type, in range.
pub fn conversions(g: &mut Gen) {
    let mut body = String::new();
    let values = g.values(6);
    let source = Int::any(&mut g.rng);
    body += &fill(
        "static $S v[6] = { $values };
        for (int i = 0; i < 6; i++) {
        mixd((float)v[i]); mixd((double)v[i]); mixd((double)(long double)v[i]);
        float f = v[i]; double d = v[i];
        mixd(f); mixd(d); mixd(f - d); mixd(v[i] + 0.5); mixd(v[i] * 1.5f); mix(v[i] < 1.5f); mix(v[i] == d);
        }\n",
        &[("S", source.name()), ("values", &values)],
    );
    let ty = g.rng.pick(&[Float::Float, Float::Double, Float::Double, Float::LongDouble]);
    let list = constants(g, ty, 8);
    body += &format!("{} w[8] = {{ {list} }};\nfor (int i = 0; i < 8; i++) {{\n", ty.name());
    for int in INTS {
        if g.rng.chance(40) {
            let (low, high) = int.float_bounds();
            body += &format!("if (w[i] > {low} && w[i] < {high}) mix(({})w[i]);\n", int.name());
        }
    }
    body += "mixd((float)w[i]); mixd((double)w[i]); mixd((float)(double)w[i]);\n";
    body += "_Bool b = w[i]; mix(b);\n";
    let int = g.rng.pick(&[Int::Int, Int::UChar, Int::Short, Int::LLong, Int::ULLong, Int::UInt]);
    let (low, high) = int.float_bounds();
    body += &fill(
        "if (w[i] * 3 > $low && w[i] * 3 < $high) { $I n = w[i] * 3; mix(n); n = w[i]; mix(n); }
        }
        double x = $x;
        printf(\"%d %u %lld %.17g\\n\", (int)$small.75, (unsigned)$big.25, (long long)-$big.5, (double)(float)x);",
        &[
            ("low", low),
            ("high", high),
            ("I", int.name()),
            ("x", &float_constant(&mut g.rng, Float::Double)),
            ("small", &g.small()),
            ("big", &(g.rng.next() & 0x7fff_ffff).to_string()),
        ],
    );
    g.scenario("float_conversions", &body);
}

/// Values through `printf` and through their bytes.
pub fn printing(g: &mut Gen) {
    let (d, f) = (constants(g, Float::Double, 4), constants(g, Float::Float, 4));
    let body = fill(
        "double d[] = { $d };
        float f[] = { $f };
        for (int i = 0; i < 4; i++) {
        unsigned long long bits; unsigned low;
        memcpy(&bits, &d[i], sizeof bits);
        memcpy(&low, &f[i], sizeof low);
        printf(\"%llx %x %a %a\\n\", bits, low, d[i], f[i]);
        printf(\"%.17g %.9g %g|%$format|\\n\", d[i], f[i], d[i] * f[i], d[i]);
        d[i] = d[i] / 3 + f[i];
        f[i] *= f[i];
        printf(\"%e %.3f %s\\n\", d[i], f[i] < 1e9f && f[i] > -1e9f ? f[i] : 1.0, d[i] != d[i] ? \"nan\" : \"number\");
        }
        double big = $big, inf = big * 1e300 * 1e300;
        printf(\"%f %g %d\\n\", inf, -inf, inf > big);",
        &[
            ("d", &d),
            ("f", &f),
            ("format", g.rng.pick(&["12.4g", "-14.3e", "+.2e", " g", "#g", "020.5g", ".0e", "G", ".1a", "E"])),
            ("big", &format!("{}.0", g.rng.below(1000) + 1)),
        ],
    );
    g.scenario("float_print", &body);
}

/// The 80-bit type, through its ten value bytes.
pub fn long_double(g: &mut Gen) {
    let a = constants(g, Float::LongDouble, 3);
    let b = constants(g, Float::Double, 3);
    let f = g.name("ld");
    g.function(&fill(
        "static long double $f(long double x, int n, double y) {
        return n ? x * y + n : x - y;
        }",
        &[("f", &f)],
    ));
    let int = g.rng.pick(&[Int::Int, Int::LLong, Int::ULLong, Int::UInt, Int::Short]);
    let (low, high) = int.float_bounds();
    let body = fill(
        "long double a[] = { $a, $special };
        double b[] = { $b };
        struct { char c; long double m; } s = { 1, $x };
        for (int i = 0; i < 9; i++)
        for (int j = 0; j < 3; j++) {
        mixl(a[i] + b[j]); mixl(a[i] * b[j]); mixl(a[i] / 3); mixl(-a[i]); mixl($f(a[i], j, b[j]));
        mix(a[i] < b[j]); mix(a[i] == (long double)b[j]); mix(!a[i]); mixd((double)a[i]); mixd((float)a[i]);
        if (a[i] > $low && a[i] < $high) { mix(($I)a[i]); a[i] += 1; mixl(a[i]++); }
        s.m = a[i] > 0 ? s.m + b[j] : s.m * 2;
        mixl(s.m); mix(sizeof s.m == sizeof(long double));
        }
        mixl($n); mixl(0.1L); mixl(1.0L / 3.0L); mix(1.0L / 3 == 1.0 / 3);
        printf(\"%.15g %.17g\\n\", (double)s.m, (double)(a[0] * 0.1L));",
        &[
            ("a", &a),
            ("b", &b),
            ("f", &f),
            ("special", specials(Float::LongDouble)),
            ("x", &float_constant(&mut g.rng, Float::LongDouble)),
            ("I", int.name()),
            ("low", low),
            ("high", high),
            ("n", &g.value()),
        ],
    );
    g.scenario("long_double", &body);
}
