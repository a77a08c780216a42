//! What an error is, in words, with the values of its operands.

use cfa::{Check, Checks};

use crate::Case;

#[test]
fn faults_have_the_values_of_their_operands() {
    let error = |text: &str| {
        let checks = Checks::NONE.with(Check::Deref).with(Check::Div);
        let text = Case::checked(text, checks).text();
        text.lines().find(|line| line.starts_with("Error: ")).unwrap_or_default().to_owned()
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

/// The last line of the trace of a program that uses memory wrongly.
fn error(text: &str) -> String {
    let checks = Checks::NONE.with(Check::Deref).with(Check::Free);
    let text = Case::checked(text, checks).text();
    text.lines().find(|line| line.starts_with("Error: ")).unwrap_or_default().to_owned()
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

/// A program may call its macros as it likes: the body says what has failed.
#[test]
fn a_macro_of_the_program_is_told_by_what_it_does() {
    let told = |body: &str| {
        let text = format!(
            "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define assert(x) {body}
int main(void) {{
    int a = __VERIFIER_nondet_int();
    if (a != 3) return 0;
    assert(a > 2 // isn't it
           && a < 4);
    return 0;
}}
"
        );
        error(&text)
    };
    let is_called = "Error: reach_error() is called by `assert(a > 2 && a < 4)` at program.c:7:5";
    assert_eq!(told("if (x) reach_error()"), is_called);
    assert_eq!(told("((x) ? reach_error() : (void)0)"), is_called);
    let negated = "if (!(x)) ; else reach_error()";
    assert_eq!(told(negated), is_called);
    let fails = |body: &str| {
        let text = format!(
            "extern void reach_error(void);
#define assert(x) {body}
int main(void) {{
    int a = 3;
    assert(a < 3);
    return 0;
}}
"
        );
        error(&text)
    };
    let failed = "Error: assertion `a < 3` failed at program.c:5:5: a = 3";
    assert_eq!(fails("if (!(x)) reach_error()"), failed);
    assert_eq!(fails("((x) ? (void)0 : reach_error())"), failed);
}

#[test]
fn of_many_operands_the_first_are_told() {
    let text = "#include <assert.h>
int main(void) {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    assert(a + b + c + d + e + f == 0);
}
";
    let told = "a = 1, b = 2, c = 3, d = 4, e = 5, f = 6";
    assert!(error(text).ends_with(&format!(": {told}")), "{}", error(text));
    let more = text.replace("f == 0", "f + g == 0");
    assert!(error(&more).ends_with(&format!(": {told}, …")), "{}", error(&more));
}
