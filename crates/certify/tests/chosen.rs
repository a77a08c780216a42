//! Accesses to a place that the execution chooses: through a pointer to one of several objects, or at an offset that is
//! an input.

#![allow(missing_docs)]

mod common;

use common::{Draft, c};
use proviso_certify::Certified;

/// The check of a program without loops.
fn check(body: &str) -> Certified {
    let program = c(&format!(
        "void *malloc(unsigned long); void free(void *); extern unsigned __VERIFIER_nondet_uint(void);
int a, b; int t[4]; static const int odd[4] = {{1, 3, 5, 7}};
int main(void) {{ {body} return 0; }}"
    ));
    Draft::new(&program).check().certified
}

fn holds(body: &str) {
    assert_eq!(check(body), Certified::Holds, "{body}");
}

fn fails(body: &str) {
    assert_ne!(check(body), Certified::Holds, "{body}");
}

#[test]
fn a_pointer_to_one_of_two_objects_is_followed_to_both() {
    let choice = "int *p = __VERIFIER_nondet_int() ? &a : &b; a = 1; b = 2;";
    holds(&format!("{choice} int r = *p; __VERIFIER_assert(r == 1 || r == 2);"));
    fails(&format!("{choice} int r = *p; __VERIFIER_assert(r == 1);"));
    holds(&format!("{choice} *p = 5; __VERIFIER_assert(*p == 5);"));
    holds(&format!(
        "{choice} *p = 5; __VERIFIER_assert((a == 5 && b == 2) || (a == 1 && b == 5));"
    ));
    fails(&format!("{choice} *p = 5; __VERIFIER_assert(a == 1);"));
    fails(&format!("{choice} *p = 5; __VERIFIER_assert(b == 2);"));
    fails(&format!("{choice} *p = 5; __VERIFIER_assert(a == 5);"));
}

#[test]
fn a_number_may_be_added_to_a_pointer_that_is_chosen() {
    let choice = "int *p = __VERIFIER_nondet_int() ? t : t + 1;";
    holds(&format!("{choice} p[2] = 5; __VERIFIER_assert(t[2] == 5 || t[3] == 5);"));
    holds(&format!("{choice} p[2] = 5; __VERIFIER_assert(t[0] == 0 && t[1] == 0);"));
    fails(&format!("{choice} p[2] = 5; __VERIFIER_assert(t[3] == 0);"));
    fails(&format!("{choice} p[2] = 5; __VERIFIER_assert(t[2] == 0);"));
}

#[test]
fn a_pointer_to_nothing_is_followed_where_it_is_excluded() {
    let choice = "int c = __VERIFIER_nondet_int(); int *p = c ? &a : 0;";
    holds(&format!("{choice} if (c) {{ *p = 5; __VERIFIER_assert(a == 5); }}"));
    holds(&format!("{choice} if (p) {{ *p = 5; __VERIFIER_assert(a == 5); }}"));
    // No proof rests on the execution ending at the access.
    fails(&format!("{choice} *p = 5; __VERIFIER_assert(c);"));
    fails(&format!("{choice} int *q = &b; *q = 2; *p = 5; __VERIFIER_assert(b == 2);"));
    fails(&format!("{choice} int r = *p; __VERIFIER_assert(r == a);"));
}

#[test]
fn an_object_that_may_have_ended_is_another_case() {
    let choice = "int *p = malloc(4), *q = malloc(4); int *r = __VERIFIER_nondet_int() ? p : q;
        *p = 1; *q = 2;";
    holds(&format!("{choice} *r = 3; __VERIFIER_assert(*p == 3 || *q == 3); free(r);"));
    fails(&format!("{choice} *r = 3; __VERIFIER_assert(*p == 1); free(r);"));
}

#[test]
fn an_offset_that_is_an_input_is_one_of_those_in_the_object() {
    let index = "unsigned i = __VERIFIER_nondet_uint() % 4;";
    holds(&format!("{index} t[i] = 5; __VERIFIER_assert(t[i] == 5);"));
    holds(&format!("{index} t[i] = 5; __VERIFIER_assert(t[(i + 1) % 4] == 0);"));
    holds(&format!("{index} t[i] = 5; if (i != 2) __VERIFIER_assert(t[2] == 0);"));
    fails(&format!("{index} t[i] = 5; __VERIFIER_assert(t[2] == 0);"));
    fails(&format!("{index} t[i] = 5; __VERIFIER_assert(t[2] == 5);"));
    holds(&format!("{index} __VERIFIER_assert(odd[i] % 2 == 1);"));
    fails(&format!("{index} __VERIFIER_assert(odd[i] < 7);"));
    holds(&format!("{index} int l[4]; l[i] = 5; __VERIFIER_assert(l[i] == 5);"));
    fails(&format!("{index} int l[4]; l[i] = 5; __VERIFIER_assert(l[(i + 1) % 4] == 5);"));
}

#[test]
fn a_value_that_is_overwritten_in_part_is_not_kept() {
    let index = "unsigned i = __VERIFIER_nondet_uint() % 16; char *bytes = (char *)t;";
    fails(&format!("{index} bytes[i] = 5; __VERIFIER_assert(t[0] == 0);"));
    holds(&format!("{index} bytes[i] = 5; if (i > 3) __VERIFIER_assert(t[0] == 0);"));
    fails(&format!(
        "{index} t[0] = 0; *(int *)(bytes + i % 13) = 5; __VERIFIER_assert(t[0] == 0);"
    ));
    holds(&format!(
        "{index} t[0] = 9; i %= 13; *(int *)(bytes + i) = 5; if (i > 3) __VERIFIER_assert(t[0] == 9);"
    ));
    fails(&format!(
        "{index} t[0] = 9; i %= 13; *(int *)(bytes + i) = 5; if (i > 2) __VERIFIER_assert(t[0] == 9);"
    ));
}

#[test]
fn both_may_be_chosen_at_once() {
    let both = "int u[4] = {1, 1, 1, 1}; int c = __VERIFIER_nondet_int(); int *p = c ? t : u;
        unsigned i = __VERIFIER_nondet_uint() % 4;";
    holds(&format!("{both} p[i] = 5; __VERIFIER_assert(c ? t[i] == 5 : u[i] == 5);"));
    holds(&format!("{both} p[i] = 5; __VERIFIER_assert(c ? u[i] == 1 : t[i] == 0);"));
    fails(&format!(
        "{both} p[i] = 5; __VERIFIER_assert(c ? u[i] == 1 : t[1] == 0 && i != 9 && t[i] == 5);"
    ));
    fails(&format!("{both} p[i] = 5; __VERIFIER_assert(t[i] == 5);"));
}
