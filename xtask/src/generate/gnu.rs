//! Scenarios on GNU extensions and newer C.

use super::fill;
use super::program::Gen;
use super::types::Int;

/// Statement expressions, `typeof`, `?:` without a middle, case ranges, nested scopes.
pub fn expressions(g: &mut Gen) {
    let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
    let body = fill(
        "$T x = $a;
        $U y = $b;
        __typeof__(x + y) s = x + y;
        __typeof__(y) *p = &y, v[2] = { 1, 2 };
        mix(({ int k = 3; for (int i = 0; i < 3; i++) k = k * 2 + i; k; }));
        mix(({ $T t = x; t ^= $k; t; }) + ({ y++; *p; }));
        mix(x ?: 5); mix(({ x; }) == x); mix(s); mix(sizeof(s));
        #define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
        mix(MAX(x, 3)); mix(MAX(MAX(1, (int)y), v[1]));
        #undef MAX
        int hits = 0;
        mix(({ if (x > 2) hits++; else hits += 10; hits; }) ? 1 : 2);
        mix(__builtin_expect(hits > 3, 0)); mix(({ struct { int a, b; } q = { 1, $k }; q; }).b);
        for (int i = 0; i < ({ hits & 3; }); i++) mix(i);
        int outer = ({ int i; for (i = 0; i < 9; i++) if (i * i > $k) break; i; });
        while (({ outer--; outer > 0; })) mix(outer);
        __extension__ long long w = 1LL << 40; mix(w); mix(__alignof__(int)); mix(_Generic(x, _Bool: 1, default: 2));
        _Static_assert(sizeof(int) == 4, \"int\"); __auto_type z = x; mix(z); mix(sizeof z == sizeof x);
        struct { int a; struct { int b; union { int c; float d; }; }; } anon = { 1, { 2, { 3 } } }; mix(anon.b + anon.c);
        mix(((struct { int a; struct { int b; union { int c; float d; }; }; }){ .c = $k, .a = 4 }).c);
        for (int i = 0; i < 5; i++) { int t = ({ if (i == 1) continue; if (i == 3) break; i * 2; }); mix(t); }
        if (({ int q = hits; if (q > 100) goto done; q; }) > 200) hits = 0;
        done:
        printf(\"%d %d\\n\", hits, outer);",
        &[
            ("T", t.name()),
            ("U", u.name()),
            ("a", &g.value()),
            ("b", &g.value()),
            ("k", &g.small()),
        ],
    );
    g.scenario("gnu", &body);
}

/// Built-in functions on integers.
pub fn builtins(g: &mut Gen) {
    let body = fill(
        "unsigned x = (unsigned)$a | 1;
        unsigned long long y = $b | 2ULL;
        int r; unsigned char c;
        mix(__builtin_popcount(x)); mix(__builtin_popcountll(y)); mix(__builtin_clz(x)); mix(__builtin_ctz(x)); mix(__builtin_clzll(y)); mix(__builtin_ctzll(y));
        mix(__builtin_ffs(x)); mix(__builtin_parity(x)); mix(__builtin_bswap32(x)); mix(__builtin_bswap64(y)); mix(__builtin_bswap16((unsigned short)x));
        mix(__builtin_add_overflow((int)x, $k, &r)); mix(r); mix(__builtin_mul_overflow((int)y, 3, &c)); mix(c); mix(__builtin_sub_overflow(1u, x, &r)); mix(r);
        mix(__builtin_abs($k - 50)); mix(_Alignof(double)); mix(__alignof__(x));
        typedef int wide_t __attribute__((mode(DI))); typedef unsigned byte_t __attribute__((mode(QI))); mix(sizeof(wide_t)); mix((byte_t)$a); mix((wide_t)y);
        static __thread int per_thread = $k; mix(per_thread++); mix(per_thread); __asm__ volatile(\"\" ::: \"memory\");
        char from[6] = \"hello\", to[6]; __builtin_memcpy(to, from, 6); mix(__builtin_strlen(to)); mix(__builtin_memcmp(to, from, 6)); __builtin_memset(to, 'x', 2); mix(to[1]);
        struct { int n; int none[0]; } zero = { 3 }; mix(sizeof zero); mix(zero.n); mix(__builtin_choose_expr(1, x, y)); mix(__builtin_types_compatible_p(int, signed));
        if (x == 0) __builtin_unreachable();
        printf(\"%d\\n\", __builtin_popcount(x));",
        &[("a", &g.value()), ("b", &g.value()), ("k", &g.small())],
    );
    g.scenario("builtins", &body);
}

/// Labels as values.
pub fn label_values(g: &mut Gen) {
    let code: String = (0..8).map(|_| g.rng.pick(&['+', '*', '-', '^'])).collect();
    let body = fill(
        "static void *const go[] = { &&add, &&mul, &&sub, &&flip, &&done };
        const char *code = \"$code\";
        int acc = $k, steps = 0;
        next:;
        int op = *code == '+' ? 0 : *code == '*' ? 1 : *code == '-' ? 2 : *code == '^' ? 3 : 4;
        code++; steps++;
        goto *go[op];
        add: acc += 7; goto next;
        mul: acc *= 3; goto next;
        sub: acc -= steps; goto next;
        flip: acc ^= 0x55; goto next;
        done: mix(acc); mix(steps);",
        &[("code", &code), ("k", &g.small())],
    );
    g.scenario("label_values", &body);
}

/// `_Generic` on the types of expressions.
pub fn generic(g: &mut Gen) {
    let macro_name = g.name("KIND");
    g.decl(&fill(
        "#define $K(x) _Generic((x), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, long double: 15, char *: 16, const char *: 17, int *: 18, default: 99)",
        &[("K", &macro_name)],
    ));
    let mut body = String::new();
    for i in 0..5 {
        let (t, u) = (Int::any(&mut g.rng), Int::any(&mut g.rng));
        let op = g.rng.pick(&["+", "<<", "&", "<", "%", "&&"]);
        body += &fill(
            "$T a$i = 1; $U b$i = 1;
            mix($K(a$i $op b$i)); mix($K(a$i)); mix($K(-b$i)); mix($K(1 ? a$i : b$i)); mix($K(a$i++)); mix($K(($U)a$i)); mix($K(&a$i)); mix($K(a$i * 1.0f));\n",
            &[("T", t.name()), ("U", u.name()), ("K", &macro_name), ("op", op), ("i", &i.to_string())],
        );
    }
    for _ in 0..6 {
        let value = g.value();
        body += &format!("mix({macro_name}({value}));\n");
    }
    body += &format!(
        "mix({macro_name}(\"s\")); mix({macro_name}((const char *)0)); mix({macro_name}('c')); mix({macro_name}(1.5L)); mix({macro_name}(sizeof 1));"
    );
    g.scenario("generic", &body);
}
