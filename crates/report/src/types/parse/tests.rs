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
