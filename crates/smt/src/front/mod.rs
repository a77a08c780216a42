//! In front of SAT: propagation of constants, intervals, known bits and equalities over a
//! conjunction.
//!
//! Most checks of a program analysis are small and decided by what follows from a few constants
//! and bounds. Every term of a check has a [`fact::Fact`], a set that contains its value in every
//! model; rules narrow the facts until nothing more follows. An empty set is a contradiction, and
//! the trail of the rules names the assumptions behind it. Otherwise a short search picks values
//! from the sets; the caller evaluates the formulas under them, so that a wrong rule could not
//! make a wrong Sat.
//!
//! The work is bounded by a number of steps that is linear in the size of the formulas.

mod boolean;
mod equal;
mod fact;
mod float;
mod graph;
mod inverse;
mod narrow;
mod number;
mod operation;
mod order;
mod predicates;
mod propagate;
pub(crate) mod ranges;
mod reason;
mod rules;
mod search;
#[cfg(test)]
mod tests;
mod trail;
mod word;
mod words;

use rustc_hash::FxHashMap;
use term::{TermId, Terms, Value, Var};

use fact::Fact;
use graph::{Graph, Numbering};
use propagate::{Conflict, Propagation, Stop};
use run::Budget;
use search::SearchEnd;
use trail::Origin;

/// What propagation found.
pub(crate) enum Outcome {
    /// No model, because of these assumptions.
    Unsat(Vec<TermId>),
    /// Values that look like a model; they are to be checked.
    Candidate(FxHashMap<Var, Value>),
    /// Whether there is a model is not known.
    Unknown,
}

/// The layer in front of SAT.
#[derive(Default)]
pub(crate) struct Front {
    numbering: Numbering,
    /// For conjunctions of many formulas, by the order of magnitude of their number.
    of_many: [Patience; 32],
    /// For those of few formulas that are large, by the order of magnitude of their size.
    of_large: [Patience; 32],
}

/// Larger formulas are left to SAT: nodes and arrows of the graph of their terms.
const MAX_SIZE: usize = 400_000;

/// Steps for each node and arrow, to propagate and to search.
const STEPS: usize = 12;

/// Steps that even the smallest formula has, for each.
const MIN_STEPS: usize = 3_000;

/// A conjunction of more formulas, or of a greater size, is worth a try only if that is likely to
/// succeed: SAT may know most of it from the check before.
const MANY: usize = 16;
const LARGE: usize = 300;

/// How many large checks in a row are at most left to SAT after one that came to nothing.
const MAX_REST: u32 = 128;

/// Remembers whether large checks were worth a try. By the number of checks and not by time, so
/// that a run is the same every time.
#[derive(Default)]
struct Patience {
    /// Large checks to leave out.
    rest: u32,
    /// How many to leave out after the next failure.
    next: u32,
}

impl Patience {
    fn may_try(&mut self) -> bool {
        let rested = self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        rested
    }
}

/// Learns from a try. A failure makes the next magnitude wait as well: the formulas of a path that grows come there
/// soon, and would fail there, too.
fn tried(by_magnitude: &mut [Patience], at: usize, answered: bool) {
    let next = if answered { 0 } else { (by_magnitude[at].next * 2).clamp(1, MAX_REST) };
    by_magnitude[at] = Patience { rest: next, next };
    if let Some(above) = by_magnitude.get_mut(at + 1) {
        above.next = above.next.max(next);
    }
}

/// The number of binary digits, as an index.
fn magnitude(number: usize) -> usize {
    number.checked_ilog2().unwrap_or(0).min(31) as usize
}

impl Front {
    /// Whether a conjunction has a model, as far as propagation can say within the limits.
    pub fn check(
        &mut self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        limits: &Budget,
    ) -> Outcome {
        let count = asserted.len() + assumptions.len();
        let many = count > MANY;
        if many && !self.of_many[magnitude(count)].may_try() {
            return Outcome::Unknown;
        }
        let roots = asserted.iter().chain(assumptions).copied();
        let Some(graph) = Graph::new(terms, &mut self.numbering, roots, MAX_SIZE) else {
            return Outcome::Unknown;
        };
        let large = graph.size() > LARGE && !many;
        if large && !self.of_large[magnitude(graph.size())].may_try() {
            return Outcome::Unknown;
        }
        let outcome = self.decide(terms, &graph, (asserted, assumptions), limits);
        let answered = !matches!(outcome, Outcome::Unknown);
        if many {
            tried(&mut self.of_many, magnitude(count), answered);
        } else if large {
            tried(&mut self.of_large, magnitude(graph.size()), answered);
        }
        outcome
    }

    fn decide(
        &self,
        terms: &Terms,
        graph: &Graph,
        (asserted, assumptions): (&[TermId], &[TermId]),
        limits: &Budget,
    ) -> Outcome {
        let budget = MIN_STEPS + STEPS * graph.size();
        let mut propagation = Propagation::new(terms, graph, budget, limits);
        let unsat = |core: Vec<u32>| {
            Outcome::Unsat(core.iter().map(|at| assumptions[*at as usize]).collect())
        };
        match self.root(&mut propagation, asserted, assumptions) {
            Ok(()) => {}
            Err(Stop::Budget) => return Outcome::Unknown,
            Err(Stop::Conflict(Conflict(why))) => {
                let core = propagation.assumptions(&why);
                // Bounds that push each other up a cycle rest on more than the cycle does.
                let cycle = propagation.cycles().err();
                let cycle = cycle.map(|Conflict(why)| propagation.assumptions(&why));
                return unsat(match cycle {
                    Some(cycle) if cycle.len() < core.len() => cycle,
                    _ => core,
                });
            }
        }
        propagation.steps = budget;
        match propagation.search() {
            SearchEnd::Values => Outcome::Candidate(propagation.model()),
            SearchEnd::Contradiction(core) => unsat(core),
            SearchEnd::Nothing => Outcome::Unknown,
        }
    }

    /// What follows without any decision.
    fn root(
        &self,
        propagation: &mut Propagation<'_>,
        asserted: &[TermId],
        assumptions: &[TermId],
    ) -> Result<(), Stop> {
        for formula in asserted {
            let node = self.numbering.of(*formula);
            propagation.suppose(node, Fact::Bool(Some(true)), Origin::Given)?;
        }
        for (number, formula) in assumptions.iter().enumerate() {
            let node = self.numbering.of(*formula);
            // Assumptions are fewer than terms.
            let origin = Origin::Assumption(number as u32);
            propagation.suppose(node, Fact::Bool(Some(true)), origin)?;
        }
        propagation.run()?;
        Ok(propagation.cycles()?)
    }
}
