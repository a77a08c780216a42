//! Scenarios on bit-fields.

use super::fill;
use super::program::Gen;
use super::types::{Int, Model};

struct Field {
    name: String,
    width: u32,
    /// Whether its values can be read and written without meeting a rule on which compilers
    /// differ (arithmetic on fields wider than `int`).
    narrow: bool,
    boolean: bool,
    /// Its type is an enumeration: it is stored and read, but not computed with.
    enumerated: bool,
}

/// Declares a struct or union of bit-fields and other members; gives its named bit-fields.
fn record(g: &mut Gen, tag: &str, keyword: &str) -> Vec<Field> {
    let enumeration = g.name("fe");
    g.decl(&format!("enum {enumeration} {{ {enumeration}x, {enumeration}y = 7 }};"));
    let mut fields = Vec::new();
    let mut text = String::new();
    for i in 0..g.rng.range(2, 8) {
        let name = format!("f{i}");
        match g.rng.weighted(&[12, 2, 2, 2, 1]) {
            0 => {
                let ty = Int::any(&mut g.rng);
                let most = i64::from(ty.bits(Model::Ilp32));
                let width = match g.rng.below(4) {
                    0 => most,
                    1 => g.rng.range(1, most.min(5)),
                    _ => g.rng.range(1, most),
                };
                text += &format!("{} {name} : {width};\n", ty.name());
                fields.push(Field {
                    name,
                    width: width as u32,
                    narrow: ty.bits(Model::Lp64) <= 32,
                    boolean: ty == Int::Bool,
                    enumerated: false,
                });
            }
            1 => {
                let width = g.rng.range(3, 12);
                text += &format!("enum {enumeration} {name} : {width};\n");
                fields.push(Field {
                    name,
                    width: width as u32,
                    narrow: true,
                    boolean: false,
                    enumerated: true,
                });
            }
            2 => {
                let ty = g.rng.pick(&[Int::Char, Int::Short, Int::Int, Int::UInt, Int::LLong]);
                text += &format!("{} : 0;\n", ty.name());
            }
            3 => {
                let ty = g.rng.pick(&[Int::UChar, Int::Short, Int::Int, Int::UInt, Int::LLong]);
                let width = g.rng.range(1, i64::from(ty.bits(Model::Ilp32)));
                text += &format!("{} : {width};\n", ty.name());
            }
            _ => text += &format!("{} plain{i};\n", Int::any(&mut g.rng).name()),
        }
    }
    if fields.is_empty() {
        text += "unsigned f99 : 9;\n";
        fields.push(Field {
            name: "f99".into(),
            width: 9,
            narrow: true,
            boolean: false,
            enumerated: false,
        });
    }
    let attribute =
        g.rng.pick(&["", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"]);
    g.decl(&format!("{keyword} {tag} {{\n{text}}}{attribute};"));
    fields
}

/// Random stores, compound assignments and steps on the fields of `lvalue`.
fn exercise(g: &mut Gen, lvalue: &str, fields: &[Field], count: i64) -> String {
    let mut body = String::new();
    for _ in 0..count {
        let field = &fields[g.rng.below(fields.len())];
        let f = format!("{lvalue}{}", field.name);
        let value = g.value();
        let choice = if field.enumerated { 0 } else { g.rng.below(8) };
        body += &match choice {
            0 | 1 => format!("{f} = {value};\n"),
            2 => format!("{f} {} {value};\n", g.rng.pick(&["+=", "-=", "*=", "|=", "&=", "^="])),
            3 => g.rng.pick(&["$++;\n", "$--;\n", "++$;\n", "--$;\n"]).replace('$', &f),
            4 if field.narrow => {
                format!("{f} {} {};\n", g.rng.pick(&["<<=", ">>="]), g.rng.below(8))
            }
            5 if field.narrow => {
                format!("{f} {} {};\n", g.rng.pick(&["/=", "%="]), g.rng.range(2, 9))
            }
            6 if field.narrow => format!("mix({f} = {value});\n"),
            7 if field.narrow => g
                .rng
                .pick(&[
                    "mix($++);\n",
                    "mix(--$);\n",
                    "mix($ + 1 < 0u);\n",
                    "mix(-$ - 1 < 0);\n",
                    "mix(~$);\n",
                ])
                .replace('$', &f),
            _ if field.boolean => format!("{f} = 0.5;\n"),
            _ => format!("{f} = {value};\n"),
        };
        if g.rng.chance(30) {
            body += &format!("mix({f});\n");
        }
    }
    body
}

fn read_all(lvalue: &str, fields: &[Field]) -> String {
    fields.iter().map(|f| format!("mix({lvalue}{});\n", f.name)).collect()
}

/// Fields of one struct: locals, globals with initialisers, arrays, copies, pointers.
pub fn fields(g: &mut Gen) {
    let tag = g.name("B");
    let list = record(g, &tag, "struct");
    let global = g.name("gb");
    let inits: Vec<String> = list.iter().map(|f| format!(".{} = {}", f.name, g.value())).collect();
    g.decl(&format!("static struct {tag} {global} = {{ {} }};", inits.join(", ")));
    let first = &list[0].name;
    g.function(&format!(
        "static struct {tag} {global}pass(struct {tag} s, int k) {{\ns.{first} = k;\nreturn s;\n}}"
    ));
    let mut body = format!("struct {tag} x = {global}pass({global}, 1), y, *p = &x;\n");
    body += &format!("mix({global}pass(x, {}).{first});\n", g.value());
    body += &read_all("x.", &list);
    let count = g.rng.range(4, 9);
    body += &exercise(g, "p->", &list, count);
    body += "y = *p;\n";
    body += &exercise(g, "y.", &list, 4);
    body += &format!("struct {tag} v[2] = {{ y, x }};\nv[1] = y;\n");
    body += &exercise(g, "v[1].", &list, 4);
    body += &exercise(g, &format!("{global}."), &list, 2);
    for lvalue in ["x.", "y.", "v[0].", "v[1].", &format!("{global}.")] {
        body += &read_all(lvalue, &list);
    }
    let first = list.iter().find(|f| !f.enumerated).map_or("", |f| &f.name);
    if first.is_empty() {
        return g.scenario("fields", &body);
    }
    body += &fill(
        "if (x.$f) mix(1);
        mix(x.$f ? 3 : 4); mix(x.$f && y.$f); mix(!y.$f); mix(x.$f == y.$f);
        mix(sizeof(struct $tag));
        printf(\"%lld %lld\\n\", (long long)x.$f, (long long)y.$f);",
        &[("f", first), ("tag", &tag)],
    );
    g.scenario("fields", &body);
}

/// The bytes of a zeroed record after stores to its fields: where each bit lies.
pub fn bytes(g: &mut Gen) {
    let tag = g.name("B");
    let list = record(g, &tag, "struct");
    let mut body = format!("struct {tag} x;\nunsigned char b[sizeof x];\n");
    for _ in 0..3 {
        let count = g.rng.range(2, 4);
        body += "memset(&x, 0, sizeof x);\n";
        body += &exercise(g, "x.", &list, count);
        body += "memcpy(b, &x, sizeof x);\nfor (size_t i = 0; i < sizeof x; i++) mix(b[i]);\n";
    }
    body +=
        &format!("memset(&x, {}, sizeof x);\n", g.rng.pick(&["255", "0x55", "-1", "0xa7", "1"]));
    // Every bit pattern is a value of every type here but `_Bool`, whose unit may have others.
    let plain: Vec<Field> = list.into_iter().filter(|f| !f.boolean || f.width == 1).collect();
    body += &read_all("x.", &plain);
    body += "for (size_t i = 0; i < sizeof x; i++) printf(\"%02x\", b[i]);\nprintf(\"\\n\");";
    g.scenario("field_bytes", &body);
}

/// Bit-fields inside unions, read through other members.
pub fn unions(g: &mut Gen) {
    let (tag, inner) = (g.name("U"), g.name("B"));
    let list = record(g, &inner, "struct");
    let (w1, w2, w3) = (g.rng.range(1, 32), g.rng.range(1, 31), g.rng.range(33, 64));
    g.decl(&fill(
        "union $U {
        unsigned char bytes[40];
        struct $B in;
        unsigned u : $w1;
        int i : $w2;
        unsigned long long l : $w3;
        _Bool b : 1;
        struct { unsigned lo : 4, hi : 4; signed char next; };
        };",
        &[
            ("U", &tag),
            ("B", &inner),
            ("w1", &w1.to_string()),
            ("w2", &w2.to_string()),
            ("w3", &w3.to_string()),
        ],
    ));
    let mut body = format!("union {tag} x;\nmemset(&x, 0, sizeof x);\n");
    for _ in 0..g.rng.range(3, 6) {
        let value = g.value();
        body += &match g.rng.below(7) {
            0 => format!("x.u = {value};\n"),
            1 => format!("x.i -= {value};\n"),
            2 => format!("x.l ^= {value};\n"),
            3 => format!("x.hi++;\nx.next = {value};\n"),
            4 => format!("x.b = {value};\n"),
            5 => format!("x.bytes[{}] = {value};\n", g.rng.below(9)),
            _ => exercise(g, "x.in.", &list, 2),
        };
        body += "mix(x.u); mix(x.i); mix(x.l); mix(x.lo); mix(x.hi); mix(x.next);\n";
        body += "for (int k = 0; k < 9; k++) mix(x.bytes[k]);\n";
    }
    body += "mix(sizeof x);\nprintf(\"%u %d %llu\\n\", x.u, x.i, (unsigned long long)x.l);";
    g.scenario("field_unions", &body);
}

/// Arithmetic on bit-fields wider than `int`: gcc computes in a type of the field's width.
pub fn wide(g: &mut Gen) {
    let tag = g.name("W");
    let (w1, w2) = (g.rng.range(33, 63), g.rng.range(33, 63));
    let (w3, w4) = (g.rng.range(1, 31), g.rng.range(32, 40));
    g.decl(&fill(
        "struct $W { unsigned long long a : $w1; long long b : $w2; unsigned long long c : $w3; long long d : $w4; };",
        &[
            ("W", &tag),
            ("w1", &w1.to_string()),
            ("w2", &w2.to_string()),
            ("w3", &w3.to_string()),
            ("w4", &w4.to_string()),
        ],
    ));
    let body = fill(
        "struct $W x = { $a, $b, $c, $d };
        mix(x.a + 1); mix(x.a << $k); mix(x.a * x.a); mix(~x.a); mix(-x.a); mix(x.a - x.b);
        mix(x.b << $k); mix(x.b * 3); mix(x.b + x.d); mix(~x.b >> 3);
        mix(x.c - 100); mix(-x.c < 0); mix(x.c + x.d);
        mix(x.d * x.d); mix(x.d - 1u);
        x.a += x.b; x.b *= x.c + 3; x.a <<= 3; x.b >>= 2; x.d++; --x.a;
        mix(x.a); mix(x.b); mix(x.c); mix(x.d);
        printf(\"%llx %llx\\n\", (unsigned long long)(x.a + x.a), (unsigned long long)(x.b << 1));",
        &[
            ("W", &tag),
            ("a", &g.value()),
            ("b", &g.value()),
            ("c", &g.value()),
            ("d", &g.value()),
            ("k", &g.rng.range(1, 20).to_string()),
        ],
    );
    g.scenario("wide_fields", &body);
}

/// Arithmetic on bit-fields of enumerations: they promote to `int` if it holds their values.
pub fn enumerated(g: &mut Gen) {
    let tag = g.name("F");
    let (w1, w2) = (g.rng.range(4, 31), g.rng.range(4, 32));
    let text = fill(
        "enum ${F}e { ${F}a, ${F}b = 9 };
        enum ${F}m { ${F}x = -3, ${F}y = 5 };
        struct $F { enum ${F}e e : $w1; enum ${F}m m : $w2; };",
        &[("F", &tag), ("w1", &w1.to_string()), ("w2", &w2.to_string())],
    );
    g.decl(&text);
    let body = fill(
        "struct $F x = { $a, $b };
        mix(~x.e); mix(-x.e < 0); mix(x.e - 10 < 0); mix(x.m * 2); mix(~x.m >> 1); mix(x.e < x.m); mix(x.e == ${F}b);
        x.e += 3; x.m--; mix(x.e++); mix(x.m |= 1); mix(!x.e); mix(x.e ? 1 : 2);
        switch (x.m) { case ${F}x: mix(1); break; case ${F}y: mix(2); default: mix(3); }
        printf(\"%d %d\\n\", (int)x.e, (int)x.m);",
        &[("F", &tag), ("a", &g.value()), ("b", &g.value())],
    );
    g.scenario("enum_fields", &body);
}
