//! Which lines a trace has, what is folded, and what each line decides.

use cfa::{Check, Checks};

use crate::{Case, STRAIGHT, told};

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
    switch (c - 'a') {
    case 23:
        r = 14;
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
        (64, "case 23"),
    ] {
        assert_eq!(said(line), [expected], "{line}: {values:#?}");
    }
    // What a call decides is said after it.
    assert_eq!(said(22).last(), Some(&"true"), "{values:#?}");
    assert_eq!(said(24).last(), Some(&"false"), "{values:#?}");
    assert_eq!(said(70), ["true", "false"], "{values:#?}");
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

/// The functions that `longjmp` ends do not return.
#[test]
fn a_long_jump_leads_to_its_setjmp() {
    let text = "#include <assert.h>
#include <setjmp.h>
static jmp_buf place;
static void fail(int code) { longjmp(place, code); }
static int parse(int c) {
    if (c > 9)
        fail(c);
    return c;
}
int main(void) {
    int code = setjmp(place);
    if (!code)
        parse(12);
    assert(code == 0);
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
