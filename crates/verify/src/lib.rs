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
mod config;
pub mod contracts;
mod evidence;
mod findings;
mod forward;
mod guesses;
pub mod inlined;
mod interval;
mod journal;
mod knowledge;
mod lanes;
pub mod nodes;
mod options;
mod outcome;
mod predicate;
mod prepare;
mod product;
mod stage;
mod statistics;
mod strategy;
mod told;
mod value_analysis;

use std::sync::Arc;
use std::time::Instant;

pub use certify::{Certified, Checked};
use cfa::Program;
pub use config::{Analysis, Config, Summaries};
pub use cpa::{Prune, Traversal};
pub use domains::predicate::{Abstraction, Blocks, Pieces, Style};
pub use domains::product::{Reach, Rule, Strategy};
pub use domains::{Precision, precision, value};
pub use engines::backward;
pub use engines::bounded::Until;
pub use evidence::{Evidence, Made};
pub use findings::Findings;
pub use journal::{Journal, StageReport};
pub use options::{Forward, Predicate, Product, Told};
pub use outcome::{Certification, Outcome};
pub use passes::{Rewritten, shortcuts};
pub use predicate::unreadable;
pub use run::{
    Bound, Budget, Came, Counterexample, Counts, Exceeded, Graph, Invariant, Invariants, Lesson,
    Limits, Listener, Progress, Proof, Run, Unknown, Verdict, Watch, peak, room,
};
pub use smt::NewSolver;
pub use statistics::Statistics;
pub use strategy::{Engine, Stage, When};

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
        certification::add(program, config, &mut outcome, solver, &run);
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
