//! C as it is lowered. A page of `pages/` holds small programs, one for each construct of the
//! language, and its snapshot shows each beside the text form of its model.
//!
//! A program starts with a line `//# title`. Options like those of the command line may stand
//! before the title. Execution starts at `test`, or at `main` if there is one.

#![allow(missing_docs)]

mod types;

use std::fmt::Write as _;

use base::SourceMap;
use proviso_frontend::{DataModel, External, Options, SignedOverflow, c};

/// The text of an option, and what it sets.
type Setter = (&'static str, fn(&mut Options));

/// Takes the options from a title.
fn options(line: &str) -> (Options, &str) {
    let (mut options, mut rest) = (Options::default(), line);
    loop {
        let known: [Setter; 6] = [
            ("--32 ", |options| options.data_model = Some(DataModel::Ilp32)),
            ("--signed-overflow undefined ", |options| {
                options.signed_overflow = SignedOverflow::Undefined;
            }),
            ("--malloc-may-fail ", |options| options.malloc_may_fail = true),
            ("--external pure ", |options| options.external = External::Pure),
            ("--external havoc ", |options| options.external = External::Havoc),
            ("--external error ", |options| options.external = External::Error),
        ];
        let taken = known.iter().find_map(|(text, set)| Some((rest.strip_prefix(text)?, set)));
        let Some((after, set)) = taken else { break };
        set(&mut options);
        rest = after;
    }
    assert!(!rest.starts_with('-'), "{rest}: an option that no program needed so far");
    (options, rest)
}

/// The programs of a page with their models.
fn lowered(page: &str) -> String {
    let mut result = String::new();
    for section in page.split("//# ").skip(1) {
        let (line, text) = section.split_once('\n').expect("a line with a title");
        let (mut options, title) = options(line);
        if !text.contains("int main(") {
            options.entry = "test".to_owned();
        }
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text.as_bytes().to_vec()).expect("a short text");
        let loaded = c::load(sources, &[file], &options);
        let messages: Vec<String> =
            loaded.diagnostics.iter().map(|each| each.render(&loaded.program.sources)).collect();
        let found = cfa::validate(&loaded.program);
        assert!(found.is_empty(), "{title}: {found:?} {messages:?}");
        let model = cfa::text(&loaded.program).without_places().to_string();
        write!(result, "# {line}\n{}\n\n{}", text.trim(), messages.concat()).expect("a string");
        writeln!(result, "{model}").expect("a string");
    }
    result
}

/// One test for each page.
macro_rules! pages {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let page = include_str!(concat!("pages/", stringify!($name), ".c"));
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), lowered(page));
            });
        })*

        #[test]
        fn every_page_has_a_test() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/pages");
            let entries = std::fs::read_dir(folder).expect("the folder of pages");
            let name = |entry: std::io::Result<std::fs::DirEntry>| {
                entry.expect("an entry").path().file_stem().map(|stem| stem.to_os_string())
            };
            let mut names: Vec<_> = entries.filter_map(name).collect();
            names.sort();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

pages! {
    arrays assignments bit_fields branches calls conversions floats functions_without_a_body
    initialisers jumps loops operators other_choices pointers structures the_heap unions variables
}

/// The model of a program that must be read without a complaint.
fn model(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.as_bytes().to_vec()).expect("a short text");
    let loaded = c::load(sources, &[file], &Options::default());
    let messages: Vec<String> =
        loaded.diagnostics.iter().map(|each| each.render(&loaded.program.sources)).collect();
    assert!(messages.is_empty(), "{messages:?}");
    cfa::text(&loaded.program).without_places().to_string()
}

/// Brackets that say nothing do not count towards the nesting that is refused, and those that say
/// something are not lost: the comma in an argument, the block of a statement expression, the
/// parameter that a block declares again, the braces of an initialiser.
#[test]
fn brackets_around_brackets() {
    let program = |deep: bool| {
        let (open, close) = if deep { ("(".repeat(300), ")".repeat(300)) } else { <_>::default() };
        let mut nested = format!("if ({open}x{close} == 7) abort();");
        for k in 0..200 {
            let (open, close) = if deep { ("{ {", "} }") } else { ("{", "}") };
            nested = format!("if (x > {k}) {open} int y = x; x = y - 1; {nested} {close}");
        }
        format!(
            "extern void abort(void);\n\
             int again(int x) {{ {{ int x = 3; return x; }} }}\n\
             int one(int x) {{ return x; }}\n\
             int table[1][2] = {{ {{ 4, 5 }} }};\n\
             int main(void) {{\n\
             int x = again(1) + one((({open}2, 3{close}))) + table[0][1];\n\
             ({{ {{ x++; }} }});\n\
             {nested}\nreturn 0; }}\n"
        )
    };
    assert!(model(&program(true)) == model(&program(false)), "the models differ");
}

