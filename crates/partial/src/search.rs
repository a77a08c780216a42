//! The search for traces (Castaño 2018, §3.3.3): a program and an automaton side by side, by any of
//! the analyses, resumed after each find as the thesis resumes its Alg. 1, the loop over abstract states.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{LocId, Program};
use engines::bounded::{Bounded, Until};
use passes::Back;
use run::{Budget, Counterexample, Run, Verdict};
use smt::NewSolver;
use verify::{Analysis, Config};

use crate::automaton::Automaton;
use crate::product::{Goal, Product, Target, product};
use crate::trace::{Followed, Trace, follow, limits};

/// How many locations a product may have.
const MAX_LOCATIONS: usize = 400_000;

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// Whether every location where such a trace ends has one.
    pub complete: bool,
    /// An error that was met on the way.
    pub violation: Option<Counterexample>,
}

/// How to search.
#[derive(Clone)]
pub struct Search<'a> {
    /// The program.
    pub program: &'a Program,
    /// The engine that searches; bounded model checking is resumed after each find, others begin again.
    pub analysis: Analysis,
    /// Makes a solver.
    pub solver: NewSolver<'a>,
    /// What the search may use.
    pub budget: &'a Budget,
    /// The search ends after this many finds, if there is a number.
    pub most: Option<usize>,
}

impl Search<'_> {
    /// Looks for traces that end in locations which `known` does not have, one for each location, and calls `found`
    /// with each trace as soon as it is found. The product is made with `guide`. If there is a `judge`, this other
    /// automaton decides where each trace ends.
    pub fn find(
        &self,
        guide: &mut dyn Automaton,
        judge: Option<&mut dyn Automaton>,
        goal: Goal,
        known: &mut BTreeSet<Target>,
        found: &mut dyn FnMut(Trace),
    ) -> Searched {
        let product = product(self.program, guide, goal, MAX_LOCATIONS, self.budget);
        let Ok(product) = product else { return Searched::default() };
        let judge: &mut dyn Automaton = match judge {
            Some(judge) => judge,
            None => guide,
        };
        let Some(mut hunt) = Hunt::of(self, product, known) else { return Searched::default() };
        let searched = match self.analysis {
            Analysis::Bmc => hunt.unroll(judge, known, found),
            analysis => hunt.verify(analysis, judge, known, found),
        };
        let whole = !hunt.lost && self.budget.exceeded().is_none();
        Searched { complete: searched.complete && whole, ..searched }
    }
}

/// A search over one product.
struct Hunt<'a> {
    search: &'a Search<'a>,
    /// The product, made simpler.
    program: Program,
    back: Back,
    targets: BTreeMap<LocId, Target>,
    /// Whether a trace was found in the product that the program does not have.
    lost: bool,
    /// How many traces were found.
    count: usize,
}

/// What becomes of a search after a find.
enum Next {
    /// The search goes on without these error locations, which have been found.
    Without(Vec<LocId>),
    Violation(Counterexample),
    /// Enough has been found.
    Enough,
}

impl<'a> Hunt<'a> {
    /// Prepares a search. None if the budget is used up before the product is simplified.
    fn of(search: &'a Search<'a>, mut product: Product, known: &BTreeSet<Target>) -> Option<Self> {
        for (id, target) in &product.targets {
            if known.contains(target) {
                product.rewritten.program.cfa.locations[*id].error = false;
            }
        }
        let in_time = || search.budget.exceeded().is_none();
        let simple = passes::simplify_while(&product.rewritten.program, &in_time)?;
        let back = product.rewritten.back.then(&simple.back);
        let target = |id: LocId| {
            let origin = simple.back.location(id)?;
            Some((id, *product.targets.get(&origin.location)?))
        };
        let targets = simple.program.cfa.errors().filter_map(target).collect();
        Some(Self { search, program: simple.program, back, targets, lost: false, count: 0 })
    }

    /// By bounded model checking, which goes on after each find.
    fn unroll(
        &mut self,
        judge: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        found: &mut dyn FnMut(Trace),
    ) -> Searched {
        let program = std::mem::take(&mut self.program);
        let mut bounded = Bounded::new(&program, self.search.solver);
        let run = Run::unobserved(self.search.budget.clone());
        let searched = loop {
            match bounded.check(Until::default(), &run) {
                Verdict::Safe(_) => break Searched { complete: true, violation: None },
                Verdict::Unknown(_) => break Searched::default(),
                Verdict::Unsafe(execution) => {
                    match self.take(&program, &execution, judge, known, found) {
                        Next::Violation(error) => {
                            break Searched { complete: false, violation: Some(error) };
                        }
                        Next::Enough => break Searched::default(),
                        Next::Without(errors) => {
                            errors.into_iter().for_each(|error| bounded.set_aside(error));
                        }
                    }
                }
            }
        };
        self.search.budget.abandon(bounded);
        self.search.budget.abandon(program);
        searched
    }

    /// By any analysis, which begins again after each find.
    fn verify(
        &mut self,
        analysis: Analysis,
        judge: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        found: &mut dyn FnMut(Trace),
    ) -> Searched {
        let mut program = std::mem::take(&mut self.program);
        loop {
            let budget = self.search.budget.clone();
            let config = Config { analysis, budget, ..Config::default() };
            let outcome = verify::verify(&program, &config, self.search.solver);
            match outcome.verdict {
                Verdict::Safe(_) => return Searched { complete: true, violation: None },
                Verdict::Unknown(_) => return Searched::default(),
                Verdict::Unsafe(execution) => {
                    match self.take(&program, &execution, judge, known, found) {
                        Next::Violation(error) => {
                            return Searched { complete: false, violation: Some(error) };
                        }
                        Next::Enough => return Searched::default(),
                        Next::Without(errors) => {
                            for error in errors {
                                program.cfa.locations[error].error = false;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Takes an execution of the product back to the program, and tells of its trace.
    fn take(
        &mut self,
        made: &Program,
        execution: &Counterexample,
        judge: &mut dyn Automaton,
        known: &mut BTreeSet<Target>,
        found: &mut dyn FnMut(Trace),
    ) -> Next {
        let Some(target) = self.targets.get(&execution.error).copied() else {
            self.lost = true;
            return Next::Without(vec![execution.error]);
        };
        let program = self.search.program;
        let config = limits(execution.steps, self.search.budget);
        let drawn = self.back.decisions(made, &execution.drawn, program, &config);
        let reached = match follow(program, judge, &drawn, target, &config) {
            Followed::Violation(error) => return Next::Violation(error),
            Followed::Nothing => {
                self.lost = true;
                target
            }
            Followed::Trace(trace, violation) => {
                let reached = trace.target();
                self.count += 1;
                if known.insert(reached) {
                    found(trace);
                }
                if let Some(error) = violation {
                    return Next::Violation(error);
                }
                reached
            }
        };
        if self.search.most.is_some_and(|most| self.count >= most) {
            return Next::Enough;
        }
        // Other error locations with the target that was reached have nothing new, and the target that was searched
        // for must not be found again and again.
        let done = |other: &Target| *other == reached || *other == target;
        let errors = self.targets.iter().filter(|(_, other)| done(other)).map(|(id, _)| *id);
        Next::Without(errors.collect())
    }
}
