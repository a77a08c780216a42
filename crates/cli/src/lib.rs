//! Proviso as a library: load a program, say how much a run may use, verify, read the outcome.
//!
//! ```
//! use std::time::Duration;
//!
//! use proviso::{Budget, Config, Options, Task, Verdict};
//!
//! let text = "extern int nondet_int(void);
//!             int main(void) { int a[4] = {0}, i = nondet_int(); return i <= 4 ? a[i] : 0; }";
//! let task = Task::of_c("index.c", text, &Options::of_checks())?;
//! let budget = Budget::within(Duration::from_secs(60));
//! let outcome = task.verify(&Config { budget, ..Config::recommended() })?;
//! assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
//! assert!(task.told(&outcome).contains("Error: access out of bounds at index.c:2:"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Task::load`] takes files instead of a text: C, Theta's `.cfa`, ARMC's facts or a task definition. What goes
//! wrong comes back as a value: a text that cannot be read as [`Refused`], with every message and its place; a fault
//! of Proviso as [`Panicked`]. Deep recursion has a stack of its own ([`guarded`]).
//!
//! The command `proviso` is built on the same functions, all of it in one call of [`guarded`]: so it uses
//! [`Task::load_unguarded`], and [`Task::verify_with`] with the solvers that its user names.

mod guard;
mod task;

pub use base::{Diagnostic, Diagnostics, SourceMap};
pub use cfa::{Check, Checks, LocId, Program};
pub use frontend::task::Property;
pub use frontend::{
    Assembly, DataModel, External, Flags, Globals, Language, Options, OutsidePointers, Setting,
    SignedOverflow, Subject, Volatile, Wording,
};
pub use guard::{Panicked, guarded};
pub use smt::NewSolver;
pub use task::{Refused, Task};
pub use term::Var;
pub use verify::{
    Analysis, Bound, Budget, Certification, Certified, Checked, Config, Counterexample, Counts,
    Evidence, Exceeded, Forward, Graph, Invariant, Invariants, Journal, Limits, Made, Outcome,
    Precision, Progress, Proof, Rewritten, StageReport, Statistics, Summaries, Unknown, Verdict,
};

/// How abstract domains are explored and refined: the types of the fields of [`Forward`].
pub mod forward {
    pub use verify::value::{PrecisionScope, Preference};
    pub use verify::{
        Abstraction, Blocks, Pieces, Predicate, Product, Prune, Reach, Rule, Strategy, Style, Told,
        Traversal,
    };
}

/// What the backward analysis is told, and what it reports.
pub mod backward {
    pub use verify::backward::{
        Alpha, Direction, Figures, Invariants, Iteration, Options, Report, Row, Shown,
    };
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;

    /// Whoever gives a field to one of these types says here how users of the library name the type of the field.
    #[test]
    fn fields_have_types_that_users_can_name() {
        let Config {
            analysis,
            budget,
            jobs,
            unroll,
            forward,
            certify,
            simplify,
            summaries,
            invariants,
            shorten,
            backward,
            progress,
            journal,
        } = Config::recommended();
        let _: (Analysis, Budget, usize, Option<u32>) = (analysis, budget, jobs, unroll);
        let _: [bool; 4] = [certify, simplify, invariants, shorten];
        let _: (Summaries, backward::Options) = (summaries, backward);
        let _: (Arc<Progress>, Arc<Journal>) = (progress, journal);
        let Forward {
            traversal,
            prune,
            scope,
            preference,
            precision,
            told,
            nodes,
            summarizes_calls,
            predicate,
            product,
            value_limit,
            value_reach,
        } = forward;
        let _: (Option<forward::Traversal>, forward::Prune) = (traversal, prune);
        let _: (forward::PrecisionScope, forward::Preference) = (scope, preference);
        let _: (Option<Precision>, forward::Told) = (precision, told);
        let _: (Option<u64>, bool, Option<usize>) = (nodes, summarizes_calls, value_limit);
        let _: (forward::Predicate, forward::Product) = (predicate, product);
        let _: forward::Reach = value_reach;
        let Outcome {
            verdict,
            is_proved_in_part,
            time,
            stages,
            invariants,
            graph,
            earlier_graphs,
            rewritten,
            bound,
            summarized,
            statistics,
            precision,
            dropouts,
            evidence,
            certification,
            backward,
        } = Outcome::unknown(Unknown::Internal);
        let _: (Verdict, bool, Duration, Vec<StageReport>) =
            (verdict, is_proved_in_part, time, stages);
        let _: (Arc<Invariants>, Option<Arc<Rewritten>>) = (invariants, rewritten);
        let _: (Option<Arc<Graph>>, Vec<Arc<Graph>>) = (graph, earlier_graphs);
        let _: (Option<Bound>, Vec<LocId>, Vec<Var>) = (bound, summarized, dropouts);
        let _: (Option<Statistics>, Option<Precision>) = (statistics, precision);
        let _: (Option<Arc<Evidence>>, Option<Certification>) = (evidence, certification);
        let _: Option<Box<backward::Report>> = backward;
    }
}