/// What names mean, by the line of their declaration: each line that ends in `//` and pairs of a name
/// and a line is asked for what these names mean where its statement starts.
#[test]
fn names_of_blocks_mean_what_the_blocks_declare() {
    let text = "\
int x, y;
#define EACH(i) for (int i = 0; i < 3; i++)
#define TWICE(v) { int v = 1; use(v); { int v = 2; use(v); } }
void use(int a);
int old(x) int x; {
  return x; // x 5
}
int test(int x, int z) {
  use(x); // x 8, y 0, z 8
  for (int x = 0; x < z; x++) // x 10, z 8
    use(x); // x 10
  use(x); // x 8
  {
    use(y); // x 8, y 0
    int y = x, x = 2;
    use(x + y); // x 15, y 15
    { typedef int x; enum { y = 3 };
      use(y); // x 17, y 17
    }
    use(y); // y 15
  }
  int w = ({ int z = x;
    use(z); // z 22, w 22
    z; });
  use(w); // w 22, z 8
  EACH(k) { int y = k;
    use(y); // y 26, k 26
  }
  use(y); // y 0, k 0
  TWICE(x) // x ?
  use(x); // x 8
  switch (z) { int q; case 1:
    use(q); // q 32
  }
  if (z) for (int s = 0; s < 2; s++) while (s < 1)
    use(s); // s 35, a 0
  extern int y;
  return y; // y 37
}
";
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.as_bytes().to_vec()).expect("a short text");
    let options = Options { entry: "test".to_owned(), ..Options::default() };
    let loaded = c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors());
    let program = loaded.program;
    let mut at = 0;
    for line in text.lines() {
        let start = at + line.len() - line.trim_start().len();
        at += line.len() + 1;
        let Some((statement, asked)) = line.split_once(" // ") else { continue };
        let place = base::Span::new(file, start as u32, (start + statement.trim().len()) as u32);
        for pair in asked.split(", ") {
            let (name, expected) = pair.split_once(' ').expect("a name and a line");
            let found = match program.cfa.block_names.meaning(name, place) {
                cfa::Meaning::OutsideBlocks => "0".to_owned(),
                cfa::Meaning::Declared(span) => program.sources.position(span).line.to_string(),
                cfa::Meaning::Unclear => "?".to_owned(),
            };
            assert_eq!(found, expected, "{name} in {line}");
        }
    }
}

/// What is assumed of a program that starts at `test`.
fn assumptions(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.as_bytes().to_vec()).expect("a short text");
    let options = Options { entry: "test".to_owned(), ..Options::default() };
    let loaded = c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors(), "{text}: {:?}", loaded.diagnostics);
    loaded.program.cfa.assumptions.into_iter().map(|assumption| assumption.text).collect()
}

/// C says of a class of characters only that it is not zero where it holds.
#[test]
fn the_value_of_a_class_is_an_assumption_unless_it_is_a_condition() {
    for (body, is_listed) in [
        ("return isalpha(c) == 1;", true),
        ("return isalpha(c) + isdigit(c);", true),
        ("int n = isalpha(c); return n;", true),
        ("if (isalpha(c)) return 1;", false),
        ("return !isalpha(c) || isdigit(c) != 0 || 0 == c;", false),
        ("while (c && isalpha(c)) c--;", false),
        ("return isupper(c);", false),
        ("if (isalpha(c) > 0) return 1;", true),
        ("if (isdigit(c)) return 0; int n = isalpha(c); return n != 1;", true),
        ("c = toupper(c); return isalpha(c) != 1;", true),
        ("int (*pointer)(int) = isalpha; return pointer(c) != 1;", true),
        ("int (*pointer)(int) = isupper; return pointer(c) != 1;", false),
        ("return __builtin_isalpha(c);", true),
    ] {
        let text = format!(
            "extern int isalpha(int), isdigit(int), toupper(int); int isupper(int c) {{ return c > 64; }}
             int test(int c) {{ {body} return 0; }}"
        );
        let found = assumptions(&text).iter().any(|text| text.contains("is 1: C says only"));
        assert_eq!(found, is_listed, "{body}");
    }
}

