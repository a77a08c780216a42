//! Questions about the types and values of expressions and constants.

use base::Random;

/// What one program asks about expressions.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    /// Variables and functions.
    pub text: String,
    /// Calls for `main`.
    pub calls: String,
    pub count: usize,
}

const TYPES: [(&str, &str); 15] = [
    ("b", "_Bool"),
    ("c", "char"),
    ("sc", "signed char"),
    ("uc", "unsigned char"),
    ("s", "short"),
    ("us", "unsigned short"),
    ("i", "int"),
    ("u", "unsigned int"),
    ("l", "long"),
    ("ul", "unsigned long"),
    ("ll", "long long"),
    ("ull", "unsigned long long"),
    ("f", "float"),
    ("d", "double"),
    ("ld", "long double"),
];

/// The number of a type, by `_Generic`.
const KIND: &str = "#define KIND(x) _Generic((x), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, long double: 15, char *: 16, const char *: 17, int *: 18, default: 99)\n";

struct Writer {
    /// A question is asked with this chance in a hundred.
    percent: u64,
    choose: Random,
    out: Expressions,
    /// Questions in the current function; very long functions are slow to compile.
    open: usize,
}

impl Writer {
    fn begin(&mut self) {
        let number = self.out.calls.lines().count();
        self.out.text += &format!("static void ask{number}(void) {{\n");
        self.out.calls += &format!("ask{number}();\n");
        self.open = 0;
    }

    fn end(&mut self) {
        self.out.text += "}\n\n";
    }

    fn ask(&mut self, line: &str) {
        if !self.choose.chance(self.percent) {
            return;
        }
        if self.open == 100 {
            self.end();
            self.begin();
        }
        self.open += 1;
        self.out.count += 1;
        self.out.text += line;
        self.out.text.push('\n');
    }

    /// Kind and size of an expression that need not be evaluated.
    fn kind(&mut self, expression: &str) {
        self.ask(&format!(
            "printf(\"{} %d %d\\n\", KIND({expression}), (int)sizeof({expression}));",
            escape(expression)
        ));
    }

    /// Kind, size and value of an integer expression.
    fn value(&mut self, expression: &str) {
        self.ask(&format!(
            "printf(\"{} %d %d %llx\\n\", KIND({expression}), (int)sizeof({expression}), (unsigned long long)({expression}));",
            escape(expression)
        ));
    }
}

/// A text as a part of a format of `printf`.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%")
}

/// All pairs of types under the operators, constants in all notations, random float constants;
/// of all these questions only `percent` in a hundred.
pub fn generate(rng: &mut Random, floats: usize, percent: u64) -> Expressions {
    let choose = rng.clone();
    let mut w = Writer { percent, choose, out: Expressions::default(), open: 0 };
    w.out.text += KIND;
    for (name, ty) in TYPES {
        w.out.text += &format!("static {ty} {name} = 1;\n");
    }
    w.out.text += "enum e1 { E1A, E1B = 7 };\nenum e2 { E2A = -1, E2B };\nenum e3 { E3A = 0x7fffffff, E3B = 0xffffffffu };\nenum e4 { E4A = -1, E4B = 0x80000000u };\nenum e5 { E5A = 1, E5B = 0x100000000LL };\n";
    w.out.text += "static enum e1 v1;\nstatic enum e2 v2;\nstatic enum e3 v3;\nstatic enum e4 v4;\nstatic enum e5 v5;\n";
    w.out.text += "static struct { int a : 3; unsigned b : 5; unsigned c : 32; int d : 32; _Bool e : 1; short f : 9; } fields;\n";
    w.out.text += "static int array[3][5];\nstatic char text[] = \"text\";\n";
    w.begin();
    operators(&mut w);
    integer_constants(&mut w);
    odd_constants(&mut w);
    float_constants(&mut w, rng, floats);
    w.end();
    w.out
}

