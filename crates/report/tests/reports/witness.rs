//! Witnesses of violations and of correctness, as text.

use proviso_report::{Execution, Invariant};

use crate::{Case, STRAIGHT, stamp};

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
