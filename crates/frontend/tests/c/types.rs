//! The table of types that the front end writes for reports.

use base::SourceMap;
use cfa::{CType, CTypes};
use proviso_frontend::{DataModel, Options, c};

/// A type in the words of C, with names of records by the first of their members.
fn spelled(types: &CTypes, ty: &CType) -> String {
    match ty {
        CType::Integer { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        CType::Character => "char".to_owned(),
        CType::Truth => "bool".to_owned(),
        CType::Float(bits) => format!("f{bits}"),
        CType::Enumeration(id) => {
            let values = types.enumerations[*id].enumerators.iter();
            let values: Vec<String> =
                values.map(|(name, value)| format!("{name}={value}")).collect();
            format!("enum({})", values.join(" "))
        }
        CType::Record(id) => {
            let first = types.members(*id).map(|members| members.first());
            match first.map(|member| member.and_then(|member| member.name.as_deref())) {
                Some(name) => format!("record({})", name.unwrap_or("")),
                None => "record?".to_owned(),
            }
        }
        CType::Pointer(target) => format!("*{}", spelled(types, target)),
        CType::Array(element, count) => {
            let count = count.map_or("?".to_owned(), |count| count.to_string());
            format!("[{count}]{}", spelled(types, element))
        }
        CType::Other => "other".to_owned(),
    }
}

fn typed(texts: &[&str], data_model: DataModel) -> cfa::Program {
    let mut sources = SourceMap::new();
    let files: Vec<base::FileId> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| sources.add(format!("{at}.c"), text.as_bytes().to_vec()).expect("short"))
        .collect();
    let options =
        Options { entry: "test".to_owned(), data_model: Some(data_model), ..Options::default() };
    let loaded = c::load(sources, &files, &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded.program
}

/// The types of all variables and objects of a name.
fn of_name(program: &cfa::Program, name: &str) -> Vec<CType> {
    let is_it = |known: &str| known.trim_start_matches('&').split(['.', '[']).next() == Some(name);
    let variables = program.cfa.variables.iter();
    let variables = variables.filter(|variable| variable.source_name.as_deref().is_some_and(is_it));
    let objects = program.cfa.objects.iter().filter(|object| is_it(&object.name));
    let spans = variables.map(|known| known.span).chain(objects.map(|known| known.span));
    let mut found: Vec<CType> =
        spans.filter_map(|span| program.cfa.c_types.declared(span?).cloned()).collect();
    found.dedup();
    found
}

fn type_of(program: &cfa::Program, name: &str) -> CType {
    match &of_name(program, name)[..] {
        [ty] => ty.clone(),
        found => panic!("{name}: {found:?}"),
    }
}

#[test]
fn names_have_the_types_that_they_are_declared_with() {
    let text = "#include <stdbool.h>
#include <stdint.h>
#define PAIR(a, b) int a = 1; char b = 2; use(&a); use(&b);
typedef unsigned char byte;
enum color { RED, GREEN = 5, BLUE };
enum { SIZE = GREEN * 2 + 1, MASK = 1 << 4 | 2, HALF = SIZE / 2, ODD = sizeof(int), NEXT };
enum { WRAPS = 0u - 1, TOP = 1 << 31, LARGE = 4294967295u, LARGER, ALL = ~0, LETTER = 'a' + 1, MINUS = -LETTER };
enum __attribute__((packed)) tiny { ONE = 1, TWO };
struct open;
struct node { short value; struct node *next; };
struct node nodes[3];
enum color shade;
enum tiny small;
struct open *opaque;
int (*calls[2])(int, char *);
byte bytes[SIZE];
int list[] = {1, 2, 3};
long double precise;
__int128 wide;
extern uint16_t port(void);
struct node *made(void);
void use(void *);
static int helper(const unsigned long k, char text[], struct node n) { use(&k); use(n.next); use(text); return k; }
int test(int length) {
  _Bool truth = true;
  signed char tiny_number = 3;
  int vla[length];
  PAIR(first, second)
  use(vla); use(nodes); use(&shade); use(&small); use(&opaque); use(calls); use(bytes); use(list);
  use(&precise); use(&wide); use((struct node[]){{1, 0}});
  for (volatile int i = 0; i < 3; i++) truth = !truth;
  return helper(port(), (char *) made(), nodes[0]) + truth + tiny_number;
}
";
    let program = typed(&[text], DataModel::Lp64);
    let types = &program.cfa.c_types;
    for (name, expected) in [
        ("nodes", "[3]record(value)"),
        ("shade", "enum(RED=0 GREEN=5 BLUE=6)"),
        ("small", "enum(ONE=1 TWO=2)"),
        ("opaque", "*record?"),
        ("calls", "[2]*other"),
        ("bytes", "[11]u8"),
        ("list", "[3]i32"),
        ("precise", "f80"),
        ("wide", "i128"),
        ("k", "u64"),
        ("text", "*char"),
        ("n", "record(value)"),
        ("length", "i32"),
        ("truth", "bool"),
        ("tiny_number", "i8"),
        ("vla", "[?]i32"),
        ("literal", "[1]record(value)"),
        ("i", "i32"),
    ] {
        assert_eq!(spelled(types, &type_of(&program, name)), expected, "{name}");
    }
    assert_eq!(types.size(&type_of(&program, "small")), Some(1));
    // A macro declares both at one place.
    assert_eq!(of_name(&program, "first"), []);
    for (function, expected) in
        [("port", Some("u16")), ("made", Some("*record(value)")), ("helper", Some("i32"))]
    {
        let found = types.returned(function).map(|ty| spelled(types, ty));
        assert_eq!(found.as_deref(), expected, "{function}");
    }
    for (name, expected) in [
        ("BLUE", Some(6)),
        ("SIZE", Some(11)),
        ("MASK", Some(18)),
        ("HALF", Some(5)),
        ("ODD", None),
        ("NEXT", None),
        ("WRAPS", None),
        ("TOP", None),
        ("LARGE", Some(4_294_967_295)),
        ("LARGER", Some(4_294_967_296)),
        ("ALL", Some(-1)),
        ("LETTER", Some(98)),
        ("MINUS", Some(-98)),
        ("TWO", Some(2)),
    ] {
        assert_eq!(types.enumerator(name), expected, "{name}");
    }
}

#[test]
fn members_are_where_the_layout_has_them() {
    let text = "#include <stddef.h>
struct flags { unsigned ready : 1; int mode : 3; unsigned : 0; unsigned count : 4; _Bool set : 1; };
struct __attribute__((packed)) packed { char c; int x; unsigned b : 9; short s; };
struct aligned { char c; int x __attribute__((aligned(16))); };
union either { int i; unsigned char b[4]; struct { char low, high; }; };
struct flexible { int n; int rest[]; };
struct wide { char c; double d; long long l; };
struct back { int x; } __attribute__((scalar_storage_order(\"big-endian\")));
struct flags f; struct packed p; struct aligned a; union either e; struct flexible x; struct wide w; struct back r;
void use(void *);
int test(void) { use(&f); use(&p); use(&a); use(&e); use(&x); use(&w); use(&r); return 0; }
";
    for (data_model, double) in [(DataModel::Lp64, 8), (DataModel::Ilp32, 4)] {
        let program = typed(&[text], data_model);
        let types = &program.cfa.c_types;
        for (name, member, offset, bits) in [
            ("f", "ready", 0, Some((0, 1))),
            ("f", "mode", 0, Some((1, 3))),
            ("f", "count", 4, Some((0, 4))),
            ("f", "set", 4, Some((4, 1))),
            ("p", "x", 1, None),
            ("p", "b", 5, Some((0, 9))),
            ("p", "s", 7, None),
            ("a", "x", 16, None),
            ("e", "b", 0, None),
            ("e", "high", 1, None),
            ("x", "rest", 4, None),
            ("w", "d", double, None),
            ("w", "l", double + 8, None),
        ] {
            let CType::Record(id) = type_of(&program, name) else { panic!("{name} is a record") };
            let found = types.member(id, member).expect(member);
            assert_eq!((found.offset, found.bits), (offset, bits), "{name}.{member}");
            assert_eq!(types.member(id, "unknown"), None);
        }
        for (name, size) in [
            ("f", Some(8)),
            ("p", Some(9)),
            ("a", Some(32)),
            ("e", Some(4)),
            ("x", Some(4)),
            ("r", None),
        ] {
            assert_eq!(types.size(&type_of(&program, name)), size, "{name}");
        }
    }
}

#[test]
fn units_share_records_that_are_the_same() {
    let header = "struct open; typedef struct { int x; } plain; enum color { RED };
struct list { struct list *next; enum color c; struct { int inner; }; }; void use(void *);\n";
    let one = format!(
        "{header}struct list a; plain b; struct odd {{ int x; }} c; struct open *d; enum color e;
void other(void);
int test(void) {{ use(&a); use(&b); use(&c); use(&d); use(&e); other(); return 0; }}"
    );
    let two = format!(
        "{header}struct list f; plain g; struct odd {{ unsigned x; }} h; struct open {{ int y; }} i; enum color j;
void other(void) {{ use(&f); use(&g); use(&h); use(&i); use(&j); }}"
    );
    let program = typed(&[&one, &two], DataModel::Lp64);
    let ty = |name| type_of(&program, name);
    assert_eq!(ty("a"), ty("f"));
    assert_eq!(ty("b"), ty("g"));
    assert_ne!(ty("c"), ty("h"));
    assert_eq!(ty("d"), CType::Pointer(Box::new(ty("i"))));
    assert_eq!(ty("e"), ty("j"));
    let types = &program.cfa.c_types;
    for (name, member) in [("c", "i32"), ("h", "u32")] {
        let CType::Record(id) = ty(name) else { panic!("{name} is a record") };
        assert_eq!(spelled(types, &types.member(id, "x").expect("a member").ty), member);
    }
    let CType::Record(open) = ty("i") else { panic!("i is a record") };
    assert!(types.member(open, "y").is_some());
}

#[test]
fn one_tag_may_stand_for_two_records() {
    let rest = "struct outer { struct inner i; int k; }; struct link { struct link *next; struct inner *at; };
struct kinds { enum kind kind; }; void use(void *);\n";
    let one = format!(
        "struct inner {{ int x, y; }}; enum kind {{ BAD }}; {rest} struct outer a; struct link b; struct kinds c;
void other(void); int test(void) {{ use(&a); use(&b); use(&c); other(); return 0; }}"
    );
    let two = format!(
        "struct inner {{ float p; unsigned char q[4]; }}; enum kind {{ GOOD }}; {rest} struct outer f; struct link g;
struct kinds h; void other(void) {{ use(&f); use(&g); use(&h); }}"
    );
    let program = typed(&[&one, &two], DataModel::Lp64);
    for (left, right) in [("a", "f"), ("b", "g"), ("c", "h")] {
        assert_ne!(type_of(&program, left), type_of(&program, right), "{left}");
    }
    let types = &program.cfa.c_types;
    for (name, inner) in [("a", "record(x)"), ("f", "record(p)")] {
        let CType::Record(outer) = type_of(&program, name) else { panic!("{name} is a record") };
        assert_eq!(spelled(types, &types.member(outer, "i").expect("a member").ty), inner);
    }
}

#[test]
fn enumerations_have_signs_and_enumerators_have_scopes() {
    let text =
        "enum large { SMALL = 1, LARGE = 0xf0000000u } large; enum minus { LESS = -1 } minus;
enum { A = 1 }; enum { BEFORE = A };
void use(void *); int inner(void) { enum { A = 5 }; enum { HERE = A + 1 }; return HERE; }
enum { BEHIND = A + 1 };
int test(void) { use(&large); use(&minus); return inner() + BEHIND; }";
    let program = typed(&[text], DataModel::Lp64);
    let types = &program.cfa.c_types;
    for (name, signed) in [("large", false), ("minus", true)] {
        let CType::Enumeration(id) = type_of(&program, name) else { panic!("an enumeration") };
        assert_eq!(types.enumerations[id].signed, signed, "{name}");
    }
    for (name, value) in [("A", None), ("BEFORE", Some(1)), ("HERE", None), ("BEHIND", None)] {
        assert_eq!(types.enumerator(name), value, "{name}");
    }
}

/// Where the variables, objects and functions of a name are declared.
fn places_of(program: &cfa::Program, name: &str) -> Vec<base::Span> {
    let plain = |known: &str| known.trim_start_matches('&').to_owned();
    let is_it = |known: &str| plain(known).rsplit("::").next() == Some(name);
    let variables = program.cfa.variables.iter();
    let variables = variables.filter(|known| known.source_name.as_deref().is_some_and(&is_it));
    let objects = program.cfa.objects.iter().filter(|object| is_it(&object.name));
    let functions = program.cfa.functions.iter().filter(|function| is_it(&function.name));
    let spans = variables.map(|known| known.span).chain(objects.map(|known| known.span));
    spans.chain(functions.map(|known| known.span)).flatten().collect()
}

#[test]
fn names_that_other_files_cannot_name_are_known() {
    let text = "#define HIDDEN(type) static type
static int a, b = 1;
HIDDEN(int) c;
static int f(int x);
int f(int x) { return x + a + b + c; }
extern int d;
int e;
static int tentative; extern int tentative;
int test(int static_looking) {
  static int counter;
  int local = 0;
  static_looking += d + e + tentative + f(local) + ++counter;
  return static_looking;
}
";
    let program = typed(&[text], DataModel::Lp64);
    let types = &program.cfa.c_types;
    for (name, is_internal) in [
        ("a", true),
        ("b", true),
        ("c", true),
        ("f", true),
        ("tentative", true),
        ("counter", true),
        ("d", false),
        ("e", false),
        ("local", false),
        ("static_looking", false),
        ("test", false),
    ] {
        let places = places_of(&program, name);
        assert!(!places.is_empty(), "{name}");
        for place in places {
            assert_eq!(types.is_internal(place), is_internal, "{name}");
        }
    }
}

#[test]
fn lists_of_arguments_are_known_by_their_type() {
    let text = "#include <stdarg.h>
#define LIST va_list
typedef va_list rest;
static int first(va_list all, int number) { return va_arg(all, int) + number; }
static int through(va_list *at) { return va_arg(*at, int); }
int test(char *text, ...) {
  va_list one, two;
  LIST three;
  rest four;
  int count = 0;
  va_start(one, text); va_start(two, text); va_start(three, text); va_start(four, text);
  count = first(one, 1) + first(two, 2) + first(three, 3) + through(&four);
  return count;
}
";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = typed(&[text], data_model);
        let types = &program.cfa.c_types;
        for (name, is_list) in [
            ("all", true),
            ("at", true),
            ("one", true),
            ("two", true),
            ("three", true),
            ("four", true),
            ("number", false),
            ("text", false),
            ("count", false),
        ] {
            let places = places_of(&program, name);
            assert!(!places.is_empty(), "{name}");
            for place in places {
                assert_eq!(types.is_argument_list(place), is_list, "{name} {data_model:?}");
            }
        }
    }
}
