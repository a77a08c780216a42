//! What each stage of a run found out, in a line.

use std::fmt::Write as _;

use verify::StageReport;

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
    let found = found(stage);
    let ended = stage.unknown.as_ref().map_or("answered", |why| why.name());
    format!("{}: {found} ({seconds:.2} s, {ended})", stage.name)
}

/// What a stage found, in a line.
pub(crate) fn found(stage: &StageReport) -> String {
    let mut found = Vec::new();
    if let Some(bound) = &stage.bound {
        match bound.rounds {
            Some(rounds) => found.push(format!(
                "no error in executions with at most {} of each loop",
                plural(u64::from(rounds), "round")
            )),
            None => found.push("no number of rounds was completed".to_owned()),
        }
    }
    if let Some(graph) = &stage.graph {
        let states = graph.open + graph.expanded + graph.covered + graph.targets;
        found.push(format!(
            "{}, {} of them not expanded",
            plural(states as u64, "abstract state"),
            graph.open
        ));
    }
    if let Some(refinements) = stage.refinements {
        found.push(plural(refinements, "refinement"));
    }
    if stage.invariants > 0 {
        found.push(plural(stage.invariants as u64, "invariant"));
    }
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}

fn plural(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
