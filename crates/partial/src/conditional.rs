//! Conditional model checking (Beyer, Henzinger, Keremoglu & Wendler 2012): verifying what an earlier
//! run has not analysed.

use std::collections::BTreeSet;
use std::sync::Arc;

use cfa::{LocId, Program};
use engines::replay;
use interp::Config as Limits;
use passes::Rewritten;
use run::{Budget, Proof, Replayed, Unknown, Verdict};
use smt::NewSolver;
use verify::{Analysis, Config, Outcome};

use crate::automaton::{Automaton, StateId};
use crate::merged::Merged;
use crate::product::{Goal, Product, TooLarge, product};
use crate::spc::{Astray, Foreign, Spc};

/// How many locations the product may have.
const MAX_LOCATIONS: usize = 1_000_000;

/// The part of the time in which equivalent states of the automaton are found.
const MERGING: f64 = 0.15;

/// The part of the time for a product that has a location of the program more than once, such as the first rounds of
/// a loop apart from later rounds. Refinement may find no invariant for all rounds of such a product, and yet find an
/// invariant for the loop as it is in the program, which is looked for in the rest of the time.
const FOR_REPEATED: f64 = 0.6;

/// What came of a run that went on from what an earlier run has analysed.
pub struct Continued {
    /// The answer about the whole program, if what the automaton calls analysed is safe. The graph is
    /// about the program that was analysed, the product.
    pub outcome: Outcome,
    /// How many rounds of each loop of the product bounded model checking has followed; rounds of the
    /// product are not those of the program.
    pub rounds: Option<u32>,
    /// The outcome for the program itself, if it was verified after the product and has no answer either. This
    /// outcome is about the program that was given.
    pub plain: Option<Box<Outcome>>,
    /// States of the automaton that do not fit the program.
    pub astray: Vec<Astray>,
    /// Whether what the automaton calls analysed was left out.
    pub rests: bool,
}

impl Continued {
    /// What came of a run that is about the program as it was given.
    #[must_use]
    pub fn of_program(outcome: Outcome, astray: Vec<Astray>) -> Self {
        Self { outcome, rounds: None, plain: None, astray, rests: false }
    }
}

/// Verifies what an automaton does not call analysed.
#[must_use]
pub fn go_on(program: &Program, before: &Spc, config: &Config, solver: NewSolver<'_>) -> Continued {
    let mut automaton = Foreign::new(before, program);
    let made = rest(program, &mut automaton, &config.budget);
    let astray = automaton.astray();
    let product = match made {
        Ok(Some(product)) => product.rewritten,
        Ok(None) => {
            return Continued::of_program(verify::verify(program, config, solver), astray);
        }
        Err(why) => {
            let mut outcome = verify::verify(program, config, solver);
            if let (TooLarge::Limit(limit), Verdict::Unknown(_)) = (why, &outcome.verdict) {
                outcome.verdict = Verdict::Unknown(limit.into());
            }
            return Continued::of_program(outcome, astray);
        }
    };
    // Most of a product does not matter to its errors, so passes are worth their time. A certificate would be about
    // the product, so none is asked for.
    let is_repeated = config.analysis != Analysis::Bmc && repeats(&product);
    let part = if is_repeated { config.budget.share(FOR_REPEATED) } else { config.budget.clone() };
    let asked = config;
    let config = Config { simplify: true, certify: false, budget: part, ..config.clone() };
    let mut outcome = verify::verify(&product.program, &config, solver);
    let mut plain = None;
    if is_repeated && is_stuck(&outcome.verdict) && asked.budget.exceeded().is_none() {
        // The journal so far is about the product, so the second run gets a journal of its own.
        let config = Config { journal: Arc::default(), ..asked.clone() };
        let whole = verify::verify(program, &config, solver);
        if !matches!(whole.verdict, Verdict::Unknown(_)) {
            let stages = [outcome.stages, whole.stages].concat();
            return Continued::of_program(Outcome { stages, ..whole }, astray);
        }
        plain = Some(Box::new(whole));
    }
    outcome.verdict = match outcome.verdict {
        Verdict::Unsafe(found) => {
            let limits = Limits { budget: Some(&config.budget), ..Limits::default() };
            let drawn = product.back.decisions(&product.program, &found.drawn, program, &limits);
            match replay(program, &drawn, &config.budget) {
                Replayed::Error(found) => Verdict::Unsafe(Box::new(found)),
                Replayed::Not(why) => Verdict::Unknown(Unknown::NotReplayed(why)),
            }
        }
        // Invariants of the product need not hold for the executions that the automaton has cut off.
        Verdict::Safe(Proof::Inductive { k, .. }) => {
            Verdict::Safe(Proof::Inductive { k, invariants: Arc::default(), certificate: None })
        }
        Verdict::Safe(proof) => Verdict::Safe(proof),
        Verdict::Unknown(why) => Verdict::Unknown(told(&product, why)),
    };
    outcome.invariants = Arc::default();
    outcome.precision = None;
    for stage in &mut outcome.stages {
        stage.unknown = stage.unknown.take().map(|why| told(&product, why));
    }
    outcome.stages.extend(plain.iter().flat_map(|plain| plain.stages.iter().cloned()));
    outcome.summarized = origins(&product, &outcome.summarized);
    let whole = match &outcome.rewritten {
        Some(last) => {
            Rewritten { program: last.program.clone(), back: product.back.then(&last.back) }
        }
        None => product,
    };
    outcome.rewritten = Some(Arc::new(whole));
    // An example would be about the product, too, and so are edges that were not followed.
    let bound = outcome.bound.take().filter(|bound| bound.cuts.is_empty());
    let rounds = bound.and_then(|bound| bound.rounds);
    Continued { outcome, rounds, plain, astray, rests: true }
}

