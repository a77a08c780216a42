//! From a program to an outcome: which engines run, within which limits, what they found out, and
//! what they answered.
//!
//! [`verify`] reads aloud as this: simplify the program and
//! its loops; for each stage of the strategy, run its
//! engine and learn; tell what was found of the program as it was given; certify the proof.
//!
//! ```
//! use proviso_verify::{Config, Verdict, verify};
//!
//! let text = "void reach_error(void); extern int in(void);
//!             int main(void) { int x = in(); if (x == 1234567) reach_error(); }";
//! let program = frontend::load_text("a.c", text, &frontend::Options::default()).program;
//! let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
//! let outcome = verify(&program, &Config::recommended(), &solver);
//! let Verdict::Unsafe(found) = &outcome.verdict else { panic!("the error is reached") };
//! // What was drawn on the way: the input with which it is.
//! assert_eq!(found.drawn.len(), 1);
//! ```

pub mod arrays;
mod certification;
pub mod contracts;
mod forward;
pub mod inlined;
mod knowledge;
mod lanes;
pub mod nodes;
mod predicate;
mod prepare;
mod product;
mod stage;
mod statistics;
mod strategy;
mod told;
mod value_analysis;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use certification::Certification;
pub use certify::Certified;
use cfa::{LocId, Program};
pub use cpa::{Prune, Traversal};
pub use domains::predicate::{Abstraction, Blocks, Pieces, Style};
pub use domains::product::{Reach, Strategy};
pub use domains::{Precision, precision, value};
pub use engines::backward;
pub use engines::bounded::Until;
pub use forward::{Forward, Told};
pub use knowledge::{Findings, Journal, StageReport};
pub use passes::shortcuts;
pub use predicate::{Predicate, unreadable};
pub use product::Product;
pub use run::{
    Bound, Budget, Came, Counterexample, Counts, Exceeded, Graph, Invariant, Invariants, Lesson,
    Limits, Listener, Progress, Proof, Run, Unknown, Verdict, Watch, peak, room,
};
pub use smt::NewSolver;
pub use statistics::Statistics;
pub use strategy::{Engine, Stage, When};
use term::Var;

/// What to do, and what it may use.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The analysis.
    pub analysis: Analysis,
    /// What the run may use. Whoever holds a clone can cancel it.
    pub budget: Budget,
    /// How many stages of `auto` may run side by side.
    pub jobs: usize,
    /// Unroll loops at most so often.
    pub unroll: Option<u32>,
    /// How abstract domains are explored and refined.
    pub forward: Forward,
    /// Whether the proof is to be checked again.
    pub certify: bool,
    /// Whether passes make the program simpler before it is analysed. Not done where the proof is to
    /// be checked again. A precision is about the program that is analysed, so a run on a simpler
    /// program gives none back.
    pub simplify: bool,
    /// Which summaries of loops are used. None where the proof is to be checked again, as above.
    pub summaries: Summaries,
    /// Whether invariants of loops are wanted that have become one step, for a witness. They are looked
    /// for after the proof.
    pub invariants: bool,
    /// Whether an execution that reaches an error is made shorter, and its inputs smaller, before it is told.
    pub shorten: bool,
    /// What the backward analysis is told.
    pub backward: backward::Options,
    /// Where the run says how far it is.
    pub progress: Arc<Progress>,
    /// Where the run notes what its stages found.
    pub journal: Arc<Journal>,
}

/// Which summaries of loops are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summaries {
    /// Loops that have an exact summary become one step before the program is analysed.
    pub exact: bool,
    /// What is known at the heads of other loops after any number of rounds is told: with `auto` to a stage
    /// of induction, and otherwise to the analysis.
    pub over: bool,
    /// Edges that take many rounds of a loop at once, along one way through it, are added: with `auto`
    /// for a stage that looks for errors, and otherwise for the analysis.
    pub under: bool,
}

impl Summaries {
    /// All of them.
    pub const ALL: Self = Self { exact: true, over: true, under: true };
}

