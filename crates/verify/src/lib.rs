//! From a program to an outcome: which analysis runs, within which limits, and what it answered.

mod meter;
mod strategy;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cfa::{LocId, Program};
pub use engines::backward;
use engines::{Budget, bounded};
pub use engines::{Counterexample, NewSolver, Progress, Proof, Unknown, Verdict};
use meter::Meter;

/// What to do, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The analysis.
    pub analysis: Analysis,
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes of memory the process may use.
    pub memory: Option<u64>,
    /// Unroll loops at most so often.
    pub unroll: Option<u32>,
    /// What the backward analysis is told.
    pub backward: backward::Options,
    /// Set from outside to end the run.
    pub stop: Arc<AtomicBool>,
    /// Where the run says how far it is.
    pub progress: Arc<Progress>,
}

/// The analyses by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Analysis {
    /// Whatever suits the program.
    #[default]
    Auto,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    KInduction,
    /// Backward abstraction refinement over predicates.
    Backward,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
    /// What holds whenever a location is passed, where the analysis found it out.
    pub invariants: Vec<Invariant>,
    /// What the backward analysis found, if it ran.
    pub backward: Option<Box<backward::Report>>,
}

/// Something that holds whenever executions pass a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The location, usually the head of a loop.
    pub location: LocId,
    /// A C expression over what is in scope there.
    pub expression: String,
}

/// Verifies a program.
#[must_use]
pub fn verify(program: &Program, config: &Config, solver: NewSolver<'_>) -> Outcome {
    let start = Instant::now();
    let meter = Meter::start(config.memory, Arc::clone(&config.stop));
    let budget = Budget {
        deadline: config.time.and_then(|time| start.checked_add(time)),
        memory: config.memory,
        stop: Some(Arc::clone(&config.stop)),
        progress: Arc::clone(&config.progress),
    };
    let mut report = None;
    let mut verdict = match config.analysis {
        Analysis::Auto => strategy::auto(program, solver, &budget),
        Analysis::Bmc => bounded::check(program, solver, config.unroll, &budget),
        Analysis::KInduction => strategy::k_induction(program, solver, &budget),
        Analysis::Backward => {
            let (verdict, found) = backward::check(program, &config.backward, solver, &budget);
            report = found;
            verdict
        }
    };
    if meter.exceeded() && matches!(verdict, Verdict::Unknown(Unknown::Interrupted)) {
        verdict = Verdict::Unknown(Unknown::MemoryLimit);
    }
    let invariants = report.as_deref().map(invariants).unwrap_or_default();
    Outcome { verdict, time: start.elapsed(), invariants, backward: report }
}

/// What the backward analysis proved of locations that can be passed.
fn invariants(report: &backward::Report) -> Vec<Invariant> {
    let text = report.invariants.iter().flat_map(|invariants| &invariants.text);
    let passed = text.filter(|(_, expression)| expression != "0");
    passed
        .map(|(location, expression)| Invariant {
            location: *location,
            expression: expression.clone(),
        })
        .collect()
}
