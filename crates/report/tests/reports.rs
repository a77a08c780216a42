//! Snapshots of what people and tools read about a violation.

#![allow(missing_docs)]

use base::SourceMap;
use cfa::{Check, Checks, Program};
use frontend::{DataModel, Options};
use proviso_report::{Execution, Invariant, Stamp, Subject};
use verify::{Config, Counterexample, Verdict};

struct Case {
    program: Program,
    subject: Subject,
}

impl Case {
    fn c(text: &str) -> Self {
        Self::checked(text, Checks::NONE)
    }

    fn checked(text: &str, checks: Checks) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("program.c", text.as_bytes()).expect("a short text");
        let options = Options { data_model: Some(DataModel::Ilp32), checks, ..Options::default() };
        let loaded = frontend::c::load(sources, &[file], &options);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        let entry = "main".to_owned();
        let subject = Subject { files: vec![file], is_c: true, entry, ..Subject::default() };
        Self { program: loaded.program, subject }
    }

    fn theta(text: &str) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("model.cfa", text.as_bytes()).expect("a short text");
        let loaded = frontend::theta::load(sources, file);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        Self { program: loaded.program, subject: Subject::default() }
    }

    fn found(&self) -> Counterexample {
        match verify::verify(&self.program, &Config::default(), &|| Box::new(smt::Builtin::new()))
            .verdict
        {
            Verdict::Unsafe(found) => *found,
            other => panic!("a violation is expected: {other:?}"),
        }
    }

    fn text(&self) -> String {
        let found = self.found();
        let execution = Execution::of(&self.program, &found);
        proviso_report::counterexample(&self.program, &found, &execution)
    }

    fn harness(&self) -> String {
        let found = self.found();
        let execution = Execution::of(&self.program, &found);
        proviso_report::harness(&self.program, &self.subject, &found, &execution)
    }
}

fn stamp() -> Stamp {
    Stamp { time: "2026-11-15T00:00:00Z".to_owned(), version: "0.0.0".to_owned() }
}

/// What the tests below take apart: every value is forced, so that no solver's taste shows.
const STRAIGHT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    if (x != -7)
        return 0;
    if (y == 4000000000u) {
        reach_error();
    }
    return 0;
}
";

#[test]
fn a_straight_line() {
    insta::assert_snapshot!(Case::c(STRAIGHT).text());
}

