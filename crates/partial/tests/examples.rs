//! The examples of the thesis (Castaño 2018), with the answers that it gives, or, where it contradicts
//! its own definitions or the semantics of C, with those that follow from the definitions.

mod common;

use common::{
    all_lines, automaton, coverage, coverage_before, lines, read, report, report_before, stopped,
    with_nodes,
};
use proviso_partial::TargetKind;
use verify::Analysis;

/// Example 1, Fig. 3.1: bounded model checking of a harness.
#[test]
fn example_1_unrolled_three_times() {
    let program = read(include_str!("examples/min.c"));
    let outcome = stopped(&program, Analysis::Bmc, Some(3));
    let report = report(&program, &outcome);
    assert!(report.violation.is_none());
    let cones: Vec<_> = report.cones.iter().map(|trace| lines(&program, trace)).collect();
    assert_eq!(cones, [vec!["16[!]"]], "the branch that is not large");
    let frontier: Vec<_> = report.frontier.iter().map(|trace| lines(&program, trace)).collect();
    assert_eq!(frontier.len(), 1, "{frontier:?}");
    let passes = frontier[0].iter().filter(|line| *line == "10[]").count();
    assert_eq!(passes, 4, "{frontier:?}");
    assert_eq!(frontier[0][0], "16[]");
    assert!(report.all_frontier && report.all_cones);
    let unsound = report.unsound.expect("there is a frontier");
    assert_eq!((unsound.rounds, unsound.least), (4, true));
    assert!(report.frontier.iter().all(|trace| trace.kind == TargetKind::Frontier));
}

/// Example 2, Fig. 3.2. Our predicates prove the program, so the automaton is a handwritten one: the
/// other branch was analysed, and this one up to its assert.
#[test]
fn example_2_one_branch_is_proved() {
    let program = read(include_str!("examples/branches.c"));
    let spc = automaton(&program, include_str!("examples/branches.spc"));
    let report = report_before(&program, &spc);
    let cones: Vec<_> = report.cones.iter().map(|trace| lines(&program, trace)).collect();
    // Only the step into the error is open, so whatever follows an assert that holds is proved too.
    assert_eq!(cones, [vec!["4[]"], vec!["4[!]", "12[]"]]);
    assert_eq!(report.frontier.len(), 1);
    let trace = &report.frontier[0];
    assert_eq!(trace.kind, TargetKind::Undecided, "the assert itself could not be decided");
    assert_eq!(all_lines(&program, trace), [3, 4, 9, 10, 11]);
    let inputs = interp::write_inputs(&program, &trace.drawn);
    assert!(inputs.starts_with("0 "), "p is zero: {inputs}");
    let unsound = report.unsound.expect("there is a frontier");
    assert_eq!((unsound.rounds, unsound.least), (0, true));
}

/// Fig. 3.5: two programs in one, of which the first is easy.
#[test]
fn figure_3_5_the_easy_half_is_a_cone() {
    let program = read(include_str!("examples/halves.c"));
    let outcome = with_nodes(&program, Analysis::Value, 60);
    let report = report(&program, &outcome);
    let cones: Vec<_> = report.cones.iter().map(|trace| lines(&program, trace)).collect();
    assert!(cones.contains(&vec!["16[]".to_owned()]), "{cones:?}");
    assert!(!report.frontier.is_empty());
    assert!(report.frontier.iter().all(|trace| lines(&program, trace)[0] == "16[!]"));
}

/// Example 5, Fig. 5.1, mended: no execution ends within what was analysed, or the bug is met.
#[test]
fn example_5_a_loop_that_is_not_left() {
    let program = read(include_str!("examples/million.c"));
    let outcome = with_nodes(&program, Analysis::Value, 50);
    let coverage = coverage(&program, &outcome);
    let error = coverage.violation.expect("the only execution violates the property");
    assert!(matches!(
        engines::replay(&program, &error.drawn, &run::Budget::default()),
        run::Replayed::Error(_)
    ));
}

/// Example 6, Fig. 5.2: dead code is seen and never covered. The thesis has an `int x`; with wrap-around
/// its square can be negative, so `x` is short here.
#[test]
fn example_6_dead_code_is_not_covered() {
    let program = read(include_str!("examples/dead.c"));
    // All of it was analysed.
    let spc = automaton(
        &program,
        "OBSERVER AUTOMATON A INITIAL STATE __TRUE; STATE __TRUE : TRUE -> GOTO __TRUE; END AUTOMATON",
    );
    let coverage = coverage_before(&program, &spc);
    let covered = coverage.lines.iter().filter(|(_, count)| **count > 0);
    let covered: Vec<u32> = covered.map(|((_, line), _)| *line).collect();
    assert_eq!(covered, [3, 4, 5, 6, 9, 11, 12]);
    assert_eq!(coverage.seen.len(), 8, "the dead line is seen");
    assert!(coverage.exact);
    assert!(coverage.violation.is_none());
}

/// The author's own test: three ways through a program, with parts that were not analysed.
#[test]
fn what_was_not_analysed_is_not_covered() {
    let program = read(include_str!("examples/three.c"));
    let covered = |text: &str| {
        let spc = automaton(&program, text);
        let coverage = coverage_before(&program, &spc);
        assert!(coverage.exact);
        let covered = coverage.lines.iter().filter(|(_, count)| **count > 0);
        covered.map(|((_, line), _)| *line).collect::<Vec<u32>>()
    };
    let first = include_str!("examples/three-first.spc");
    assert_eq!(covered(first), [3, 4, 13]);
    let second = include_str!("examples/three-second.spc");
    assert_eq!(covered(second), [3, 4, 5, 6, 9]);
}

/// What executions do at an address where no object is is not modelled unless it is checked: the path up to
/// there is a frontier trace, found without a product, in which the access would be no step.
#[test]
fn an_access_that_is_not_modelled_ends_a_trace() {
    let program = read(
        "extern unsigned long in(void);
         extern void reach_error(void);
         int main(void) {
           int *p = 0;
           if (in() == 123456789) {
             if (*p == 7) reach_error();
           }
           return 0;
         }",
    );
    let outcome = stopped(&program, Analysis::Value, None);
    let report = report(&program, &outcome);
    let found: Vec<_> =
        report.frontier.iter().map(|trace| (trace.kind, lines(&program, trace))).collect();
    assert_eq!(found, [(TargetKind::Unsupported, vec!["5[]".to_owned()])]);
    assert!(report.frontier_search.first.is_some());
}
