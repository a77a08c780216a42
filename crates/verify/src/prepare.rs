//! The passes that rewrite a program before any stage analyses it.

use std::sync::Arc;
use std::time::Duration;

use cfa::{LocId, Program};
use engines::induction;
use passes::{Rewritten, Summarized};
use run::{Proof, Run, Verdict};
use smt::NewSolver;

use crate::config::{Analysis, Config, Summaries};
use crate::outcome::Outcome;

/// A program that passes have made.
pub(crate) struct Prepared {
    pub(crate) rewritten: Arc<Rewritten>,
    /// The heads of loops of the original that have become one step, in order.
    pub(crate) summarized: Vec<LocId>,
}

/// The program that is analysed, unless it is the one that was given.
pub(crate) fn rewritten(program: &Program, config: &Config) -> Option<Prepared> {
    let (rewritten, summarized) = made(program, config)?;
    Some(Prepared { rewritten: Arc::new(rewritten), summarized })
}

fn made(program: &Program, config: &Config) -> Option<(Rewritten, Vec<LocId>)> {
    let (exact, summarized) = match shortened(program, config) {
        Some((rewritten, summarized)) => (Some(rewritten), summarized),
        None => (None, Vec::new()),
    };
    // The stages of `auto` that facts and accelerated loops are for ask for them by themselves.
    let is_auto = config.analysis == Analysis::Auto;
    let before = exact.as_ref().map_or(program, |exact| &exact.program);
    let told = match config.summaries {
        _ if is_auto => None,
        Summaries { over: true, .. } => passes::annotate(before),
        Summaries { under: true, .. } => passes::accelerate(before),
        _ => None,
    };
    let all = match (exact, told) {
        (Some(exact), Some(told)) => {
            Some(Rewritten { back: exact.back.then(&told.back), program: told.program })
        }
        (exact, told) => told.or(exact),
    };
    all.map(|all| (all, summarized))
}

/// The program made simpler, with exact summaries in place of loops.
fn shortened(program: &Program, config: &Config) -> Option<(Rewritten, Vec<LocId>)> {
    let simple = config.simplify.then(|| passes::simplify(program));
    let before = simple.as_ref().map_or(program, |simple| &simple.program);
    let Some(found) = config.summaries.exact.then(|| passes::summarize(before)).flatten() else {
        return simple.map(|rewritten| (rewritten, Vec::new()));
    };
    let Summarized { rewritten, heads } = found;
    // The numbers of rounds, and values that follow from these numbers, may be constants now.
    let Some(simple) = simple else { return Some((rewritten.then(passes::constants), heads)) };
    let origins = heads.iter().filter_map(|head| simple.back.location(*head));
    let summarized = origins.map(|origin| origin.location).collect();
    let back = simple.back.then(&rewritten.back);
    let rewritten = Rewritten { program: rewritten.program, back };
    Some((rewritten.then(passes::simplify), summarized))
}

/// The part of the time that is left in which invariants of summarised loops are looked for, and the
/// most that is spent on them.
const SHARE: f64 = 0.1;
const MOST: Duration = Duration::from_secs(5);

/// Tries once more to prove a program that is known to be safe, as it was given and by invariants: in the first proof,
/// loops that had become one step had no invariants.
pub(crate) fn find_invariants(
    program: &Program,
    outcome: &mut Outcome,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) {
    if !matches!(outcome.verdict, Verdict::Safe(_)) {
        return;
    }
    let budget = run.budget.share(SHARE).at_most(MOST);
    let proved = induction::prove(program, solver, 0, &run.with(budget));
    if let Verdict::Safe(proof @ Proof::Inductive { .. }) = proved.verdict {
        outcome.verdict = Verdict::Safe(proof);
        outcome.invariants = proved.invariants;
    }
}
