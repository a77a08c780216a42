//! Translates the outcome for a program that passes have made into an outcome for the program as it was
//! given.

use std::sync::Arc;

use cfa::Program;
use engines::replay_with;
use interp::Config;
use passes::Back;
use run::{Bound, Budget, Invariant, Invariants, Proof, Replayed, Unknown, Verdict};

use crate::outcome::Outcome;
use crate::prepare::Prepared;

/// The outcome of the rewritten program in words of the original. `None` if an execution was found that the original
/// does not have: something that the passes left out keeps the original from this execution.
pub(crate) fn of_original(
    original: &Program,
    prepared: &Prepared,
    mut outcome: Outcome,
    budget: &Budget,
) -> Option<Outcome> {
    let rewritten = &prepared.rewritten;
    let back = &rewritten.back;
    outcome.verdict = match outcome.verdict {
        Verdict::Unsafe(found) => {
            let budget = &budget.share(REPLAYED);
            let shortcuts = passes::shortcuts(original);
            let shortcuts = Some(&shortcuts);
            let max_steps = VIOLATION_STEPS;
            let config = Config { budget: Some(budget), max_steps, shortcuts, ..Config::default() };
            let drawn = back.decisions(&rewritten.program, &found.drawn, original, &config);
            match replay_with(original, &drawn, budget, shortcuts) {
                Replayed::Error(found) => Verdict::Unsafe(Box::new(found)),
                Replayed::Not(_) => return None,
            }
        }
        Verdict::Safe(Proof::Inductive { k, invariants, .. }) => {
            let invariants = Arc::new(invariants_of(original, back, &invariants));
            Verdict::Safe(Proof::Inductive { k, invariants, certificate: None })
        }
        Verdict::Safe(proof) => Verdict::Safe(proof),
        Verdict::Unknown(why) => Verdict::Unknown(reason_of(back, why)),
    };
    outcome.invariants = Arc::new(invariants_of(original, back, &outcome.invariants));
    // An example is only wanted if the run has no answer.
    let is_open = matches!(outcome.verdict, Verdict::Unknown(_));
    outcome.bound = outcome.bound.map(|bound| {
        if !is_open || bound.example.is_empty() {
            return bound_of(back, bound);
        }
        let found = (!prepared.summarized.is_empty()).then(|| passes::shortcuts(original));
        let (max_steps, shortcuts) = (EXAMPLE_STEPS, found.as_ref());
        let config = Config { budget: Some(budget), max_steps, shortcuts, ..Config::default() };
        let example = back.decisions(&rewritten.program, &bound.example, original, &config);
        Bound { example, ..bound_of(back, bound) }
    });
    for stage in &mut outcome.stages {
        stage.unknown = stage.unknown.take().map(|why| reason_of(back, why));
        stage.bound = stage.bound.take().map(|bound| bound_of(back, bound));
    }
    // The evidence is about a program that was made from the rewritten one.
    outcome.evidence = None;
    // A precision names places and allocations by numbers of the rewritten program.
    outcome.precision = None;
    outcome.summarized.clone_from(&prepared.summarized);
    outcome.rewritten = Some(Arc::clone(&prepared.rewritten));
    Some(outcome)
}

/// The part of the time that is left in which an execution of the rewritten program is followed in the original.
const REPLAYED: f64 = 0.4;

/// An execution that reaches an error in the rewritten program is followed for this many steps at most, not counting
/// rounds that are taken at once. An execution that goes on for longer has most likely lost its way, and the time is
/// needed to analyse the original.
pub(crate) const VIOLATION_STEPS: u64 = 100_000_000;

/// An execution that is an example is followed for this many steps at most.
const EXAMPLE_STEPS: u64 = 1_000_000;

/// A reason in words of the original.
pub(crate) fn reason_of(back: &Back, why: Unknown) -> Unknown {
    match why {
        Unknown::Unsupported { reason, edge } => {
            let first = |edge| back.edge(edge).and_then(|edges| edges.first().copied());
            Unknown::Unsupported { reason, edge: edge.and_then(first) }
        }
        why => why,
    }
}

fn bound_of(back: &Back, bound: Bound) -> Bound {
    let locations = bound.frontier.iter();
    let frontier = locations.filter_map(|at| back.location(*at)).map(|origin| origin.location);
    let mut frontier: Vec<_> = frontier.collect();
    frontier.sort_unstable();
    frontier.dedup();
    // The numbers of rounds, and the edges in `cuts`, stay those of the rewritten program.
    Bound { frontier, example: Vec::new(), ..bound }
}

/// The invariants that can be said of the original.
pub(crate) fn invariants_of(original: &Program, back: &Back, found: &Invariants) -> Invariants {
    let mut terms = original.terms.clone();
    let mut list = Vec::new();
    for invariant in &found.list {
        let at = invariant.location;
        let said =
            |formula, terms: &mut _| back.invariant(original, at, formula, &found.terms, terms);
        let Some((location, formula)) = said(invariant.formula, &mut terms) else { continue };
        let exact = invariant.exact.iter();
        let exact = exact.filter_map(|term| said(*term, &mut terms)).map(|(_, term)| term);
        let exact = exact.collect();
        list.push(Invariant { location, formula, exact });
    }
    Invariants { terms, list }
}
