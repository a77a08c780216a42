//! Bounded model checking: the program is unrolled further and further, until an error is reached
//! or nothing is left to unroll.

mod unroll;

use cfa::{Program, Reach};
use smt::Models;
use symbolic::{Guard, Happening};
use term::{TermId, Terms};

use crate::ask::is_satisfiable;
use crate::replay::{Replayed, confirm};
use crate::verdict::{Budget, NewSolver, Proof, Unknown, Verdict};
pub use unroll::Depth;
use unroll::Unrolling;

/// Unrolls a program until it is decided, or the budget or the depth is used up.
pub fn check(
    program: &Program,
    solver: NewSolver<'_>,
    most: Option<u32>,
    budget: &Budget,
) -> Verdict {
    let reach = Reach::of(&program.cfa);
    if !reach.error_reachable() && reach.inconclusive().is_empty() {
        return Verdict::Safe(Proof::NoPath);
    }
    let mut terms = program.terms.clone();
    let unrolling = Unrolling::new(&program.cfa, &mut terms, budget);
    let mut search =
        Search { program, unrolling, terms, solver: solver(), budget, seen: 0, open: None };
    match search.run(most) {
        Ok(verdict) => verdict,
        Err(why) => Verdict::Unknown(why),
    }
}

struct Search<'p, 'a> {
    program: &'p Program,
    unrolling: Unrolling<'p>,
    terms: Terms,
    solver: Box<dyn Models>,
    budget: &'a Budget,
    /// How many events have been looked at.
    seen: usize,
    /// Something that keeps the program from being called safe.
    open: Option<Unknown>,
}

impl Search<'_, '_> {
    fn run(&mut self, most: Option<u32>) -> Result<Verdict, Unknown> {
        let mut rounds = 1;
        loop {
            self.budget.progress.set_rounds(rounds);
            let depth = Depth { rounds, recursion: rounds as usize };
            let unrolled = self.unrolling.extend(&mut self.terms, depth, self.budget);
            if let Some(verdict) = self.look_at_events()? {
                return Ok(verdict);
            }
            unrolled?;
            self.drop_impossible()?;
            if self.unrolling.deferred.is_empty() {
                return match self.open.take() {
                    Some(why) => Err(why),
                    None => Ok(Verdict::Safe(Proof::Unrolled { rounds: self.unrolling.rounds })),
                };
            }
            if most.is_some_and(|most| rounds >= most) {
                return Err(Unknown::Exhausted(format!("unrolled {rounds} times")));
            }
            rounds = next(rounds);
            if let Some(most) = most {
                rounds = rounds.min(most);
            }
        }
    }

    /// Looks for an error, and for what is unsupported, among the events since the last time.
    fn look_at_events(&mut self) -> Result<Option<Verdict>, Unknown> {
        let events = self.unrolling.executor.events();
        let new = &events[self.seen..];
        self.seen = events.len();
        let mut errors: Vec<Guard> = Vec::new();
        let mut unsupported = Vec::new();
        for event in new {
            match &event.what {
                Happening::Error(_) => errors.push(event.guard),
                Happening::Unsupported { reason, edge } => {
                    unsupported.push((event.guard, reason.clone(), *edge));
                }
                _ => {}
            }
        }
        if let Some(verdict) = self.look_at_errors(&errors)? {
            return Ok(Some(verdict));
        }
        for (guard, reason, edge) in unsupported {
            if self.open.is_some() {
                break;
            }
            let formulas = self.unrolling.executor.conditions(guard);
            if self.is_possible(&formulas)? {
                self.open = Some(Unknown::Unsupported { reason, edge });
            }
        }
        Ok(None)
    }

    /// Looks for an execution that reaches one of some errors and is confirmed.
    fn look_at_errors(&mut self, errors: &[Guard]) -> Result<Option<Verdict>, Unknown> {
        if errors.is_empty() {
            return Ok(None);
        }
        let formulas = self.unrolling.executor.any(&mut self.terms, errors);
        if !self.is_possible(&formulas)? {
            return Ok(None);
        }
        let (executor, terms) = (&mut self.unrolling.executor, &mut self.terms);
        let solver = &mut *self.solver;
        match confirm(self.program, executor, terms, solver, &formulas, None, self.budget) {
            Replayed::Error(found) => return Ok(Some(Verdict::Unsafe(Box::new(found)))),
            Replayed::Not(instead) => self.open = Some(Unknown::NotReplayed(instead)),
        }
        // One that is not confirmed must not hide another that is.
        if errors.len() > 1 {
            for error in errors {
                if let Some(verdict) = self.look_at_errors(&[*error])? {
                    return Ok(Some(verdict));
                }
            }
        }
        Ok(None)
    }

    /// Forgets the deferred states that no execution reaches.
    fn drop_impossible(&mut self) -> Result<(), Unknown> {
        let mut kept = Vec::new();
        for state in std::mem::take(&mut self.unrolling.deferred) {
            let conditions = self.unrolling.executor.conditions(state.guard);
            if self.is_possible(&conditions)? {
                kept.push(state);
            }
        }
        self.unrolling.deferred = kept;
        Ok(())
    }

    fn is_possible(&mut self, formulas: &[TermId]) -> Result<bool, Unknown> {
        let executor = &mut self.unrolling.executor;
        is_satisfiable(executor, &mut self.terms, &mut *self.solver, formulas, self.budget)
    }
}

/// The next number of rounds: each step of the search costs about as much as all before it.
fn next(rounds: u32) -> u32 {
    rounds.saturating_mul(3).div_ceil(2).saturating_add(1)
}
