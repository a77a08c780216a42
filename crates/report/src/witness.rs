//! Witnesses for other tools: SV-COMP's format 2.0 (YAML) and 1.0 (GraphML).

mod graph;
mod stamp;
mod way;
mod yaml;

use cfa::{LocId, Program};
use verify::Counterexample;

use crate::execution::Execution;
use crate::source::{self, Target};
use crate::{Invariant, Subject};

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
    let specification = specification(program, subject, Some(found));
    yaml::entry(program, subject, &yaml::Kind::Violation, &specification, &content, stamp)
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
    way.retain(|point| !matches!(point.kind, way::Kind::Assumed(_)));
    let specification = specification(program, subject, Some(found));
    graph::violation(program, subject, &specification, &way, stamp)
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
    let specification = specification(program, subject, None);
    let description = rests_on.map(|file| {
        format!("The answer takes for granted that what {file} calls analysed violates nothing.")
    });
    let kind = yaml::Kind::Correctness { description };
    yaml::entry(program, subject, &kind, &specification, &content, stamp)
}

/// The property in SV-COMP's notation. If none was given, it is about what was reached. So it is if the one that was
/// given does not name the function that was called: the property with the name `unreach-call` is about older error
/// functions, too, and its text is not. A fault that was looked for besides the property is no violation of it, either.
fn specification(program: &Program, subject: &Subject, found: Option<&Counterexample>) -> String {
    let given = &subject.specification;
    let called = found.and_then(|found| source::called(program, found.error));
    let said: String = given.split_whitespace().collect();
    let fault = found.and_then(|found| program.cfa.locations[found.error].fault);
    let is_other = |name: &str| said.contains("call(") && !said.contains(&format!("call({name}("));
    let is_beside = fault.is_some() && (said.contains("call(") || said.contains("label("));
    if !given.is_empty() && !is_beside && !called.is_some_and(is_other) {
        return given.clone();
    }
    let target = match found {
        Some(found) => reached(program, found.error),
        None => proved(program),
    };
    if let Some(fault) = fault {
        let what = match fault.check() {
            Some(cfa::Check::Overflow) => "! overflow".to_owned(),
            Some(cfa::Check::Deref | cfa::Check::Free | cfa::Check::Leak | cfa::Check::Track) => {
                fault.property().to_owned()
            }
            _ => format!("! {}", fault.property()),
        };
        return format!("CHECK( init({}()), LTL(G {what}) )", subject.entry);
    }
    let what = match target {
        Some(Target::Label(name)) => format!("label({name})"),
        Some(Target::Call("assert")) => "call(__assert_fail())".to_owned(),
        Some(Target::Call(name)) => format!("call({name}())"),
        None => "call(reach_error())".to_owned(),
    };
    format!("CHECK( init({}()), LTL(G ! {what}) )", subject.entry)
}

/// What is reached at an error, by the function that is called rather than by the macro that people know it by.
fn reached(program: &Program, error: LocId) -> Option<Target<'_>> {
    match source::called(program, error) {
        Some(name) => Some(Target::Call(name)),
        None => source::target(program, error),
    }
}

/// What is never reached: the same at all errors of the program, or nothing in particular.
fn proved(program: &Program) -> Option<Target<'_>> {
    let locations = &program.cfa.locations;
    let mut all = program.cfa.errors().filter(|error| locations[*error].fault.is_none());
    let first = reached(program, all.next()?)?;
    all.all(|error| reached(program, error) == Some(first)).then_some(first)
}