#[test]
fn what_is_assumed_of_addresses_of_ended_objects_is_listed() {
    let listed = |text: &str, word: &str| {
        let found = assumptions(text);
        found.iter().any(|each| each.contains(word))
    };
    let blocks = "an object of a block that has ended";
    assert!(listed(
        "char *k; int test(void) { { char x[9]; k = x; } { char y[9]; k = y; } return 0; }",
        blocks
    ));
    assert!(listed("char *k; int test(int n, char **a) { char v[n]; k = v; return 0; }", blocks));
    // Nothing keeps these addresses, and which numbers they are is seen all the same.
    const SET: &str =
        "static void set(char *p) { *p = 1; } static int is(void *p, void *q) { return p == q; } ";
    for seen in ["(unsigned long)x == in", "x - base == in", "is(x, base)", "&x[1] > base"] {
        let text = format!(
            "{SET}char base[9]; int test(long in) {{ int a; {{ char x[9]; set(x); a = {seen}; }} return a; }}"
        );
        assert!(listed(&text, blocks), "{text}");
    }
    for hidden in ["x == 0", "!(x + 1)", "x[in] == x[0]", "&x[1] != (void *)0"] {
        let text = format!(
            "{SET}int test(long in) {{ int a; {{ char x[9]; set(x); a = {hidden}; }} return a; }}"
        );
        assert!(!listed(&text, blocks), "{text}");
    }
    assert!(!listed(
        "char *k; int test(void) { char x[9]; k = x; { int y = 1; y++; } return 0; }",
        blocks
    ));
    let moves = "`realloc` gives the address of a new object";
    const REALLOC: &str = "void *realloc(void *, unsigned long); ";
    assert!(listed(
        &format!(
            "{REALLOC}int test(void) {{ void *p = realloc(0, 4); p = realloc(p, 8); return 0; }}"
        ),
        moves
    ));
    assert!(!listed(
        &format!("{REALLOC}int test(void) {{ void *p = realloc(0, 4); return p == 0; }}"),
        moves
    ));
}

/// Expressions whose meaning depends on an order that C leaves open are listed; others are not.
#[test]
fn an_order_that_matters_is_an_assumption() {
    const PRELUDE: &str = "int g, h, a[4], *p; extern int input(void), takes(int, int);
        int sets(void) { g = 1; return 2; } int counts(void) { return ++g; } int reads(void) { return g; }
        int indirect(void) { return sets(); } int writes(int *at) { *at = 3; return 4; }
        int both(int x, int y) { return x - y; } int depth(int n) { int l[2] = { n }; l[n & 1] += 1;
        return n ? depth(n - 1) + depth(n - 1) : l[0]; } static float f; int (*pointer)(void) = sets;
        struct pair { int x, y; } s[4], *q = s; struct pair *moves(void) { g = 1; q = s + 1; return s; }
        struct pair made(void) { g = 1; return s[2]; } int bytes(int *at) { *(char *)at = 1; return 0; }
        extern int *__errno_location(void); extern long strtol(const char *, char **, int);
        extern _Noreturn void exit(int), abort(void); extern void reach_error(void);
        int stops(void) { exit(0); } int fails(void) { reach_error(); return 0; } extern void assume(int);
        int filters(void) { assume(input()); return 1; } int waits(void) { while (g) ; return 1; }
        int (*one)(int); int changes(void) { one = 0; return 1; }
        int b[4]; int chooses(void) { *(h ? a : p) = 1; return 1; }\n";
    let open = [
        "return g + sets();",
        "return sets() + g;",
        "return g == indirect();",
        "return counts() - counts();",
        "return both(counts(), g);",
        "return both(reads(), pointer());",
        "int k = 0; return k + writes(&k);",
        "a[g] = sets();",
        "a[g] = sets() + 1;",
        "g += sets();",
        "a[1] += writes(a + 1);",
        "return a[sets()] + a[g];",
        "int i = 0; return i + i++;",
        "return both(1, both(g, sets()));",
        "s[g] = s[sets()];",
        "s[g] = *moves();",
        "s[g] = made();",
        "*q = *moves();",
        "s[g] = (sets(), s[3]);",
        "struct pair t = { g, sets() }; return t.x;",
        "struct pair t = { .y = sets(), .x = g }; return t.x;",
        "int t[2] = { sets(), g }; return t[0];",
        "int k = 0; return k + bytes(&k);",
        "return both(strtol(\"9\", 0, 10), *__errno_location());",
        "return one(changes());",
        "return both(stops(), fails());",
        "return both(fails(), stops());",
        "return both(filters(), fails());",
        "return both(waits(), fails());",
        "return (abort(), 1) + fails();",
        "return b[0] + chooses();",
    ];
    let settled = [
        "return h + sets();",
        "g = sets();",
        "int k = 0; k += sets(); return k;",
        "a[1] = sets();",
        "return input() - input();",
        "return g + input();",
        "return takes(g, input());",
        "return g && sets() && g;",
        "return g ? sets() : g;",
        "return (sets(), g);",
        "return depth(3);",
        "return reads() + reads() + g;",
        "f += writes(p);",
        "int k = 0; return both(k, 1) + (h = k);",
        "sets(); return g;",
        "return p[writes(p)];",
        "struct pair t = { h, sets() }; return t.x;",
        "s[0] = made();",
        "return pointer() + h;",
        "return both(stops(), h);",
        "return both(stops(), stops());",
        "return both(waits(), waits() + h);",
        "return stops() && fails();",
    ];
    for (bodies, is_open) in [(&open[..], true), (&settled[..], false)] {
        for body in bodies {
            let text = format!("{PRELUDE} int test(void) {{ {body} return 0; }}");
            let listed = assumptions(&text);
            let found = listed.iter().any(|text| text.starts_with("C leaves the order open"));
            assert_eq!(found, is_open, "{body}");
        }
    }
}
