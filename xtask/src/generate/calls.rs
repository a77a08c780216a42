//! Scenarios on functions: recursion, pointers to functions, variadic functions, static locals.

use super::fill;
use super::program::Gen;
use super::types::{INTS, Int};

/// Recursion: direct, mutual, with arrays and static state.
pub fn recursion(g: &mut Gen) {
    let f = g.name("re");
    let t = g.rng.pick(&[Int::Int, Int::UInt, Int::LLong, Int::Short, Int::UChar]);
    let text = fill(
        "static $T ${f}fib(int n) {
        return n < 2 ? n : ${f}fib(n - 1) + ${f}fib(n - 2) * $k;
        }

        static int ${f}odd(unsigned n);

        static int ${f}even(unsigned n) {
        if (n == 0) return 1;
        return ${f}odd(n - 1);
        }

        static int ${f}odd(unsigned n) {
        return n ? ${f}even(n - 1) : 0;
        }

        static $T ${f}fill($T *a, int low, int high) {
        static int calls;
        $T local[2] = { ++calls, low };
        if (high - low < 2) return a[low] ^= local[0];
        int mid = low + (high - low) / 2;
        $T l = ${f}fill(a, low, mid);
        $T r = ${f}fill(a, mid, high);
        mix(local[0] + local[1]);
        return l - r * 3;
        }

        static unsigned ${f}ack(unsigned m, unsigned n) {
        if (!m) return n + 1;
        if (!n) return ${f}ack(m - 1, 1);
        return ${f}ack(m - 1, ${f}ack(m, n - 1));
        }

        static int ${f}up(int n, int *caller) {
        int mine = n * 3, r = 0;
        if (n > 0) r = ${f}up(n - 1, &mine);
        *caller += mine;
        return r + mine + n;
        }

        static int ${f}gcd(int a, int b) {
        return b ? ${f}gcd(b, a % b) : a;
        }",
        &[("f", &f), ("T", t.name()), ("k", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "$T a[8] = { $values };
        for (int i = 0; i < $n; i++) mix(${f}fib(i));
        int top = 1; mix(${f}up($n, &top)); mix(top);
        mix(${f}fill(a, 0, 8)); mix(${f}fill(a, 2, $m));
        for (int i = 0; i < 8; i++) mix(a[i]);
        printf(\"%d %d %u %d\\n\", ${f}even($e), ${f}odd($e), ${f}ack(2, $k), ${f}gcd($x, $y));",
        &[
            ("f", &f),
            ("T", t.name()),
            ("values", &g.values(8)),
            ("n", &g.rng.range(4, 10).to_string()),
            ("m", &g.rng.range(4, 8).to_string()),
            ("e", &g.rng.below(20).to_string()),
            ("k", &g.rng.below(4).to_string()),
            ("x", &g.rng.range(1, 5000).to_string()),
            ("y", &g.rng.range(1, 500).to_string()),
        ],
    );
    g.scenario("recursion", &body);
}

/// Function pointers: tables, parameters, results, members, conversions back and forth.
pub fn tables(g: &mut Gen) {
    let f = g.name("ta");
    let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    g.decl(&fill(
        "typedef $T (*${f}op)($U, int);
        struct ${f}entry { const char *name; ${f}op op; int argument; };",
        &[("f", &f), ("T", t.name()), ("U", u.name())],
    ));
    let n = g.rng.range(3, 5);
    let mut names = Vec::new();
    for i in 0..n {
        let body = g.rng.pick(&[
            "return x + y;",
            "return x - y * 3;",
            "return x ^ y << 2;",
            "return x > y ? x : y;",
            "return x / ((y & 7) + 1);",
            "mix(x); return y;",
            "static int state; state += y; return x + state;",
        ]);
        g.function(&format!("static {} {f}f{i}({} x, int y) {{\n{body}\n}}", t.name(), u.name()));
        names.push(format!("{f}f{i}"));
    }
    let entries: Vec<String> =
        names.iter().map(|name| format!("{{ \"{name}\", {name}, {} }}", g.small())).collect();
    g.function(&fill(
        "static ${f}op ${f}table[$n] = { $names };
        static const struct ${f}entry ${f}entries[] = { $entries };

        static $T ${f}apply(${f}op op, $U x, int y) {
        return op ? op(x, y) : 0;
        }

        static ${f}op ${f}choose(unsigned i) {
        return i < $n ? ${f}table[i] : 0;
        }

        static $T (*${f}chain(int i, $T (*other)($U, int)))($U, int) {
        return i & 1 ? other : *${f}f0;
        }",
        &[
            ("f", &f),
            ("n", &n.to_string()),
            ("names", &names.join(", ")),
            ("entries", &entries.join(", ")),
            ("T", t.name()),
            ("U", u.name()),
        ],
    ));
    let body = fill(
        "for (unsigned i = 0; i <= $n; i++) {
        ${f}op op = ${f}choose(i);
        mix(op != 0); mix(${f}apply(op, $v, i)); mix(op == ${f}f1);
        if (op) { mix(op($w, 3)); mix((*op)(2, $k)); mix((**op)(i, i)); }
        }
        for (const struct ${f}entry *e = ${f}entries; e < ${f}entries + $n; e++) { mix(e->op(e->argument, 1)); mix(e->name[0]); }
        mix(${f}chain(1, ${f}f2)($v, 2)); mix(${f}chain(2, ${f}f2)(1, 2)); mix((${f}table[1] == &${f}f1) + (${f}chain(1, ${f}f1) == ${f}f1));
        $T (*local[2])($U, int) = { ${f}f1, ${f}table[0] };
        void (*any)(void) = (void (*)(void))local[1];
        mix((($T (*)($U, int))any)(5, 6)); mix(local[$k & 1](7, 8)); mix(($k & 2 ? ${f}f0 : ${f}f1)($w, 9));
        ${f}table[2] = ${f}table[0]; mix(${f}choose(2)(1, 1));
        printf(\"%lld %s\\n\", (long long)${f}apply(${f}f0, 3, 4), ${f}entries[$n - 1].name);",
        &[
            ("f", &f),
            ("n", &n.to_string()),
            ("T", t.name()),
            ("U", u.name()),
            ("v", &g.value()),
            ("w", &g.value()),
            ("k", &g.small()),
        ],
    );
    g.scenario("tables", &body);
}

/// Variadic functions that read every kind of argument.
pub fn variadic(g: &mut Gen) {
    let f = g.name("va");
    g.function(&fill(
        "static long long $f(const char *kinds, ...) {
        __builtin_va_list ap, again;
        long long total = 0;
        __builtin_va_start(ap, kinds);
        __builtin_va_copy(again, ap);
        for (const char *k = kinds; *k; k++) {
        switch (*k) {
        case 'i': total = total * 3 + __builtin_va_arg(ap, int); break;
        case 'u': total ^= __builtin_va_arg(ap, unsigned); break;
        case 'l': total += __builtin_va_arg(ap, long); break;
        case 'L': total -= __builtin_va_arg(ap, long long); break;
        case 'd': mixd(__builtin_va_arg(ap, double)); break;
        case 's': total += __builtin_va_arg(ap, const char *)[0]; break;
        case 'p': ++*__builtin_va_arg(ap, int *); break;
        }
        mix(total);
        }
        if (kinds[0] == 'i') total += __builtin_va_arg(again, int);
        __builtin_va_end(again);
        __builtin_va_end(ap);
        return total;
        }

        static int ${f}sum(int n, __builtin_va_list ap) {
        int total = 0;
        while (n-- > 0) total = total * 5 + __builtin_va_arg(ap, int);
        return total;
        }

        static int ${f}pass(char first, int n, ...) {
        __builtin_va_list ap;
        __builtin_va_start(ap, n);
        int r = ${f}sum(n, ap) + first;
        __builtin_va_end(ap);
        return r;
        }",
        &[("f", &f)],
    ));
    let mut body =
        format!("int cell = {};\nshort small = {};\nfloat half = 0.5f;\n", g.small(), g.value());
    for _ in 0..g.rng.range(2, 4) {
        let (mut kinds, mut arguments) = (String::new(), String::new());
        for _ in 0..g.rng.range(0, 7) {
            let (kind, argument) = match g.rng.below(9) {
                0 => ('i', format!("(int){}", g.value())),
                1 => (
                    'i',
                    g.rng
                        .pick(&["small", "'c'", "(signed char)200", "(_Bool)5", "small > 3"])
                        .to_string(),
                ),
                2 => ('u', format!("(unsigned){}", g.value())),
                3 => ('l', format!("(long){}", g.value())),
                4 => ('L', format!("(long long){}", g.value())),
                5 => ('d', "half".to_string()),
                6 => ('d', format!("{}.25", g.small())),
                7 => ('s', "\"text\"".to_string()),
                _ => ('p', "&cell".to_string()),
            };
            kinds.push(kind);
            arguments += &format!(", {argument}");
        }
        body += &format!("mix({f}(\"{kinds}\"{arguments}));\n");
    }
    let n = g.rng.range(0, 4);
    let values: String = (0..n).map(|_| format!(", {}", g.small())).collect();
    body += &format!(
        "mix(cell);\nlong long (*p)(const char *, ...) = {f};\nmix(p(\"id\", 3, 4.5));\nprintf(\"%d %d\\n\", cell, {f}pass('c', {n}{values}));"
    );
    g.scenario("variadic", &body);
}

/// Static locals, shadowing, `extern` in blocks, tentative definitions, qualifiers.
pub fn statics(g: &mut Gen) {
    let f = g.name("st");
    let t = g.rng.pick(&INTS[1..]);
    let n = g.rng.range(3, 6);
    let text = fill(
        "int ${f}g;
        static const $T ${f}c = $v;
        extern int ${f}later;",
        &[("f", &f), ("T", t.name()), ("v", &g.value())],
    );
    g.decl(&text);
    let text = fill(
        "static $T *${f}count(int step) {
        static $T n = $v, table[4] = { [1] = 2 };
        static int calls, *last = &calls;
        n += step;
        table[calls++ & 3] = n;
        mix(table[1] + *last);
        return &n;
        }

        static int ${f}other(void) {
        static int n = 100;
        return n++;
        }

        int ${f}g = $w;
        int ${f}later = 3;",
        &[("f", &f), ("T", t.name()), ("v", &g.value()), ("w", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "int x = 1;
        {
        int y = x + 1, x = y * 5;
        { extern int ${f}g; register int x = ${f}g; x++; mix(x); ${f}g += x; }
        mix(x);
        for (int x = 0; x < 2; x++) { short x = 300; x++; mix(x); }
        }
        mix(x); mix(${f}g); mix(${f}later);
        for (int i = 0; i < $n; i++) { mix(*${f}count(i)); ++*${f}count(0); mix(${f}other() + i); }
        volatile int v = $k; v++; v += v; mix(v); const volatile short cv = 7; mix(cv);
        struct x { int x; } s = { x }; x: mix(s.x++); if (s.x < 4) goto x;
        typedef unsigned char byte; { int byte = 500; mix(byte); } byte b = 500; mix(b); mix((byte)-1); mix(${f}c);
        printf(\"%d %d\\n\", x, ${f}other());",
        &[("f", &f), ("n", &n.to_string()), ("k", &g.small())],
    );
    g.scenario("statics", &body);
}

/// Functions defined and called in the old style, array parameters, `inline`, `_Noreturn`.
pub fn old_style(g: &mut Gen) {
    let f = g.name("os");
    let t = g.rng.pick(&[Int::Char, Int::Short, Int::UChar, Int::Int, Int::LLong]);
    let text = fill(
        "static long long ${f}old(a, b, c, p)
        $T a;
        float b;
        int c;
        const char *p;
        {
        a += $k;
        return a * 2 + (long long)(b * 4) - c + p[1];
        }

        static int ${f}none() {
        return $k;
        }

        static int ${f}arrays(int a[static 2], const int b[], int (*c)[2], int *const d[2]) {
        a[0] += b[1];
        return a[0] * 2 + (*c)[1] + *d[1];
        }

        static __inline __const int *${f}words(__const int *__restrict p, __signed__ char c, __volatile__ int *v) {
        *v += c;
        return p + (c & 1);
        }

        static inline __attribute__((always_inline)) int ${f}line(const int x) {
        return x << 1;
        }

        extern int ${f}ext(int), ${f}value;

        static void ${f}void(int *p) {
        if (*p > 3) return;
        (void)(*p += 10);
        }

        int ${f}ext(int x) {
        return x + ${f}value;
        }

        int ${f}value = $v;",
        &[("f", &f), ("T", t.name()), ("k", &g.small()), ("v", &g.small())],
    );
    g.function(&text);
    let body = fill(
        "short s = $v;
        int x[2] = { $k, 2 }, y[3] = { 3, 4, 5 };
        mix(${f}old(($T)s, 2.5f, 'c', \"text\")); mix(${f}old(($T)1, $k.25, s, \"ab\")); mix(${f}none());
        mix(${f}arrays(x, y + 1, &x, (int *[]){ x, y })); mix(x[0]); mix(${f}line(s)); mix(${f}ext(s));
        ${f}void(x); ${f}void(x + 1); mix(x[0]); mix(x[1]); ${f}value++; mix(${f}ext(1));
        mix(*${f}words(y, s, x)); mix(x[0]);
        s > 3 ? ${f}void(y) : (void)0; mix(y[0]);
        printf(\"%d %d\\n\", x[0], y[0]);",
        &[("f", &f), ("T", t.name()), ("v", &g.value()), ("k", &g.small())],
    );
    g.scenario("old_style", &body);
}
