use cfa::Program;

use super::*;
use crate::types::layout::Wanted;

fn named(types: &mut Types, text: &str) -> Option<Type> {
    Parser::new(types, text, FileId::from_index(7)).type_name()
}

const TEXT: &str = "#define N 4
typedef unsigned char byte;
enum color { RED, GREEN = 5, BLUE };
struct point { int x; byte y; enum color c; };
typedef struct node { short value; struct node *next, *rest[N + 1]; } node_t;
struct flags { unsigned ready : 1; int mode : 3; unsigned : 0; unsigned count : 4; };
union either { int i; unsigned char b[4]; struct { char low, high; }; };
static struct point pts[3], one = { 1, 2, RED }, *pp = &one;
int (*table[2])(int, char *), (*row)[N];
void f(node_t *head, char text[], const unsigned long k) {
    for (int i = 0, j[2] = {1, 2}; i < 3; i++) { _Bool b; long double d; }
    signed char odd;
}
";

fn types() -> (Program, Types) {
    let mut program = Program::default();
    program.cfa.address_width = 64;
    program.sources.add("f.c", TEXT.as_bytes().to_vec());
    let types = Types::of(&program);
    (program, types)
}

/// The type of the name at the first occurrence of a marker.
fn ty(marker: &str) -> Option<Type> {
    let (program, mut types) = types();
    let name = marker.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let start = TEXT.find(marker)? + marker.len() - name.len();
    let file = program.sources.files().next()?;
    Parser::new(&mut types, TEXT, file).declared_at(start)
}

#[test]
fn names_have_the_types_of_their_declarations() {
    let point = || Type::Record("struct point".to_owned());
    let pointer = |ty| Type::Pointer(Box::new(ty));
    let int = |bits, signed| Type::Integer { bits, signed };
    for (marker, expected) in [
        (" pts", Type::Array(Box::new(point()), Some(3))),
        (" one", point()),
        ("*pp", pointer(point())),
        ("*table", Type::Array(Box::new(pointer(Type::Other)), Some(2))),
        ("*row", pointer(Type::Array(Box::new(int(32, true)), Some(4)))),
        ("*head", pointer(Type::Record("struct node".to_owned()))),
        (" text", pointer(Type::Character)),
        (" k)", int(64, false)),
        (" i = 0", int(32, true)),
        (" j[2]", Type::Array(Box::new(int(32, true)), Some(2))),
        (" b;", Type::Truth),
        (" d;", Type::Float(80)),
        (" odd", int(8, true)),
    ] {
        assert_eq!(ty(marker), Some(expected), "{marker}");
    }
}

#[test]
fn functions_return_what_they_are_declared_with() {
    let mut types = Types { address_width: 64, ..Types::default() };
    let text = "extern int8_t f(void); unsigned char *g(int); int h(int x) { return f() * x; }\n\
                static const unsigned short k(void), l(void); int twice(int); long twice(int);";
    Parser::new(&mut types, text, FileId::from_index(0)).declarations();
    let int = |bits, signed| Type::Integer { bits, signed };
    for (name, ty) in [
        ("f", Some(int(8, true))),
        ("g", Some(Type::Pointer(Box::new(int(8, false))))),
        ("h", Some(int(32, true))),
        ("k", Some(int(16, false))),
        ("twice", None),
    ] {
        assert_eq!(types.returned.get(name).cloned().flatten(), ty, "{name}");
    }
}

#[test]
fn members_are_where_gcc_has_them() {
    let (_, mut types) = types();
    for (name, size) in [
        ("struct point", 12),
        ("node_t", 56),
        ("struct flags", 8),
        ("union either", 4),
        ("struct point *", 8),
        ("byte", 1),
    ] {
        let ty = named(&mut types, name).expect(name);
        assert_eq!(types.size(&ty), Some(size), "{name}");
    }
    let count = types.member("struct flags", "count").expect("a member");
    assert_eq!((count.offset, count.bits), (4, Some((0, 4))));
    let mode = types.member("struct flags", "mode").expect("a member");
    assert_eq!((mode.offset, mode.bits), (0, Some((1, 3))));
    let high = types.member("union either", "high").expect("a member");
    assert_eq!(high.offset, 1);
    assert_eq!(types.enumerator("enum color", 6), Some("BLUE"));
    assert_eq!(types.enumerator("enum color", 4), None);
}

#[test]
fn bytes_have_paths() {
    let (_, mut types) = types();
    let points = Type::Array(Box::new(named(&mut types, "struct point").expect("a type")), Some(3));
    let path =
        |offset, size| types.path(&points, offset, Wanted::Scalar(size)).map(|(path, _)| path);
    assert_eq!(path(12, 4).as_deref(), Some("[1].x"));
    assert_eq!(path(28, 1).as_deref(), Some("[2].y"));
    assert_eq!(path(29, 1), None);
    let point = named(&mut types, "struct point").expect("a type");
    let whole = types.path(&points, 24, Wanted::Type(&point)).map(|(path, _)| path);
    assert_eq!(whole.as_deref(), Some("[2]"));
}

#[test]
fn what_is_not_plain_has_no_type() {
    let (_, mut types) = types();
    for text in ["unknown_t", "struct", "int x", "typeof(3)", "((((", ""] {
        assert_eq!(named(&mut types, text), None, "{text}");
    }
    let deep = format!("int {}x{}", "(*".repeat(100), ")".repeat(100));
    assert_eq!(named(&mut types, &deep), None);
}

#[test]
fn what_contains_itself_or_is_too_large_has_no_size() {
    let mut types = Types { address_width: 64, ..Types::default() };
    let text = "struct a { struct b y; int x; }; struct b {\n#if 0\n struct a x;\n#endif\n int z; };\n\
                struct big { char x[4611686018427387904]; short y[4][4611686018427387904]; };";
    Parser::new(&mut types, text, FileId::from_index(0)).declarations();
    for name in ["struct a", "struct b", "struct big"] {
        let ty = named(&mut types, name).expect("a type");
        assert_eq!(types.size(&ty), None, "{name}");
        assert_eq!(types.path(&ty, 0, Wanted::Scalar(4)), None, "{name}");
    }
}

#[test]
fn any_text_is_read_without_harm() {
    const WORDS: [&str; 34] = [
        "struct",
        "union",
        "enum",
        "typedef",
        "a",
        "b",
        "int",
        "unsigned",
        "long",
        "char",
        "*",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ":",
        "=",
        "3",
        "0",
        "99999999999",
        "const",
        "-",
        "+",
        "__attribute__",
        "double",
        "#define a 7\n",
        "\n",
        "'x'",
        "\"s",
        "<<",
    ];
    let mut seed = 7_u64;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..60 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(WORDS[(seed >> 33) as usize % WORDS.len()]);
            text.push(' ');
        }
        for address_width in [0, 32, 64] {
            let mut types = Types { address_width, ..Types::default() };
            let mut parser = Parser::new(&mut types, &text, FileId::from_index(0));
            parser.declarations();
            let declared: Vec<Type> =
                (0..text.len()).filter_map(|offset| parser.declared_at(offset)).collect();
            for ty in &declared {
                types.size(ty);
                types.path(ty, 4, Wanted::Scalar(4));
                types.path(ty, 0, Wanted::Whole(8));
            }
        }
    }
}
