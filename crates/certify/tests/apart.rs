//! Where new objects are: apart from the objects that are alive then, and nothing more.

#![allow(missing_docs)]

mod common;

use common::{Draft, c};
use proviso_certify::Certified;

/// The check of a program without loops.
fn check(body: &str) -> Certified {
    let program = c(&format!(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
typedef unsigned long word; extern word __VERIFIER_nondet_ulong(void); int g; void *shared;
{body}"
    ));
    Draft::new(&program).check().certified
}

fn holds(body: &str) {
    assert_eq!(check(body), Certified::Holds, "{body}");
}

/// Not known to the checker, and no proof of an analysis is called wrong because of that.
fn is_open(body: &str) {
    assert!(matches!(check(body), Certified::Open(_)), "{body}");
}

fn main(body: &str) -> String {
    format!("int main(void) {{ {body} return 0; }}")
}

#[test]
fn a_new_object_is_apart_from_older_ones_that_are_alive() {
    holds(&main("int *p = malloc(4), *q = malloc(4); __VERIFIER_assert(p != q);"));
    holds(&main(
        "char *p = malloc(8), *q = calloc(2, 4); __VERIFIER_assert(p + 7 != q && q + 7 != p);",
    ));
    holds(&main("int *p = malloc(4); __VERIFIER_assert(p != &g);"));
    holds(&main("int x; shared = &x; int *p = malloc(4); shared = p; __VERIFIER_assert(p != &x);"));
    holds(
        "int f(int *p) { int x; shared = &x; return p != &x; }
        int main(void) { int y; shared = &y; __VERIFIER_assert(f(&y)); return 0; }",
    );
    // The next object may begin where this one ends.
    is_open(&main("char *p = malloc(16), *q = malloc(16); __VERIFIER_assert(p + 16 != q);"));
    is_open(&main("char *p = malloc(8), *q = malloc(8); __VERIFIER_assert(p < q);"));
}

#[test]
fn an_object_that_has_ended_leaves_its_place_to_others() {
    let text = |between: &str| {
        main(&format!(
            "int *p = malloc(4); word at = (word)p; {between}
            int *q = malloc(4); __VERIFIER_assert(at != (word)q);"
        ))
    };
    holds(&text(""));
    is_open(&text("free(p);"));
    is_open(&text("if (__VERIFIER_nondet_int()) free(p);"));
    holds(&text("int *r = malloc(4); free(r);"));
    // The pointer to what is freed is not known.
    is_open(&text("int *r = malloc(4); free(__VERIFIER_nondet_int() ? p : r);"));
    is_open(&text("free((void *)__VERIFIER_nondet_ulong());"));
    // The object was there when the other one began, but not the other way round.
    holds(&main(
        "int *p = malloc(4), *q = malloc(4); word at = (word)p; free(p); __VERIFIER_assert(at != (word)q);",
    ));
    // The address of a local whose function has returned.
    is_open("word f(void) { int x; shared = &x; return (word)&x; }
        int main(void) { word at = f(); int *p = malloc(4); __VERIFIER_assert(at != (word)p); return 0; }");
    is_open(
        "word f(void) { int x; shared = &x; return (word)&x; }
        int main(void) { word at = f(); __VERIFIER_assert(at != f()); return 0; }",
    );
}

#[test]
fn of_sizes_that_are_not_usual_nothing_is_said() {
    let text = |size: &str| {
        main(&format!(
            "word n = __VERIFIER_nondet_ulong(); char *p = malloc({size}), *q = malloc(4);
            __VERIFIER_assert(p != q);"
        ))
    };
    holds(&text("1"));
    is_open(&text("0"));
    is_open(&text("n"));
    is_open(&text("0x8000000000000000"));
    holds(&text("n % 64 + 1"));
    is_open(&text("n % 64"));
    let inside = |condition: &str| {
        main(&format!(
            "word n = __VERIFIER_nondet_ulong(); if ({condition}) {{
            char *p = malloc(n), *q = malloc(4); __VERIFIER_assert(q < p || q >= p + n); }}"
        ))
    };
    holds(&inside("n > 0 && n < 100"));
    is_open(&inside("n > 0"));
}

#[test]
fn an_address_is_aligned_and_not_among_the_first() {
    holds(&main("char *p = malloc(4); __VERIFIER_assert((word)p >= 4096);"));
    is_open(&main("char *p = malloc(4); __VERIFIER_assert((word)p > 4096);"));
    holds(&main("long *p = malloc(8); __VERIFIER_assert(((word)p & 7) == 0);"));
    is_open(&main("long *p = malloc(8); __VERIFIER_assert(((word)p & 1023) == 0);"));
    // The end does not wrap.
    holds(&main("char *p = malloc(9); __VERIFIER_assert(p < p + 9);"));
    is_open(&main("char *p = malloc(9); __VERIFIER_assert(p < p + 100);"));
}

#[test]
fn what_is_said_of_an_object_is_said_where_it_began() {
    // Three objects of nearly half of all addresses have no room, so no execution goes on behind them. The error is reached
    // where there are none.
    let most = "0x7fffffffffffffff";
    let objects = format!("p = malloc({most}); q = malloc({most}); r = malloc({most});");
    let asks = "if (p == q && q == r) reach_error();";
    holds(&main(&format!("char *p = &g, *q = &g, *r = &g; {objects} {asks}")));
    is_open(&main(&format!(
        "char *p = 0, *q = 0, *r = 0; if (__VERIFIER_nondet_int()) {{ {objects} }} {asks}"
    )));
    // An address that is given in one of two ways.
    let either = |value: &str| {
        main(&format!(
            "int *p, *o = malloc(4); if (__VERIFIER_nondet_int()) p = malloc(4); else p = {value};
            int *q = malloc(4); __VERIFIER_assert(p != q);"
        ))
    };
    holds(&either("o"));
    holds(&either("0"));
    is_open(&either("(int *)__VERIFIER_nondet_ulong()"));
    is_open(&either("(int *)((word)o + 16)"));
}

/// The check of a program with a loop of which nothing is claimed but that all of its rounds are as one.
fn by_rounds(before: &str, round: &str) -> Certified {
    let program = c(&format!(
        "void *malloc(unsigned long); void free(void *);
        int main(void) {{ int *p = malloc(4); int *q = malloc(4); {before}
        while (__VERIFIER_nondet_int()) {{ {round} }} return 0; }}"
    ));
    let mut draft = Draft::new(&program);
    draft.rounds(&["main"], ("main", 0), "true", (0, 0));
    draft.check().certified
}

#[test]
fn pointers_of_earlier_rounds_may_be_stale() {
    let asks = "q = malloc(4); __VERIFIER_assert(p != q);";
    let open = |before: &str, round: &str| {
        let found = by_rounds(before, round);
        assert!(matches!(found, Certified::Open(_)), "{before} {round}: {found:?}");
    };
    assert_eq!(by_rounds("", asks), Certified::Holds);
    assert_eq!(by_rounds("", &format!("{asks} free(q);")), Certified::Holds);
    // The object has ended before the loop, or in some round.
    open("free(p);", asks);
    open("", &format!("{asks} if (__VERIFIER_nondet_int()) free(p);"));
    open("", &format!("if (__VERIFIER_nondet_int()) free(p); {asks}"));
    open("", &format!("{asks} p = q; free(q);"));
    // The object is alive, but the checker does not know which one it is.
    open("", &format!("{asks} p = q;"));
}
