//! Witnesses for other tools: SV-COMP's format 2.0 (YAML) and 1.0 (GraphML).

mod graph;
mod specification;
mod stamp;
mod way;
mod yaml;

use cfa::Program;
use verify::Counterexample;

use crate::execution::Execution;
use crate::{Invariant, Subject};

pub use specification::{checked, could_fail, formula_of, formulas};
pub use stamp::Stamp;
pub(crate) use stamp::hash;

/// A violation witness in format 2.0.
#[must_use]
pub fn violation(
    program: &Program,
    subject: &Subject,
    found: &Counterexample,
    execution: &Execution,
    stamp: &Stamp,
) -> String {
    let way = way::of(program, found, execution);
    let content = yaml::segments(&way);
    let specification = specification::violated(program, subject, found);
    yaml::entry(program, subject, &yaml::EntryKind::Violation, &specification, &content, stamp)
}

/// A violation witness in format 1.0.
#[must_use]
pub fn violation_graph(
    program: &Program,
    subject: &Subject,
    found: &Counterexample,
    execution: &Execution,
    stamp: &Stamp,
) -> String {
    let mut way = way::of(program, found, execution);
    // In this format an assumption is about what comes after a statement.
    way.retain(|point| !matches!(point.kind, way::PointKind::Assumed(_)));
    let specification = specification::violated(program, subject, found);
    graph::violation(program, subject, &specification, &way, stamp)
}

/// Options that decide what a program means, in one line.
#[must_use]
pub fn meaning(words: &[String]) -> String {
    words.iter().map(|word| crate::harness::quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A correctness witness in format 2.0. An invariant at a place that is not in the program's own
/// text is left out: what remains is still a witness. `rests_on` names the file of an earlier run whose
/// analysed executions were not analysed again; the witness says so as a word of its producer.
#[must_use]
pub fn correctness(
    program: &Program,
    subject: &Subject,
    invariants: &[Invariant],
    rests_on: Option<&str>,
    stamp: &Stamp,
) -> String {
    let content = yaml::invariants(program, invariants);
    let specification = specification::proved(program, subject);
    let description = rests_on.map(|file| {
        format!("The answer takes for granted that what {file} calls analysed violates nothing.")
    });
    let kind = yaml::EntryKind::Correctness { description };
    yaml::entry(program, subject, &kind, &specification, &content, stamp)
}
