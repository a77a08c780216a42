//! The examples of the thesis (Castaño 2018), with the answers that it gives, or, where it contradicts
//! its own definitions or the semantics of C, with those that follow from the definitions.

mod common;

use common::{lines, read, report, stopped};
use proviso_partial::Kind;
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
    assert!(report.frontier.iter().all(|trace| trace.kind == Kind::Frontier));
}