impl Config {
    /// What serves most programs: stages that suit the program, which is made simpler first, with summaries of its
    /// loops.
    #[must_use]
    pub fn recommended() -> Self {
        Self { simplify: true, summaries: Summaries::ALL, shorten: true, ..Self::default() }
    }
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
    /// Explicit values of everything, and predicates where values are not enough (Beyer & Löwe 2012,
    /// CPA-EXPL-PRED).
    ValuePredicate,
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
    /// What each stage answered, found and spent, in order. If there is an answer, the last stage
    /// gave it.
    pub stages: Vec<StageReport>,
    /// What holds whenever a location is passed, where an analysis found it out.
    pub invariants: Arc<Invariants>,
    /// The graph of the last exploration.
    pub graph: Option<Arc<Graph>>,
    /// The graphs of the explorations before it: each has analysed something that the others may not.
    pub earlier_graphs: Vec<Arc<Graph>>,
    /// The program that was analysed, with the way back to the one that was given, if passes have made
    /// it. The graphs are about that one.
    pub rewritten: Option<Arc<passes::Rewritten>>,
    /// How far bounded model checking followed executions, if it ran.
    pub bound: Option<Bound>,
    /// The heads of the loops that were analysed as one step each, in order.
    pub summarized: Vec<LocId>,
    /// What the last exploration spent, if it answered or nothing did.
    pub statistics: Option<Statistics>,
    /// What was tracked at the end, where that was refined.
    pub precision: Option<Precision>,
    /// Variables that product abstraction left to predicates, of the program that was analysed.
    pub dropouts: Vec<Var>,
    /// What another check of the proof found, if one was asked for.
    pub certification: Option<Certification>,
    /// What the backward analysis found, if it ran.
    pub backward: Option<Box<backward::Report>>,
}

impl Outcome {
    /// The outcome of a run that has found nothing out, for this reason.
    #[must_use]
    pub fn unknown(why: Unknown) -> Self {
        Self {
            verdict: Verdict::Unknown(why),
            time: Duration::ZERO,
            stages: Vec::new(),
            invariants: Arc::default(),
            graph: None,
            earlier_graphs: Vec::new(),
            rewritten: None,
            bound: None,
            summarized: Vec::new(),
            statistics: None,
            precision: None,
            dropouts: Vec::new(),
            certification: None,
            backward: None,
        }
    }
}

/// Verifies a program.
#[must_use]
pub fn verify(program: &Program, config: &Config, solver: NewSolver<'_>) -> Outcome {
    let start = Instant::now();
    let run = Run { budget: config.budget.clone(), events: &*config.progress };
    // A certificate is checked on the program that was given, so that program is analysed.
    let prepared = if config.certify { None } else { prepare::rewritten(program, config) };
    config.journal.analyses(prepared.as_ref().map(|prepared| Arc::clone(&prepared.rewritten)));
    let told = prepared.and_then(|prepared| {
        let outcome = run_stages(&prepared.rewritten.program, config, solver, &run);
        told::of_original(program, &prepared, outcome, &run.budget)
    });
    let mut outcome = told.unwrap_or_else(|| {
        config.journal.analyses(None);
        run_stages(program, config, solver, &run)
    });
    if config.shorten {
        outcome.verdict = match outcome.verdict {
            Verdict::Unsafe(found) => {
                let budget = run.budget.share(SHORTENING);
                Verdict::Unsafe(Box::new(engines::shortened(program, *found, &budget)))
            }
            other => other,
        };
    }
    if config.invariants && !outcome.summarized.is_empty() {
        prepare::find_invariants(program, &mut outcome, solver, &run);
    }
    if config.certify {
        outcome.certification = certification::of(program, &mut outcome, solver, &run.budget);
    }
    outcome.time = start.elapsed();
    outcome
}

/// The part of the time that is left in which an execution is made shorter.
const SHORTENING: f64 = 0.1;

/// Runs the stages of the strategy until one of them answers.
fn run_stages(program: &Program, config: &Config, solver: NewSolver<'_>, run: &Run<'_>) -> Outcome {
    let lanes = strategy::lanes(program, config);
    let found = lanes::run(program, config, solver, run, lanes);
    knowledge::conclude(found, &run.budget, &config.journal)
}