#[test]
fn a_loop_is_folded() {
    let text = "\
extern void reach_error(void);
int main(void) {
    int i, sum = 0;
    for (i = 0; i < 20; i++) {
        sum += i;
    }
    if (sum == 190)
        reach_error();
    return 0;
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn deep_recursion_is_folded() {
    let text = "\
extern void reach_error(void);
int down(int n) {
    if (n == 0) {
        reach_error();
    }
    return down(n - 1) + 1;
}
int main(void) {
    return down(30);
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn calls_are_indented() {
    let text = "\
extern void reach_error(void);
int twice(int x) {
    return 2 * x;
}
int main(void) {
    int y = twice(twice(3)) + 1;
    if (y == 13)
        reach_error();
    return 0;
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn values_are_shown_by_their_types() {
    let case = Case::c(
        "#include <assert.h>
enum color { RED, GREEN = 5, BLUE };
struct point { short x; unsigned char y; enum color c; };
struct node { int value; struct node *next; };
union word { int i; unsigned char b[4]; };
struct flags { unsigned ready : 1; int mode : 3; };
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned);
extern void reach_error(void);
typedef int (*operation)(int, int);
static int subtract(int a, int b) { return a - b; }
static struct point pts[3];
static const char *name = \"pump\";
static void paint(struct point *p, unsigned char y) {
    p->y = y;
    p[1].c = BLUE;
    p->x--;
}
int main(void) {
    char line[3] = { 0 };
    for (int i = 0; i < 2; i++) line[i] = __VERIFIER_nondet_char();
    char *second = &line[1];
    paint(&pts[1], 255);
    struct node *n = malloc(sizeof *n), *old = n;
    n->value = __VERIFIER_nondet_int();
    n->next = old;
    struct point copy[2] = { { 1, 2, GREEN } };
    copy[1] = pts[1];
    union word w;
    w.i = -2;
    struct flags f = { 0 }, *fp = &f;
    fp->mode = -1;
    double half = 0.5;
    operation run = subtract;
    unsigned big = run(1, 2);
    const char *text = name;
    if (*second == 'x' && line[0] == '\\n' && n->next->value == -7 && w.b[0] > 250)
        assert(pts[2].c != BLUE || copy[1].y < 255 || fp->mode >= 0 || !text || half > big);
    return 0;
}
",
    );
    insta::assert_snapshot!(case.text());
}

#[test]
fn faults_have_the_values_of_their_operands() {
    let error = |text: &str| {
        let checks = Checks::NONE.with(Check::Deref).with(Check::Div);
        let text = Case::checked(text, checks).text();
        text.lines().last().unwrap_or_default().to_owned()
    };
    let through_pointer = "struct op { int key; int (*run)(int); };
static int twice(int x) { return 2 * x; }
static struct op ops[2] = { { 1, twice }, { 2, 0 } };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i != 1) return 0;
    return ops[i].run(3);
}
";
    assert_eq!(error(through_pointer), "Error: invalid call at program.c:8:12: ops[1].run = NULL");
    let division = "extern unsigned char __VERIFIER_nondet_uchar(void);
struct sum { int total; unsigned char count; } s;
int main(void) {
    struct sum *p = &s;
    p->total = 7;
    p->count = __VERIFIER_nondet_uchar();
    return p->total / p->count;
}
";
    let expected = "Error: division by zero at program.c:7:5: p->total = 7, p->count = 0";
    assert_eq!(error(division), expected);
    let outside = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[3] = { 1, 2, 3 }, i = __VERIFIER_nondet_int();
    if (i < 3 || i > 3) return 0;
    return a[i];
}
";
    let expected = "Error: access out of bounds at program.c:5:5: \
                    `a` has 12 bytes; this access is at offset 12, 4 bytes (i = 3)";
    assert_eq!(error(outside), expected);
}

#[test]
fn structures_arrays_and_the_heap() {
    let text = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int table[4];
int main(void) {
    int local[2] = { 1, 2 };
    struct node here;
    struct node *first = malloc(sizeof *first);
    here.value = 5;
    here.next = 0;
    first->value = __VERIFIER_nondet_int();
    first->next = &here;
    local[1] += 3;
    table[2] = first->next->value + local[1];
    if (table[2] == 10 && first->value == 6)
        reach_error();
    return 0;
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn a_model_of_theta() {
    let text = "\
main process counter {
    var x : int
    init loc L0
    loc L1
    loc L2
    error loc ERR
    L0 -> L1 { x := 0 }
    L1 -> L2 { assume x < 9 }
    L1 -> ERR { assume x >= 9 }
    L2 -> L1 { x := x + 1 }
}
";
    insta::assert_snapshot!(Case::theta(text).text());
}

/// Memory that the program has not made is told by its address, and no harness can set it.
#[test]
fn memory_outside() {
    let text = "\
extern void reach_error(void);
extern int *find(void);
int main(void) {
    if (*find() == 5)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let told = case.text();
    let named = told.lines().filter(|line| line.contains("memory outside at 0x"));
    assert!(named.filter(|line| line.contains(" = 5")).count() >= 2, "{told}");
    let harness = case.harness();
    let claim =
        "/*\nMay reproduce the error at program.c:5:9: some values cannot be set, see below.";
    assert!(harness.starts_with(claim), "{harness}");
    assert!(harness.contains("\n  memory outside at 0x"), "{harness}");
}

#[test]
fn values_that_nobody_set() {
    let text = "\
extern void reach_error(void);
int main(void) {
    int x;
    if (x == 3)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    insta::assert_snapshot!(case.text());
    let harness = case.harness();
    assert!(harness.contains("cannot be set from here:\n  x = 3 (uninitialised)"), "{harness}");
}

#[test]
fn what_was_not_set_is_filled_if_that_will_do() {
    let text = "\
extern void reach_error(void);
int main(void) {
    int x;
    if (x != 0 && x != 1)
        reach_error();
    return 0;
}
";
    let harness = Case::c(text).harness();
    assert!(harness.contains("-ftrivial-auto-var-init=pattern"), "{harness}");
    assert!(!harness.contains("cannot be set"), "{harness}");
}

#[test]
fn a_harness_gives_each_function_its_values() {
    insta::assert_snapshot!(Case::c(STRAIGHT).harness());
}

#[test]
fn a_harness_says_where_the_order_of_inputs_is_open() {
    let said = "C leaves open in which order the inputs at ";
    for (statements, is_open) in [
        ("int d = in() - in();", true),
        ("int a = in(); int d = a - in();", false),
        ("int d = in(); if (!in()) return 0;", false),
        ("int d = get() - get();", true),
        ("int d; d = get() - get();", true),
        ("int d = less(get(), get());", true),
        ("int d = 77; if (get() <= get()) return 0;", true),
        ("int d = in() - get();", true),
        ("int d = 77; if (!(get() == 1 && get() == 2)) return 0;", false),
        ("int d = get(); { int e = get(); if (e == d) return 0; }", false),
        ("int d = less(get(), 5); int e = get(); if (e == d) return 0;", false),
        ("int d = more(get()); ", false),
    ] {
        let text = format!(
            "extern int in(void);\nextern void reach_error(void);\nstatic int get(void) {{ return in(); }}\n\
             static int less(int a, int b) {{ return a - b; }}\n\
             static int more(int a) {{ return a - in(); }}\nint main(void) {{\n    {statements}\n    \
             if (d == 77) reach_error();\n    return 0;\n}}\n"
        );
        let harness = Case::c(&text).harness();
        assert_eq!(harness.contains(said), is_open, "{statements}: {harness}");
    }
}

#[test]
fn a_harness_plays_what_is_missing() {
    let text = "\
extern void reach_error(void);
extern short foreign(int);
extern void notify(void);
extern int shared;
int main(int argc, char **argv) {
    notify();
    foreign(1);
    if (argc == 3 && foreign(2) == -3 && shared == 17)
        reach_error();
    return 0;
}
";
    let harness = Case::c(text).harness();
    for part in [
        "WEAK unsigned short foreign(void)",
        "65533u,",
        "WEAK int notify(void) { return 0; }",
        "WEAK_DATA unsigned int shared = 17u;",
        "exit(main(3, arguments));",
    ] {
        assert!(harness.contains(part), "{part}\n{harness}");
    }
}

#[test]
fn witnesses_of_a_violation() {
    let case = Case::c(STRAIGHT);
    let found = case.found();
    let execution = Execution::of(&case.program, &found);
    let (program, subject) = (&case.program, &case.subject);
    let yaml = proviso_report::violation(program, subject, &found, &execution, &stamp());
    insta::assert_snapshot!("violation.yml", yaml);
    let graph = proviso_report::violation_graph(program, subject, &found, &execution, &stamp());
    insta::assert_snapshot!("violation.graphml", graph);
}

#[test]
fn a_witness_of_correctness() {
    let text = "\
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i < 10)
        i++;
    if (i != 10)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let loops = cfa::Loops::of(&case.program.cfa);
    let location = loops.loops.iter().next().expect("a loop").head;
    let invariants = [Invariant { location, expression: "i <= 10 && \"x\"[0]".to_owned() }];
    let (program, subject) = (&case.program, &case.subject);
    let yaml = proviso_report::correctness(program, subject, &invariants, None, &stamp());
    insta::assert_snapshot!("correctness.yml", yaml);
    let empty = proviso_report::correctness(program, subject, &[], None, &stamp());
    assert!(empty.ends_with("  content: []\n"), "{empty}");
}

#[test]
fn a_harness_does_not_promise_addresses() {
    let text = "\
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);
int a[4];
int main(void) {
    int *p;
    p = __VERIFIER_nondet_pointer();
    if (p == &a[2])
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let harness = case.harness();
    let note = "These values of the run cannot be set from here:\n  __VERIFIER_nondet_pointer()";
    assert!(harness.contains(note), "{harness}");
    let found = case.found();
    let execution = Execution::of(&case.program, &found);
    let yaml =
        proviso_report::violation(&case.program, &case.subject, &found, &execution, &stamp());
    // The address is not said; that there is a call is, so that later calls keep their values.
    assert!(yaml.contains("\\\\result != 0") && !yaml.contains("=="), "{yaml}");
}

/// A `float` is not compared with a `double` of the same digits.
#[test]
fn a_witness_names_floats_exactly() {
    let text = "\
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    if (f == 0.1f)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let found = case.found();
    let execution = Execution::of(&case.program, &found);
    let (program, subject) = (&case.program, &case.subject);
    let yaml = proviso_report::violation(program, subject, &found, &execution, &stamp());
    assert!(yaml.contains("\\\\result == 0.1f"), "{yaml}");
}

/// A value of every call is named, also where it is infinite or no number: validators take calls in
/// turn.
#[test]
fn a_witness_leaves_no_input_out() {
    let text = "\
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = __VERIFIER_nondet_double();
    if (v[0] > 1e308 && v[0] == v[0] * 2 && v[1] != v[1] && v[2] == 0.5)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let found = case.found();
    let execution = Execution::of(&case.program, &found);
    let (program, subject) = (&case.program, &case.subject);
    let yaml = proviso_report::violation(program, subject, &found, &execution, &stamp());
    let values: Vec<&str> = yaml.lines().filter(|line| line.contains("\\\\result")).collect();
    let expected = ["== (1.0 / 0.0)", "!= \\\\result", "== 0.5"];
    assert_eq!(values.len(), expected.len(), "{yaml}");
    for (value, expected) in values.iter().zip(expected) {
        assert!(value.contains(expected), "{value}: {expected}");
    }
}

/// What the trace of a program says beside each line that is shown, without the code.
fn told(text: &str, checks: Checks) -> Vec<String> {
    let trace = Case::checked(text, checks).text();
    let lines = trace.lines().skip_while(|line| !line.is_empty()).skip(1);
    let beside = |line: &str| {
        let number = line.split_whitespace().next()?;
        let values = line.rsplit_once(";  ").or_else(|| line.rsplit_once("  "))?.1;
        number.parse::<u32>().ok().map(|number| format!("{number}: {}", values.trim()))
    };
    lines.filter_map(beside).collect()
}

#[test]
fn arrays_of_characters_show_what_is_behind_a_nul() {
    let text = "#include <assert.h>
#include <string.h>
int main(void) {
    char a[8] = \"ab\\0cd\";
    char b[4] = \"ab\";
    char c[3] = { 'x', '\\'', '\"' };
    char d[6] = \"a\\0001\";
    char e[40] = \"abcdefghijklmnopqrstuvwxyz\";
    char f[4] = { 1, 2 };
    assert(a[0] + b[0] + c[0] + d[0] + e[0] + f[0] == 0);
}
";
    let values = told(text, Checks::NONE);
    let expected = [
        "4: a = \"ab\\0cd\"",
        "5: b = \"ab\"",
        "6: c = \"x'\\\"\" without a NUL",
        "7: d = \"a\\0001\"",
        "8: e = \"abcdefghijklmnopqrstuvwx…\"",
        "9: f = {1, 2, 0, 0}",
        "10: error",
    ];
    assert_eq!(values, expected);
}

#[test]
fn conditions_say_what_they_decide() {
    let text = "#include <assert.h>
enum mode { IDLE, BUSY, DONE };
extern int __VERIFIER_nondet_int(void);
static int f(int x) { return x - 4; }
static int *g(int *x) { return x; }
int main(void) {
    int a = __VERIFIER_nondet_int(), b = 5, r = 0, t[2] = { 3, 0 };
    int *p = t;
    enum mode m = BUSY;
    char c = 'x';
    __VERIFIER_assume(a == 4);
    if (a > 0 && b > 9)
        r = 1;
    if (a < 0 || b == 5)
        r = 2;
    if (p && *p == 3 && !p[1])
        r = 3;
    if (!(p && *p == 3))
        r = 4;
    if (p[0] == 4 && p[1])
        r = 5;
    if (!*g(p) || !(*g(p + 1)))
        r = 6;
    if (a && f(a) && b)
        r = 7;
    if ((a + b) * 2 == 18 && !(b - a > 3))
        r = 70;
    while ((a = b) != 5 || !(p))
        r = 71;
    switch (m) {
    case BUSY:
        r = 8;
    }
    switch (c) {
    case 'y':
        r = 9;
    }
    switch (c) {
    case 'x':
        r = 10;
    }
    switch (r) {
    case 9: case 10:
        r = 11;
        break;
    default:
        r = 12;
    }
    switch (r) {
    case 1:
        r = 13;
        break;
    default:
        r = 14;
    }
    switch (r) {
    case 10 ... 20:
        r = 14;
    }
    switch (r) {
    case 20 ... 30: case 1:
        r = 15;
    }
    do
        r++;
    while (p[0] == 3 && r < 16);
    assert(r != 16);
}
";
    let checks = Checks::NONE.with(Check::Deref);
    let values = told(text, checks);
    let said = |line: u32| {
        let number = format!("{line}: ");
        let lines = values.iter().filter_map(|value| value.strip_prefix(&number));
        lines.map(|line| line.rsplit(", ").next().unwrap_or_default()).collect::<Vec<_>>()
    };
    for (line, expected) in [
        (12, "false"),
        (14, "true"),
        (16, "true"),
        (18, "false"),
        (20, "false"),
        (26, "true"),
        (28, "false"),
        (30, "case BUSY"),
        (34, "no case"),
        (38, "case 'x'"),
        (42, "case 10"),
        (49, "default"),
        (56, "case 14"),
        (60, "no case"),
    ] {
        assert_eq!(said(line), [expected], "{line}: {values:#?}");
    }
    // What a call decides is said after it.
    assert_eq!(said(22).last(), Some(&"true"), "{values:#?}");
    assert_eq!(said(24).last(), Some(&"false"), "{values:#?}");
    assert_eq!(said(66), ["true", "false"], "{values:#?}");
}

/// The last line of the trace of a program that uses memory wrongly.
fn error(text: &str) -> String {
    let checks = Checks::NONE.with(Check::Deref).with(Check::Free);
    let text = Case::checked(text, checks).text();
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn wrong_accesses_are_named() {
    let program = |body: &str| {
        format!(
            "#include <stdlib.h>
#include <string.h>
struct node {{ int value; struct node *next; }};
int a[10];
int sum(int *v, int n) {{
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += v[i];
    return s;
}}
int *local(void) {{ int x = 1; int *p = &x; return p; }}
int main(void) {{
    int *p = malloc(40), *q = p;
    char b[4];
    struct node n;
{body}
}}
"
        )
    };
    for (body, expected) in [
        (
            "free(p);\nreturn p[1];",
            "use after free at program.c:17:1: `p` points to heap#1, which was freed at line 16",
        ),
        (
            "free(p);\nfree(q);",
            "double free at program.c:17:1: `q` points to heap#1, which was freed at line 16",
        ),
        (
            "return sum(a, 10);",
            "access out of bounds at program.c:8:9: `v` points to `a`, which has 40 bytes; \
             this access is at offset 40, 4 bytes (s = 0, i = 10)",
        ),
        (
            "p[-1] = 3;",
            "access out of bounds at program.c:16:1: `p` points to heap#1, which has 40 bytes; \
             this access is at offset -4, 4 bytes",
        ),
        (
            "strcpy(b, \"hello\");",
            "access out of bounds at program.c:16:1: `b` has 4 bytes; \
             this access is at offset 4, 1 byte (b = \"hell\" without a NUL)",
        ),
        (
            "n.next = 0;\nn.next->value = 1;",
            "access through a null pointer at program.c:17:1: n.next = NULL",
        ),
        (
            "int i = 3;\nint c = b[i + 1];",
            "access out of bounds at program.c:17:5: `b` has 4 bytes; \
             this access is at offset 4, 1 byte (i = 3)",
        ),
        (
            "return *local();",
            "use of an object after its end at program.c:16:1: \
             `x` is gone: its block or function has ended",
        ),
        ("free(&a);", "invalid free at program.c:16:1: `a` is not on the heap"),
        (
            "free(p + 1);",
            "invalid free at program.c:16:1: \
             `p` points to heap#1, which is freed by an address that is 4 bytes inside",
        ),
        (
            "char *t = \"abc\";\n*t = 1;",
            "write to a constant at program.c:17:1: \
             `t` points to \"abc\", which must not be written (*t = 97 ('a'))",
        ),
        (
            "const int k = 3;\nint *w = (int *)&k;\n*w = 4;",
            "write to a constant at program.c:18:1: \
             `w` points to `k`, which must not be written (*w = 3)",
        ),
    ] {
        assert_eq!(error(&program(body)), format!("Error: {expected}"), "{body}");
    }
}

#[test]
fn results_and_assertions_are_told() {
    let text = "#include <assert.h>
enum mode { IDLE, BUSY };
static enum mode next(int x) { return x > 0 ? BUSY : IDLE; }
static const char *name(enum mode m) { return m == BUSY ? \"busy\" : \"idle\"; }
int main(void) {
    int x = 2;
    assert(x == 2 && next(0) == IDLE);
    enum mode m = next(1);
    const char *n = name(m);
    assert(x == 3 || *n == 'b');
    assert(*n == 'i');
}
";
    let values = told(text, Checks::NONE);
    let expected = [
        "6: x = 2",
        "7: x = 0",
        "3: returns IDLE",
        "7: holds",
        "8: x = 1",
        "3: returns BUSY",
        "8: m = BUSY",
        "9: m = BUSY",
        "4: returns \"busy\"",
        "9: n = \"busy\"",
        "10: holds",
        "11: error",
    ];
    assert_eq!(values, expected);
}

#[test]
fn calls_that_change_memory_say_what_they_change() {
    let text = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int x, y; };
struct pair make(int x) {
    struct pair p = { x, x + 1 };
    return p;
}
int main(void) {
    char buf[32], small[6];
    int n[8];
    struct pair v;
    memset(buf, 0, 16);
    memset(n, 0xff, 12);
    memset(&v, 0, sizeof v);
    memcpy(buf, \"hello\", 6);
    strcpy(buf, \"xy\");
    memcpy(n + 4, n, 8);
    strcpy(small, buf);
    struct pair w = make(3);
    char *h = malloc(100);
    memset(h, 1, 100);
    memcpy(h + 10, \"abc\\0\\0\", 6);
    free(h);
    assert(v.x == 1);
}
";
    let values = told(text, Checks::NONE);
    for expected in [
        "13: buf[0..16] = 0",
        "14: n[0..3] = -1",
        "15: v = {x = 0, y = 0}",
        "16: buf = \"hello\"",
        "17: buf = \"xy\\0lo\"",
        "18: n[4..6] = -1",
        "19: small = \"xy\"",
        "6: p.x = 3, p.y = 4",
        "7: returns {x = 3, y = 4}",
        "20: w.x = 3, w.y = 4",
        "22: heap#1[0..100] = 1",
        "23: heap#1[10..16] = \"abc\" and zeros",
        "24: heap#1 is freed",
    ] {
        assert!(values.iter().any(|value| value == expected), "{expected}: {values:#?}");
    }
    assert!(!values.iter().any(|value| value.contains("::")), "{values:#?}");
}

#[test]
fn inputs_have_the_words_of_the_source() {
    let text = "#include <assert.h>
#include <stdio.h>
extern int g;
extern unsigned char u;
extern struct { int a; char name[4]; } conf;
int main(void) {
    int x;
    unsigned char c;
    int t[2];
    if (scanf(\"%d %hhu\", &x, &c) != 2)
        return 0;
    if (x != -2147483647 - 1 || c != 200 || g != -5 || u != 255 || conf.a != 3 || t[1] != -7)
        return 0;
    assert(conf.name[1] != 'x');
}
";
    let trace = Case::c(text).text();
    for expected in [
        "  scanf() = 2\n",
        "  scanf %d = -2147483648\n",
        "  scanf %hhu = 200\n",
        "  g = -5 (arbitrary at the start)\n",
        "  u = 255 (arbitrary at the start)\n",
        "  conf.a = 3 (arbitrary at the start)\n",
        "  conf.name[1] = 120 ('x') (arbitrary at the start)\n",
        "  t[1] = -7 (uninitialised)\n",
    ] {
        assert!(trace.contains(expected), "{expected}\n{trace}");
    }
}

#[test]
fn bits_that_say_what_is_set_are_not_shown() {
    let text = "\
#include <stdlib.h>
struct point { int x, y; char name[4]; };
struct point make(int x) { struct point p; p.x = x; return p; }
int sum(struct point q) { return q.x + q.y; }
int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1; p[1] = 2;
    p = realloc(p, 4 * sizeof *p);
    struct point a = make(p[1]);
    return sum(a);
}
";
    let text = Case::checked(text, Checks::NONE.with(Check::Uninitialised)).text();
    for expected in [
        "heap#1 is freed, heap#2[0..2] = {1, 2}, p = heap#2",
        "a = {x = 2, y = 0, name = \"\"}",
        "q = {x = 2, y = 0, name = \"\"}, error",
        ": q.x = 2, q.y = 0",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("65536"), "{text}");
}

#[test]
fn members_of_headers_and_long_doubles_have_words() {
    let text = "\
#include <assert.h>
#include <time.h>
void set(struct tm *t, int year) { t->tm_year = year; }
int main(void) {
    struct tm t = {0};
    long double a[2] = {1.5L, -2.25L}, third = 1.0L / 3;
    set(&t, 99);
    a[1] = a[1] * 2;
    assert(t.tm_year != 99);
    return third > 0;
}
";
    let text = Case::checked(text, Checks::NONE).text();
    for expected in [
        "t = {tm_sec = 0, tm_min = 0,",
        "t->tm_year = 99",
        "a = {1.5, -2.25}",
        "a[1] = -4.5",
        "third = 0x3ffdaaaaaaaaaaaaaaab",
        ": t.tm_year = 99",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn types_that_their_text_alone_does_not_tell_have_words() {
    let text = "\
#include <assert.h>
enum { LAST = (1 << 1) | 1 };
struct __attribute__((packed)) head { char kind; int length; short parts[4]; };
#define RECORD(name) struct name { int first, second; }
RECORD(pair);
void fill(struct head *h, struct pair *p, int *n) { h->length = 7; h->parts[LAST] = 9; p->second = *n; }
int main(void) {
    struct head h = { 'k', 0 };
    struct pair p = { 1, 2 };
    __typeof__(p.first) n = 5;
    fill(&h, &p, &n);
    { struct pair { char c[2]; } p = { \"x\" }; fill(&h, (void *) 0 ? (void *) &p : (void *) &h.length, &n); }
    assert(h.kind != 'k');
}
";
    let text = Case::checked(text, Checks::NONE).text();
    for expected in [
        "h = {kind = 107 ('k'), length = 0, parts = {0, 0, 0, 0}}",
        "p = {first = 1, second = 2}",
        "h->length = 7",
        "h->parts[3] = 9",
        "p->second = 5",
        "p = {c = \"x\"}",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn arguments_that_are_computed_are_no_inputs() {
    let text = "#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static int f(int v) { return v + 1; }
int main(void) {
    int r = f(__VERIFIER_nondet_int() % 10);
    int q = f(__VERIFIER_nondet_int());
    char c = 0;
    char line[4] = \"\";
    scanf(\"%c\", &c);
    fgets(line, sizeof line, stdin);
    assert(!(r == 4 && q == 3 && c == 'x' && line[0] == 'y' && line[1] == 0));
}
";
    let values = told(text, Checks::NONE);
    insta::assert_snapshot!(values.join("\n"));
}

#[test]
fn a_loop_on_one_line_tells_each_test() {
    let text = "#include <assert.h>
int main(void) {
    int x = 0, n = 0;
    while (x < 2) x++;
    do n++; while (n < 2);
    for (int i = 0; i < 1; i++) n += i;
    assert(x + n == 0);
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn strings_in_members_and_literals_have_words() {
    let text = "#include <assert.h>
#include <string.h>
struct p { int n; char name[8]; };
struct q { int x, y; };
static int sum(const struct q *q) { return q->x + q->y; }
int main(void) {
    struct p w, v[2];
    strcpy(w.name, \"abc\");
    w.n = 2;
    memset(v, 0, sizeof v);
    memcpy(v[1].name, \"xyz\", 4);
    struct q *one = &(struct q){1, 2};
    struct q *two = &(struct q){3, 4};
    one->x = 9;
    int s = sum(one) + sum(two) + sum(&(struct q){5, 6});
    assert(s + w.n + v[1].name[0] == 0);
}
";
    insta::assert_snapshot!(Case::c(text).text());
}

#[test]
fn copies_of_bit_fields_are_one_row() {
    let text = "#include <assert.h>
struct b { unsigned a : 3, b : 7, c : 9; int d; };
static void keep(struct b *to) { to->c = 1; }
int main(void) {
    struct b one = {1, 2, 3, 4}, two[2] = {{0}};
    int k = one.a;
    two[k] = one;
    two[k].b = 5;
    struct b three = two[k];
    keep(&three);
    assert(two[k].b + three.d == 0);
}
";
    let checks = Checks::NONE.with(Check::Deref);
    insta::assert_snapshot!(Case::checked(text, checks).text());
}

#[test]
fn static_variables_of_one_name_are_told_apart_at_the_start() {
    let text = "#include <assert.h>
static int one(void) { static int count = 4; return ++count; }
static int two(void) { static int count = 8; int *p = &count; return ++*p; }
int main(void) {
    assert(one() + two() == 0);
}
";
    insta::assert_snapshot!(Case::c(text).text());
}