/// Wide characters, whose type is `long` for gcc on i386 and `int` elsewhere.
pub fn wide(rng: &mut Random) -> Expressions {
    let choose = rng.clone();
    let mut w = Writer { percent: 100, choose, out: Expressions::default(), open: 0 };
    w.out.text += KIND;
    w.begin();
    for constant in ["sizeof(L\"ab\")", "L'x'", "L'\\xff'", "L\"x\"[0]", "(__WCHAR_TYPE__)-1"] {
        w.value(constant);
    }
    w.end();
    w.out
}

fn operators(w: &mut Writer) {
    for (a, ta) in TYPES {
        for op in ["-", "+", "!"] {
            w.kind(&format!("{op}{a}"));
        }
        for form in ["++$", "$--", "($, $)", "$ = 1", "$ += 1.0f", "&$ - &$", "*&$"] {
            w.kind(&form.replace('$', a));
        }
        let integer = !matches!(a, "f" | "d" | "ld");
        if integer {
            w.kind(&format!("~{a}"));
        }
        for (b, tb) in TYPES {
            let both = integer && !matches!(b, "f" | "d" | "ld");
            for op in ["+", "*", "<", "&&"] {
                w.kind(&format!("{a} {op} {b}"));
            }
            w.kind(&format!("1 ? {a} : {b}"));
            w.kind(&format!("{a} = {b}"));
            w.kind(&format!("({tb}){a}"));
            if both {
                for op in ["%", "&", "<<", ">>", "=="] {
                    w.kind(&format!("{a} {op} {b}"));
                }
                w.kind(&format!("{a} <<= {b}"));
            }
            // Signedness shows in the value too.
            if both {
                w.value(&format!("({ta})-1 < ({tb})1"));
                w.value(&format!("(({ta})-1 + ({tb})0) / 2"));
                w.value(&format!("(({ta})-1 | ({tb})0) >> 1"));
            }
        }
    }
}

fn integer_constants(w: &mut Writer) {
    let values: [u64; 17] = [
        0,
        1,
        127,
        128,
        255,
        256,
        32767,
        65535,
        65536,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0xfedc_ba98_7654_3210,
        u64::MAX,
    ];
    for value in values {
        for suffix in ["", "u", "U", "l", "L", "ul", "lu", "UL", "ll", "LL", "ull", "llu", "uLL"] {
            // A decimal constant above the signed types has no type without `u`.
            if value >> 63 == 0 || suffix.contains(['u', 'U']) {
                w.value(&format!("{value}{suffix}"));
                w.value(&format!("-{value}{suffix}"));
            }
            w.value(&format!("0x{value:x}{suffix}"));
            w.value(&format!("0{value:o}{suffix}"));
            if value < 0x1_0000_0000 {
                w.value(&format!("0b{value:b}{suffix}"));
            }
            w.value(&format!("~0x{value:X}{suffix}"));
        }
    }
}

