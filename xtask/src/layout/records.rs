//! Random record types, and C functions that print how they are laid out.

use base::Random;

/// What one program asks about records.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Types and functions.
    pub text: String,
    /// Calls for `main`.
    pub calls: String,
    pub records: usize,
    pub fields: usize,
}

/// A member that can be named in `offsetof` or assigned to.
struct Member {
    path: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The member has an offset and a size.
    Whole,
    /// The member has an offset only: it is an array without a length.
    Open,
    /// Only the bits of the member can be seen.
    Bits { boolean: bool },
}

struct Writer<'a> {
    rng: &'a mut Random,
    next: u32,
    /// Enumerations used as member types.
    enums: Vec<String>,
    /// Whether there are also combinations on which gcc has rules of its own: `packed` where `#pragma pack` is in
    /// effect, `aligned` on bit-fields and on their types.
    exotic: bool,
    /// Whether the record at hand is inside a `#pragma pack`.
    pragma: bool,
}

const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const OTHERS: [&str; 8] =
    ["float", "double", "long double", "char *", "void *", "big_t", "double_t_", "int_pair_t"];

/// The least width of each of `INTEGERS` under both data models.
const WIDTHS: [i64; 12] = [1, 8, 8, 8, 16, 16, 32, 32, 32, 32, 64, 64];

/// Types of bit-fields that are aligned otherwise than their size says, and their widths.
const TYPEDEFS: [(&str, i64); 5] =
    [("int_1_t", 32), ("int_2_t", 32), ("int_8_t", 32), ("long_4_t", 64), ("short_16_t", 16)];

