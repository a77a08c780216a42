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
    /// There is no model, because of these assumptions.
    Unsat(Vec<TermId>),
    /// Values that look like a model; the caller has to check them.
    Candidate(FxHashMap<Var, Value>),
    /// Whether there is a model is not known.
    Unknown,
}

/// The layer in front of SAT.
#[derive(Default)]
pub(crate) struct Front {
    numbering: Numbering,
    /// The patience with conjunctions of many formulas, by the order of magnitude of their number.
    of_many: [Patience; 32],
    /// The patience with conjunctions of few formulas that are large, by the order of magnitude of their size.
    of_large: [Patience; 32],
}

/// Larger formulas are left to SAT: nodes and arrows of the graph of their terms.
const MAX_SIZE: usize = 400_000;

/// How many steps there are for each node and arrow: so many to propagate, and so many to search.
const STEPS: usize = 12;

/// How many steps even the smallest formula has to propagate, and as many to search.
const MIN_STEPS: usize = 3_000;

/// A conjunction of more formulas than `MANY`, or of a greater size than `LARGE`, is tried only if success is likely:
/// SAT may know most of it from the check before.
const MANY: usize = 16;
const LARGE: usize = 300;

/// The most large checks in a row that are left to SAT after a check that was tried without success.
const MAX_REST: u32 = 128;

/// Remembers whether trying large checks was worth it. This is counted in checks and not measured as time, so that a
/// run is the same every time.
#[derive(Default)]
struct Patience {
    /// How many of the next large checks are left to SAT.
    rest: u32,
    /// How many checks are left to SAT after the next failure.
    next: u32,
}

impl Patience {
    fn may_try(&mut self) -> bool {
        let rested = self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        rested
    }
}

/// Learns from a check that was tried. A failure makes the next magnitude wait as well: the formulas of a path that
/// grows will soon have this magnitude, and would fail there, too.
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
                // If comparisons in a cycle push each other's bounds up, the contradiction rests on more assumptions
                // than the cycle alone.
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

    /// The propagation with all that follows without any decision.
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
            // There are fewer assumptions than terms.
            let origin = Origin::Assumption(number as u32);
            propagation.suppose(node, Fact::Bool(Some(true)), origin)?;
        }
        propagation.run()?;
        Ok(propagation.cycles()?)
    }
}