fn odd_constants(w: &mut Writer) {
    for constant in [
        "'a'",
        "'\\n'",
        "'\\0'",
        "'\\377'",
        "'\\xff'",
        "'\\''",
        "'\"'",
        "'\\\\'",
        "'\\e'",
        "'\\a'",
        "'ab'",
        "'abcd'",
        "u'x'",
        "U'x'",
        "\"str\"[1]",
        "\"\\x41\\1012\"[1]",
        "sizeof(\"four\")",
        "sizeof(\"a\" \"b\\0c\")",
        "sizeof(u\"ab\")",
        "sizeof(U\"ab\")",
        "sizeof(u8\"ab\")",
        "E1A",
        "E1B",
        "E2A",
        "E2B",
        "E3A",
        "E3B",
        "E4A",
        "E4B",
        "E5A",
        "E5B",
        "v1",
        "v2",
        "v3",
        "v4",
        "v5",
        "-v1",
        "v1 - 1 < 0",
        "v2 - 1 < 0",
        "(enum e1)-1 < 0",
        "(enum e2)-1 < 0",
        "sizeof(enum e5)",
        "+fields.a",
        "+fields.b",
        "+fields.c",
        "+fields.d",
        "+fields.e",
        "+fields.f",
        "fields.b - 10 < 0",
        "fields.c - 10 < 0",
        "~fields.e",
        "sizeof(array)",
        "sizeof(array[0])",
        "sizeof(&array[1])",
        "sizeof(array + 0)",
        "sizeof(text)",
        "&text[3] - text",
        "&array[2] - array",
        "sizeof(char[3 + 4])",
        "sizeof(int (*)(void))",
        "_Alignof(double)",
        "_Alignof(long long)",
        "_Alignof(long double)",
        "sizeof(long double)",
        "_Alignof(struct { char c; double d; })",
        "sizeof(struct { char c; double d; })",
        "sizeof(struct { char c; long long d; })",
        "(char)200",
        "(unsigned char)-1",
        "(_Bool)0.5",
        "(short)40000",
        "(int)3000000000u",
        "(unsigned)-1",
        "(long)1.9",
        "(signed char)-129",
        "-1 >> 1",
        "-7 / 2",
        "-7 % 2",
        "7 / -2",
        "7 % -2",
        "-1 > 0u",
        "-1L > 0u",
        "1 << 31",
        "-1u >> 1",
        "(unsigned short)-1 + 1",
        "'z' - 'a'",
        "1 ? -1 : 1u",
        "(1, 2L)",
        "!0.0",
        "!!3.5",
        "0 || 2",
        "1 && 0.5f",
        "-(-2147483647 - 1)",
        "2147483647 + 1",
        "sizeof(1 ? 1 : 1.0)",
        "(char)'\\xe4'",
    ] {
        w.value(constant);
    }
}

/// Decimal and hexadecimal constants, near ties and borders among them.
fn float_constants(w: &mut Writer, rng: &mut Random, count: usize) {
    let fixed = [
        "0.0",
        "0.1",
        "1e0",
        "1.",
        ".5",
        "1e10",
        "1e22",
        "1e23",
        "123456789012345678901234567890.",
        "9007199254740993.0",
        "9007199254740992.9999999",
        "16777217.0",
        "16777216.99999",
        "1.00000005960464477539062",
        "1.000000059604644775390625",
        "1.0000000596046447753906251",
        "1.1754943508222875e-38",
        "1.17549428e-38",
        "1.4e-45",
        "7.006492321624085e-46",
        "7.1e-46",
        "3.4028234663852886e38",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062329e-324",
        "1.7976931348623157e308",
        "0x1p0",
        "0x.8p1",
        "0x1.fffffep127",
        "0x1.ffffffp0",
        "0x1.fffffffffffff8p0",
        "0x1.00000000000008p0",
        "0x1.00000000000007ffp0",
        "0x1p-149",
        "0x1p-1074",
        "0x1.8p-150",
        "3.14159265358979323846264338327950288",
        "0x1.921fb54442d18469898cc51701b839p1",
        "1e-10",
        "5e-1",
    ];
    let mut constants: Vec<String> = fixed.iter().map(|c| c.to_string()).collect();
    while constants.len() < count.max(fixed.len()) {
        constants.push(match rng.below(4) {
            0 => format!("{}.{}e{}", rng.below(10), rng.next(), rng.range(-40, 37)),
            1 => format!("0x{:x}.{:x}p{}", rng.below(16), rng.next(), rng.range(-100, 100)),
            2 => format!("{}{}.{}", rng.next(), rng.next() % 1000, rng.below(100)),
            _ => format!("{}e{}", rng.next(), rng.range(-60, 15)),
        });
    }
    for constant in constants {
        for (suffix, ty, bytes) in [("f", "float", 4), ("", "double", 8), ("L", "long double", 10)]
        {
            // Beyond the range of float the value is infinite or zero, which is not the point.
            w.ask(&format!(
                "{{ {ty} v = {constant}{suffix}; unsigned char p[{bytes}]; memcpy(p, &v, {bytes}); printf(\"{constant}{suffix}\"); for (int k = {bytes} - 1; k >= 0; k--) printf(\"{}%02x\", p[k]); printf(\"\\n\"); }}",
                if bytes > 0 { " " } else { "" }
            ));
        }
    }
}
