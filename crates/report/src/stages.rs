//! What each stage of a run found out, in a line.

use std::fmt::Write as _;

use verify::{Bound, StageReport};

use crate::counted::counted;

/// What the stages found, for people; nothing if no stage has ended.
#[must_use]
pub fn stages(stages: &[StageReport]) -> String {
    if stages.is_empty() {
        return String::new();
    }
    let mut text = "What the run found out:\n".to_owned();
    for each in stages {
        let _ = writeln!(text, "  {}", stage(each));
    }
    text
}

/// What a stage found, how long it took and how it ended, in a line.
#[must_use]
pub fn stage(stage: &StageReport) -> String {
    let seconds = stage.time.as_secs_f64();
    let found = found(stage, &|rounds| Some(each_loop(rounds)));
    let ended = stage.unknown.as_ref().map_or("answered", |why| why.name());
    format!("{}: {found} ({seconds:.2} s, {ended})", stage.name)
}

/// The words for a stage that has found nothing.
pub(crate) const NOTHING: &str = "nothing";

/// The first words for a stage that has followed executions without an error.
pub(crate) const NO_ERROR: &str = "no error in executions";

/// The words for a stage that has begun to follow executions, and has not completed any number of rounds.
pub(crate) const NOT_COMPLETED: &str = "no number of rounds was completed";

/// A limit on the rounds of executions.
pub(crate) fn each_loop(rounds: u32) -> String {
    format!("with at most {} of each loop", counted(rounds, "round"))
}

/// What a stage found, in a line. `within` gives the words for executions that make at most a number of rounds, if
/// the program makes any rounds.
pub(crate) fn found(stage: &StageReport, within: &dyn Fn(u32) -> Option<String>) -> String {
    let mut found = Vec::new();
    if let Some(bound) = &stage.bound {
        match bound.rounds {
            Some(rounds) => {
                let within = within(rounds).map_or_else(String::new, |limit| format!(" {limit}"));
                found.push(format!("{NO_ERROR}{within}{}", up_to_cuts(bound)));
            }
            None => found.push(match within(1) {
                Some(_) => NOT_COMPLETED.to_owned(),
                None => "not all executions were followed".to_owned(),
            }),
        }
    }
    if let Some(graph) = &stage.graph {
        let states = graph.open + graph.expanded + graph.covered + graph.targets;
        let states = counted(states, "abstract state");
        found.push(match graph.open {
            0 => format!("{states}, all explored"),
            open => format!("{states}, {open} of them not explored"),
        });
    }
    if let Some(refinements) = stage.refinements {
        found.push(counted(refinements, "refinement"));
    }
    if stage.invariants > 0 {
        found.push(counted(stage.invariants, "invariant"));
    }
    if found.is_empty() { NOTHING.to_owned() } else { found.join(", ") }
}

/// The words after a number of rounds, if some executions were not followed to their ends.
pub(crate) fn up_to_cuts(bound: &Bound) -> &'static str {
    if bound.cuts.is_empty() { "" } else { ", up to what is not modelled" }
}
