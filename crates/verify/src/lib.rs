//! From a program to an outcome: which analysis runs, within which limits, and what it answered.

mod certification;
mod forward;
pub mod inlined;
mod meter;
mod predicate;
mod product;
mod statistics;
mod strategy;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use certification::Certification;
pub use certify::Certified;
use cfa::{Loops, Program};
pub use cpa::{Prune, Traversal};
pub use domains::predicate::{Abstraction, Blocks, Pieces, Style};
pub use domains::product::Strategy;
pub use domains::value;
pub use engines::backward;
use engines::{Budget, bounded};
pub use engines::{
    Counterexample, Invariant, Invariants, NewSolver, Progress, Proof, Unknown, Verdict,
};
pub use forward::Forward;
use forward::Forwarded;
use meter::Meter;
pub use meter::peak;
pub use predicate::Predicate;
pub use product::Product;
pub use statistics::Statistics;
use term::{TermId, Var};

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
    /// How abstract domains are explored and refined.
    pub forward: Forward,
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
    /// Explicit values of everything, without refinement (Beyer & Löwe 2012, CPA-EXPL).
    Value,
    /// Explicit values with refinement by interpolation (Beyer & Löwe 2012, CPA-EXPLitp).
    ValueItp,
    /// Backward abstraction refinement over predicates.
    Backward,
    /// Predicate abstraction with refinement by interpolation (Beyer & Löwe 2012, §II-D).
    Predicate,
    /// Explicit values with refinement, and predicates where values are not enough (Beyer & Löwe
    /// 2012, CPA-EXPLitp-PRED).
    ValueItpPredicate,
    /// Explicit values, and predicates about variables that have too many (Bajkai 2018, PROD2).
    Product,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
    /// What holds whenever a location is passed, where the analysis found it out.
    pub invariants: Arc<Invariants>,
    /// What the run spent, where it was an exploration.
    pub statistics: Option<Statistics>,
    /// What was tracked at the end, where that was refined.
    pub precision: Option<value::Precision>,
    /// What another check of the proof found, if one was asked for.
    pub certification: Option<Certification>,
    /// What the backward analysis found, if it ran.
    pub backward: Option<Box<backward::Report>>,
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
    let forward = || match config.analysis {
        Analysis::Predicate => predicate::predicate(program, &config.forward, solver, &budget),
        Analysis::ValueItpPredicate => {
            let how = Product::preferred(config.forward.value_limit);
            product::product(program, &config.forward, how, solver, &budget)
        }
        Analysis::Product => {
            let how = config.forward.product;
            product::product(program, &config.forward, how, solver, &budget)
        }
        analysis => {
            let refined = analysis == Analysis::ValueItp;
            forward::value(program, &config.forward, refined, solver, &budget)
        }
    };
    let mut explored: Option<Forwarded> = None;
    let mut report = None;
    let mut verdict = match config.analysis {
        Analysis::Auto => {
            let (verdict, found) = strategy::auto(program, &config.forward, solver, &budget);
            explored = found;
            verdict
        }
        Analysis::Bmc => bounded::check(program, solver, config.unroll, &budget),
        Analysis::KInduction => strategy::k_induction(program, solver, &budget),
        Analysis::Backward => {
            let (verdict, found) = inlined::backward(program, &config.backward, solver, &budget);
            report = found;
            verdict
        }
        Analysis::Value
        | Analysis::ValueItp
        | Analysis::Predicate
        | Analysis::ValueItpPredicate
        | Analysis::Product => explored.insert(forward()).verdict.clone(),
    };
    if let Verdict::Unknown(Unknown::Exhausted(_)) = verdict
        && let Some(why) = budget.exceeded()
    {
        verdict = Verdict::Unknown(why);
    }
    if meter.exceeded() && matches!(verdict, Verdict::Unknown(Unknown::Interrupted)) {
        verdict = Verdict::Unknown(Unknown::MemoryLimit);
    }
    let (mut certificate, mut statistics, mut precision) = (None, None, None);
    let mut invariants: Arc<Invariants> = Arc::default();
    if let Some(run) = explored {
        statistics = Some(run.statistics);
        (invariants, certificate, precision) = (run.invariants, run.certificate, run.precision);
    }
    if let Verdict::Safe(Proof::Inductive { invariants: proved, .. }) = &verdict {
        invariants = Arc::clone(proved);
    } else if let Some(found) = &report {
        invariants = Arc::new(passed(program, found));
    }
    let certification = config.forward.certify.then(|| {
        certification::of(program, &mut verdict, certificate, report.as_deref(), solver, &budget)
    });
    Outcome {
        verdict,
        time: start.elapsed(),
        invariants,
        statistics,
        precision,
        certification: certification.flatten(),
        backward: report,
    }
}

/// What the backward analysis proved of heads of loops, in words of the source.
fn passed(program: &Program, report: &backward::Report) -> Invariants {
    let Some(found) = &report.invariants else { return Invariants::default() };
    let loops = Loops::of(&program.cfa);
    let named = |formula: TermId| {
        let vars = found.terms.vars(formula);
        let named = |var: &Var| {
            program.cfa.variables.get(*var).is_some_and(|known| known.source_name.is_some())
        };
        !vars.is_empty() && vars.iter().all(named)
    };
    let told = found.told.iter().filter(|(at, formula)| loops.head(*at) && named(*formula));
    let told = told.map(|(location, formula)| Invariant {
        location: *location,
        formula: *formula,
        exact: Vec::new(),
    });
    Invariants { terms: found.terms.clone(), list: told.collect() }
}