/// The locations of the program that some locations of a product are, each once, in order.
fn origins(product: &Rewritten, locations: &[LocId]) -> Vec<LocId> {
    let origin = |id: &LocId| Some(product.back.location(*id)?.location);
    let found: BTreeSet<LocId> = locations.iter().filter_map(origin).collect();
    found.into_iter().collect()
}

/// Whether a product has a location of the program more than once.
fn repeats(product: &Rewritten) -> bool {
    let locations = product.program.cfa.locations.ids();
    let mut origins = locations.filter_map(|id| Some(product.back.location(id)?.location));
    let mut seen = BTreeSet::new();
    origins.any(|origin| !seen.insert(origin))
}

/// Whether a run without an answer may have an answer for another form of the program.
fn is_stuck(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Unknown(Unknown::TimeLimit | Unknown::Exhausted(_) | Unknown::Solver(_))
    )
}

/// The program as far as an automaton does not call it analysed. None if the whole program is to be verified.
fn rest(
    program: &Program,
    automaton: &mut Foreign<'_>,
    budget: &Budget,
) -> Result<Option<Product>, TooLarge> {
    let merged = Merged::of(program, automaton, &budget.share(MERGING));
    if let Ok(mut merged) = merged {
        if merged.initial() == StateId::FALSE {
            return Ok(None);
        }
        return product(program, &mut merged, Goal::REST, MAX_LOCATIONS, budget).map(Some);
    }
    // If merging takes too long, the automaton is used as it is, provided that the product is small. A product that
    // is much larger than the program takes longer to verify than the program itself.
    let locations = program.cfa.locations.len();
    let most = locations.saturating_add(locations / 2).min(MAX_LOCATIONS);
    match product(program, automaton, Goal::REST, most, &budget.share(MERGING)) {
        Ok(product) => Ok(Some(product)),
        Err(TooLarge::Locations) => Ok(None),
        Err(TooLarge::Limit(_)) if budget.exceeded().is_none() => Ok(None),
        Err(why) => Err(why),
    }
}

/// A reason in words of the program.
fn told(product: &Rewritten, why: Unknown) -> Unknown {
    match why {
        Unknown::Unsupported { reason, edge } => {
            let first = |edge| product.back.edge(edge).and_then(|edges| edges.first().copied());
            Unknown::Unsupported { reason, edge: edge.and_then(first) }
        }
        why => why,
    }
}