/// Writes `count` types, numbered from `first`.
pub fn generate(rng: &mut Random, first: usize, count: usize, exotic: bool) -> Records {
    let mut out = Records::default();
    out.text.push_str(
        "#ifdef __SIZEOF_INT128__\ntypedef __int128 big_t;\n#else\ntypedef long long big_t;\n#endif\n\
         typedef double double_t_ __attribute__((aligned(4)));\n\
         typedef struct { char a; int b; } int_pair_t;\n\
         enum low { LOW_A, LOW_B = 3 };\nenum minus { MINUS_A = -2, MINUS_B = 5 };\n\
         static void dump(const char *name, const void *object, unsigned size) {\n\
         const unsigned char *p = object;\n\
         printf(\"%s bits\", name);\n\
         for (unsigned i = 0; i < size; i++)\nif (p[i]) printf(\" %u:%02x\", i, p[i]);\n\
         printf(\"\\n\");\n}\n",
    );
    if exotic {
        for (name, ty, bytes) in [
            ("int_1_t", "int", 1),
            ("int_2_t", "int", 2),
            ("int_8_t", "int", 8),
            ("long_4_t", "long long", 4),
            ("short_16_t", "short", 16),
        ] {
            out.text += &format!("typedef {ty} {name} __attribute__((aligned({bytes})));\n");
        }
    }
    let mut writer = Writer {
        rng,
        next: 0,
        enums: vec!["enum low".into(), "enum minus".into()],
        exotic,
        pragma: false,
    };
    for number in first..first + count {
        writer.record(number, &mut out);
    }
    out
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("m{}", self.next)
    }

    fn record(&mut self, number: usize, out: &mut Records) {
        let keyword = if self.rng.chance(80) { "struct" } else { "union" };
        let pack =
            if self.rng.chance(15) { Some(self.rng.pick(&["1", "2", "4", "8"])) } else { None };
        self.pragma = pack.is_some();
        let mut members = Vec::new();
        let count = self.rng.range(1, 9);
        let body = self.members(count, "", keyword == "struct", 2, &mut members);
        if members.is_empty() {
            return;
        }
        let attribute = self.record_attribute();
        if let Some(pack) = pack {
            out.text += &format!("#pragma pack(push, {pack})\n");
        }
        out.text += &format!("{keyword} R{number} {{\n{body}}}{attribute};\n");
        if pack.is_some() {
            out.text += "#pragma pack(pop)\n";
        }
        let ty = format!("{keyword} R{number}");
        out.text += &format!(
            "static {ty} r{number};\nstatic void f{number}(void) {{\n\
             printf(\"R{number} %d %d\\n\", (int)sizeof({ty}), (int)_Alignof({ty}));\n"
        );
        for member in &members {
            let path = &member.path;
            out.text += &match member.kind {
                Kind::Whole => format!(
                    "printf(\"R{number}.{path} %d %d\\n\", (int)__builtin_offsetof({ty}, {path}), (int)sizeof(r{number}.{path}));\n"
                ),
                Kind::Open => format!(
                    "printf(\"R{number}.{path} %d\\n\", (int)__builtin_offsetof({ty}, {path}));\n"
                ),
                Kind::Bits { boolean } => format!(
                    "memset(&r{number}, 0, sizeof r{number});\nr{number}.{path} = {};\ndump(\"R{number}.{path}\", &r{number}, sizeof r{number});\n",
                    if boolean { "1" } else { "-1" }
                ),
            };
        }
        out.text += "}\n\n";
        out.calls += &format!("f{number}();\n");
        out.records += 1;
        out.fields += members.len();
    }

    fn record_attribute(&mut self) -> String {
        let choice = self.rng.below(12);
        if self.pragma && !self.exotic && matches!(choice, 0 | 1 | 3) {
            return String::new();
        }
        match choice {
            0 | 1 => " __attribute__((packed))".into(),
            2 => format!(" __attribute__((aligned({})))", self.rng.pick(&[2, 4, 8, 16, 32])),
            3 => format!(" __attribute__((packed, aligned({})))", self.rng.pick(&[2, 4, 8])),
            _ => String::new(),
        }
    }

    /// The text of some members; what can be asked about them is added to `members`.
    fn members(
        &mut self,
        count: i64,
        prefix: &str,
        in_struct: bool,
        depth: u32,
        members: &mut Vec<Member>,
    ) -> String {
        let mut text = String::new();
        for at in 0..count {
            let last = at + 1 == count && at > 0 && prefix.is_empty() && in_struct;
            text += &self.member(prefix, depth, last, members);
        }
        text
    }

    fn member(
        &mut self,
        prefix: &str,
        depth: u32,
        last: bool,
        members: &mut Vec<Member>,
    ) -> String {
        let name = self.name();
        let path = format!("{prefix}{name}");
        match self.rng.weighted(&[
            10,
            9,
            3,
            if depth > 0 { 3 } else { 0 },
            // An array without a length needs a named member before it.
            u32::from(last && !members.is_empty()),
        ]) {
            0 => {
                let ty = self.scalar();
                let attribute = match self.rng.below(14) {
                    0 if self.pragma && !self.exotic => String::new(),
                    0 => " __attribute__((packed))".to_string(),
                    1 => format!(" __attribute__((aligned({})))", self.rng.pick(&[1, 2, 4, 8, 16])),
                    _ => String::new(),
                };
                let before = if self.rng.chance(4) {
                    format!("_Alignas({}) ", self.rng.pick(&["16", "32", "long double"]))
                } else {
                    String::new()
                };
                members.push(Member { path, kind: Kind::Whole });
                format!("{before}{ty} {name}{attribute};\n")
            }
            1 => self.bit_field(&name, path, members),
            2 => {
                let ty = self.scalar();
                let (a, b) = (self.rng.range(1, 5), self.rng.range(1, 3));
                members.push(Member { path: format!("{path}[{}]", a - 1), kind: Kind::Whole });
                members.push(Member { path, kind: Kind::Whole });
                if self.rng.chance(30) {
                    format!("{ty} {name}[{a}][{b}];\n")
                } else {
                    format!("{ty} {name}[{a}];\n")
                }
            }
            3 => self.nested(&name, prefix, depth, members),
            _ => {
                let ty = self.scalar();
                members.push(Member { path, kind: Kind::Open });
                format!("{ty} {name}[];\n")
            }
        }
    }

    fn scalar(&mut self) -> String {
        match self.rng.below(10) {
            0..=6 => self.rng.pick(&INTEGERS).to_string(),
            7 | 8 => self.rng.pick(&OTHERS).to_string(),
            _ => self.rng.pick(&self.enums),
        }
    }

    fn bit_field(&mut self, name: &str, path: String, members: &mut Vec<Member>) -> String {
        if self.rng.chance(12) {
            let ty = self.rng.pick(&INTEGERS[1..]);
            return format!("{ty} : 0;\n");
        }
        if self.rng.chance(15) {
            let width = self.rng.range(3, 32);
            members.push(Member { path, kind: Kind::Bits { boolean: false } });
            return format!("{} {name} : {width};\n", self.rng.pick(&self.enums));
        }
        let index = self.rng.below(INTEGERS.len());
        let (mut ty, mut most) = (INTEGERS[index], WIDTHS[index]);
        let mut boolean = index == 0;
        if self.exotic && self.rng.chance(5) {
            ((ty, most), boolean) = (self.rng.pick(&TYPEDEFS), false);
        }
        let width = match self.rng.below(5) {
            0 => most,
            1 => self.rng.range(1, most.min(4)),
            _ => self.rng.range(1, most),
        };
        if self.rng.chance(12) {
            return format!("{ty} : {width};\n");
        }
        let attribute = match self.rng.below(20) {
            0 if self.pragma && !self.exotic => String::new(),
            1 if !self.exotic => String::new(),
            0 => " __attribute__((packed))".to_string(),
            1 => format!(" __attribute__((aligned({})))", self.rng.pick(&[1, 2, 4, 8])),
            _ => String::new(),
        };
        members.push(Member { path, kind: Kind::Bits { boolean } });
        format!("{ty} {name} : {width}{attribute};\n")
    }

    fn nested(
        &mut self,
        name: &str,
        prefix: &str,
        depth: u32,
        members: &mut Vec<Member>,
    ) -> String {
        let keyword = self.rng.pick(&["struct", "union"]);
        let count = self.rng.range(1, 4);
        let mut inner = Vec::new();
        let named = self.rng.chance(65);
        let length = if named && self.rng.chance(25) { self.rng.range(1, 3) } else { 0 };
        let inside = match (named, length) {
            (false, _) => prefix.to_string(),
            (true, 0) => format!("{prefix}{name}."),
            (true, n) => format!("{prefix}{name}[{}].", n - 1),
        };
        // A prefix keeps flexible arrays to the outermost record, which alone may end in one.
        let body = self.members(count, &inside, false, depth - 1, &mut inner);
        let attribute = self.record_attribute();
        if inner.is_empty() {
            // Nothing could be asked, and some compilers object to a record without members.
            return format!("char {name};\n");
        }
        if named {
            members.push(Member { path: format!("{prefix}{name}"), kind: Kind::Whole });
        }
        members.append(&mut inner);
        let declarator = match (named, length) {
            (false, _) => String::new(),
            (true, 0) => format!(" {name}"),
            (true, n) => format!(" {name}[{n}]"),
        };
        format!("{keyword} {{\n{body}}}{attribute}{declarator};\n")
    }
}
