//! Values of traces, in the words of their types.

use cfa::{Check, Checks};

use crate::{Case, told};

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

/// What a terminal obeys is told by its bytes.
#[test]
fn texts_in_utf_8_are_shown_as_they_are_read() {
    let text = "#include <assert.h>
int main(void) {
    char a[] = \"Gr\u{fc}\u{df}e\";
    const char *p = \"\u{df}x\";
    char b[] = \"a\u{202e}b\";
    char c[] = \"\\033[2J\";
    assert(a[0] + *p + b[0] + c[0] == 0);
}
";
    let values = told(text, Checks::NONE);
    let expected = [
        "3: a = \"Gr\u{fc}\u{df}e\"",
        "4: p = \"\u{df}x\"",
        r#"5: b = "a\342\200\256b""#,
        r#"6: c = "\033[2J""#,
        "7: error",
    ];
    assert_eq!(values, expected);
}

/// Control characters of the source are shown by several characters each.
#[test]
fn values_stand_in_one_column_beside_control_characters() {
    let text = "#include <assert.h>
int main(void) {
    const char *p = \"\u{1}\u{1b}[31m\";
    int one = 1;
    assert(p[0] + one == 0);
}
";
    let text = Case::checked(text, Checks::NONE).text();
    let column = |value: &str| text.lines().find_map(|line| line.rfind(value));
    let first = column("p = \"\\001");
    assert!(first.is_some() && first == column("one = 1"), "{text}");
}

/// What a declaration in a loop leaves open is not shown as if it were assigned.
#[test]
fn a_variable_that_nobody_sets_is_marked() {
    let text = "#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1) assert(x != 5);
        x = 7;
    }
}
";
    let values = told(text, Checks::NONE);
    assert!(values.contains(&"4: x = 5 (uninitialised)".to_owned()), "{values:?}");
    assert!(values.contains(&"6: x = 7".to_owned()), "{values:?}");
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
fn values_of_enumerations_without_a_sign_have_names() {
    let text = "\
#include <assert.h>
enum big { SMALL = 1, LARGE = 0xf0000000u };
int main(void) {
    enum big e = LARGE, other = 0xf0000001u;
    assert(e == SMALL || other == SMALL);
}
";
    let text = Case::checked(text, Checks::NONE).text();
    for expected in ["e = LARGE", "other = 4026531841"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
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

/// The nearest `float` of some digits is another number than the nearest `double`.
#[test]
fn floats_that_their_digits_do_not_give_are_marked() {
    let text = "#include <assert.h>
int main(void) {
    float f[2] = {0.1f, 0.5f}, g = 16777216.0f;
    double d = 0.1;
    assert(f[0] == d);
}
";
    let values = told(text, Checks::NONE);
    assert_eq!(values, ["3: f = {0.1f, 0.5}, g = 16777216.0", "4: d = 0.1", "5: error"]);
    assert!(Case::c(text).text().contains(": f[0] = 0.1f, d = 0.1\n"));
}

/// What the model keeps in a `va_list` is an address that the program does not see.
#[test]
fn lists_of_arguments_have_no_values() {
    let text = "#include <assert.h>
#include <stdarg.h>
static int first(va_list all) { return va_arg(all, int); }
static int sum(int n, ...) {
    va_list other, list;
    va_start(list, n);
    int s = first(list);
    va_end(list);
    return s;
}
int main(void) {
    assert(sum(2, 3, 4) == 7);
}
";
    let trace = Case::c(text).text();
    assert!(trace.contains("returns 3") && !trace.contains("list ="), "{trace}");
    assert!(!trace.contains("all ="), "{trace}");
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
