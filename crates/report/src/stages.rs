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

/// The words for a stage that has found a violation.
const VIOLATION: &str = "a violation";

/// The words for a stage that has proved the program and has found nothing else that is told.
const PROOF: &str = "a proof";

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
    if stage.is_violation {
        found.push(VIOLATION.to_owned());
    }
    if let Some(bound) = &stage.bound {
        match bound.rounds {
            Some(rounds) => {
                let within = within(rounds).map_or_else(String::new, |limit| format!(" {limit}"));
                found.push(format!("{NO_ERROR}{within}{}", up_to_cuts(bound)));
            }
            // The stage answered before it had completed any number of rounds.
            None if stage.unknown.is_none() => {}
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
    match found.is_empty() {
        true if stage.unknown.is_none() => PROOF.to_owned(),
        true => NOTHING.to_owned(),
        false => found.join(", "),
    }
}

/// The words after a number of rounds, if some executions were not followed to their ends.
pub(crate) fn up_to_cuts(bound: &Bound) -> &'static str {
    if bound.cuts.is_empty() { "" } else { ", up to what is not modelled" }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use verify::Unknown;

    use super::*;

    fn report(is_violation: bool, rounds: Option<u32>) -> StageReport {
        StageReport {
            name: "bounded model checking",
            unknown: None,
            is_violation,
            time: Duration::ZERO,
            cpu: Duration::ZERO,
            invariants: 0,
            graph: None,
            refinements: None,
            bound: Some(Bound { rounds, ..Bound::default() }),
        }
    }

    #[test]
    fn a_stage_that_answers_is_said_to_have_found_the_answer() {
        let within = |rounds| Some(each_loop(rounds));
        let told = |stage: &StageReport| found(stage, &within);
        assert_eq!(told(&report(true, None)), "a violation");
        let later = "a violation, no error in executions with at most 1 round of each loop";
        assert_eq!(told(&report(true, Some(1))), later);
        assert_eq!(found(&report(true, None), &|_| None), "a violation");
        assert_eq!(told(&report(false, None)), "a proof");
        let unrolled = "no error in executions with at most 3 rounds of each loop";
        assert_eq!(told(&report(false, Some(3))), unrolled);
        let stopped = StageReport { unknown: Some(Unknown::Interrupted), ..report(false, None) };
        assert_eq!(told(&stopped), NOT_COMPLETED);
        let nothing = StageReport { bound: None, ..stopped };
        assert_eq!(told(&nothing), NOTHING);
    }
}
