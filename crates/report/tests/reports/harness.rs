//! Harnesses: C programs that play the outside of a violation.

use proviso_report::Execution;

use crate::{Case, STRAIGHT, stamp};

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
