//! Bounded model checking: the program is unrolled further and further, until an error is reached
//! or nothing is left to unroll.

mod unroll;

use std::collections::BTreeSet;

use cfa::{EdgeId, LocId, Program, Reach};
use run::{Bound, Budget, Drawn, Event, Proof, Replayed, Run, Unknown, Verdict};
use smt::{Models, NewSolver, Reason};
use symbolic::{Guard, Happening};
use term::{TermId, Terms};

use crate::ask::{is_satisfiable, is_satisfiable_within};
use crate::ordinary::preferences;
use crate::replay::{confirm, sample};
pub use unroll::Depth;
use unroll::Unrolling;

/// How far a program is unrolled at most, in figures that are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Until {
    /// How many rounds of each loop are followed at most.
    pub rounds: Option<u32>,
    /// No further rounds are begun once the unrolling has made this many terms.
    pub terms: Option<usize>,
}

/// Bounded model checking of a program. It can be taken up again where it ended.
pub struct Bounded<'p> {
    program: &'p Program,
    unrolling: Unrolling<'p>,
    terms: Terms,
    solver: Box<dyn Models>,
    /// How many events have been looked at.
    seen: usize,
    /// Errors that are not looked for any more.
    known: BTreeSet<LocId>,
    /// Something that keeps the program from being called safe.
    open: Option<Unknown>,
    /// The edges on which executions may meet something that is not modelled.
    cuts: BTreeSet<EdgeId>,
    /// Whether some executions that were followed may do anything, although no edge is known at which this begins.
    lost: bool,
    /// The rounds that are followed next.
    rounds: u32,
    /// The rounds that were followed to their ends.
    followed: u32,
    /// Whether the deferred states still have to be checked: some of them may be states that no execution gets to.
    unchecked: bool,
    /// How far executions were followed.
    bound: Bound,
}

impl<'p> Bounded<'p> {
    /// A check that has unrolled nothing yet.
    #[must_use]
    pub fn new(program: &'p Program, solver: NewSolver<'_>) -> Self {
        let mut terms = program.terms.clone();
        let unrolling = Unrolling::new(&program.cfa, &mut terms);
        Self {
            program,
            unrolling,
            terms,
            solver: solver(),
            seen: 0,
            known: BTreeSet::new(),
            open: None,
            cuts: BTreeSet::new(),
            lost: false,
            rounds: 1,
            followed: 0,
            unchecked: false,
            bound: Bound::default(),
        }
    }

    /// Whether the unrolling can be taken up again: no execution was ended in the middle of an
    /// operation because time was up.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.unrolling.executor.was_halted()
    }

    /// Stops looking for an error location. A check that has found this error can then be taken up again for the other
    /// errors; the program is called safe if none of the others is reached.
    pub fn set_aside(&mut self, error: LocId) {
        self.known.insert(error);
    }

    /// How far executions were followed without an error.
    #[must_use]
    pub fn bound(&self) -> Bound {
        Bound { frontier: self.unrolling.frontier(), ..self.bound.clone() }
    }

    /// Unrolls the program until it is decided, or the budget is used up, or as many rounds were followed or terms
    /// made as `until` says.
    pub fn check(&mut self, until: Until, run: &Run<'_>) -> Verdict {
        let reach = Reach::of(&self.program.cfa);
        if !reach.error_reachable() && reach.inconclusive().is_empty() {
            return Verdict::Safe(Proof::NoPath);
        }
        self.search(until, run).unwrap_or_else(Verdict::Unknown)
    }

    fn search(&mut self, until: Until, run: &Run<'_>) -> Result<Verdict, Unknown> {
        let budget = &run.budget;
        loop {
            if self.unchecked {
                self.drop_impossible(budget)?;
                self.unchecked = false;
                let followed = self.rounds;
                self.followed = followed;
                self.complete(followed, run);
                if self.unrolling.deferred.is_empty() {
                    return match &self.open {
                        Some(why) => Err(why.clone()),
                        None => {
                            Ok(Verdict::Safe(Proof::Unrolled { rounds: self.unrolling.rounds }))
                        }
                    };
                }
                self.rounds = next(followed);
            }
            let followed = self.followed;
            if let Some(rounds) = until.rounds {
                if followed >= rounds {
                    return Err(self.exhausted());
                }
                self.rounds = self.rounds.min(rounds);
            }
            if until.terms.is_some_and(|terms| self.terms.len() > terms) {
                return Err(self.exhausted());
            }
            run.events.on(Event::Unrolling(self.rounds));
            let depth = Depth { rounds: self.rounds, recursion: self.rounds as usize };
            let unrolled = self.unrolling.extend(&mut self.terms, depth, budget);
            if let Some(verdict) = self.look_at_events(budget)? {
                return Ok(verdict);
            }
            unrolled?;
            self.unchecked = true;
        }
    }

    /// Notes that `followed` rounds were followed to their ends.
    fn complete(&mut self, followed: u32, run: &Run<'_>) {
        if self.lost {
            return;
        }
        self.bound.rounds = Some(followed);
        self.bound.cuts = self.cuts.iter().copied().collect();
        // A listener reads this event as "all executions with this many rounds were followed".
        if self.open.is_none() {
            run.events.on(Event::Unrolled(followed));
        }
    }

    /// Why the search ends before everything is unrolled. A reason that more rounds would not remove comes first.
    fn exhausted(&self) -> Unknown {
        let times = if self.followed == 1 { "time" } else { "times" };
        let rounds = || Unknown::Exhausted(format!("unrolled {} {times}", self.followed));
        self.open.clone().unwrap_or_else(rounds)
    }

    /// Looks for an error, and for what is unsupported, among the events since the last time.
    fn look_at_events(&mut self, budget: &Budget) -> Result<Option<Verdict>, Unknown> {
        let events = self.unrolling.executor.events();
        let new = &events[self.seen..];
        let seen = events.len();
        let mut errors: Vec<Guard> = Vec::new();
        let mut unsupported = Vec::new();
        for event in new {
            match &event.what {
                Happening::Error(at) if self.known.contains(at) => {}
                Happening::Error(_) => errors.push(event.guard),
                Happening::Unsupported { reason, edge } => {
                    unsupported.push((event.guard, reason.clone(), *edge));
                }
                _ => {}
            }
        }
        if let Some(verdict) = self.look_at_errors(&errors, budget)? {
            return Ok(Some(verdict));
        }
        for (guard, reason, edge) in unsupported {
            // As soon as executions are known to meet something that is not modelled, the other events of this kind
            // count as met without a question.
            if self.open.is_none() {
                let formulas = self.unrolling.executor.conditions(guard);
                if !self.is_possible(&formulas, budget)? {
                    continue;
                }
                self.open = Some(Unknown::Unsupported { reason, edge });
            }
            self.cuts.extend(edge);
            self.lost |= edge.is_none();
        }
        // Where a limit ends the loop above, everything is looked at again the next time.
        self.seen = seen;
        Ok(None)
    }

    /// Looks for an execution that reaches one of some errors and is confirmed.
    ///
    /// The first question is about all errors together. If it is hard to show that some check holds, this question is
    /// hard, too, and would hide an error that is found easily. So the question may have a number of conflicts only;
    /// after that, there is a question about each error, with as many conflicts together, and then all begins anew
    /// with more conflicts and the errors that are left.
    fn look_at_errors(
        &mut self,
        errors: &[Guard],
        budget: &Budget,
    ) -> Result<Option<Verdict>, Unknown> {
        let mut left = errors.to_vec();
        let mut conflicts = CONFLICTS;
        loop {
            if left.len() == 1 {
                // A hard question about the only error hides no other error.
                return match self.look_within(&left, budget, budget)? {
                    Look::Found(verdict) => Ok(Some(verdict)),
                    Look::Nothing => Ok(None),
                    Look::Unanswered => Err(Reason::Conflicts.into()),
                };
            }
            match self.look_within(&left, &budget.with_conflicts(conflicts), budget)? {
                Look::Found(verdict) => return Ok(Some(verdict)),
                Look::Nothing => return Ok(None),
                Look::Unanswered => {}
            }
            let each = (conflicts / left.len() as u64).max(FEWEST_CONFLICTS);
            let mut open = Vec::new();
            for error in left {
                match self.look_within(&[error], &budget.with_conflicts(each), budget)? {
                    Look::Found(verdict) => return Ok(Some(verdict)),
                    Look::Nothing => {}
                    Look::Unanswered => open.push(error),
                }
            }
            left = open;
            if !left.is_empty() && budget.conflicts().is_some_and(|most| most <= each) {
                // The budget does not allow more conflicts.
                return Err(Reason::Conflicts.into());
            }
            conflicts = conflicts.saturating_mul(MORE_CONFLICTS);
        }
    }

    /// One question for an execution that reaches one of some errors; if the interpreter does not confirm
    /// the execution that is found, another question for each of the errors.
    fn look_within(
        &mut self,
        errors: &[Guard],
        limited: &Budget,
        budget: &Budget,
    ) -> Result<Look, Unknown> {
        if errors.is_empty() {
            return Ok(Look::Nothing);
        }
        let formulas = self.unrolling.executor.any(&mut self.terms, errors);
        let (executor, terms) = (&mut self.unrolling.executor, &mut self.terms);
        let solver = &mut *self.solver;
        match is_satisfiable_within(executor, terms, solver, &formulas, limited)? {
            Some(true) => {}
            Some(false) => return Ok(Look::Nothing),
            None => return Ok(Look::Unanswered),
        }
        let preferred = preferences(self.program, executor, terms);
        if !preferred.is_empty() {
            let asked: Vec<TermId> = formulas.iter().copied().chain(preferred).collect();
            let is_ordinary = is_satisfiable_within(executor, terms, solver, &asked, limited)?;
            if is_ordinary == Some(true)
                && let Replayed::Error(found) =
                    confirm(self.program, executor, terms, solver, &asked, None, budget)
            {
                return Ok(Look::Found(Verdict::Unsafe(Box::new(found))));
            }
            // The solver has the model of another question now, or no model.
            match is_satisfiable_within(executor, terms, solver, &formulas, limited)? {
                Some(true) => {}
                Some(false) => return Ok(Look::Nothing),
                None => return Ok(Look::Unanswered),
            }
        }
        match confirm(self.program, executor, terms, solver, &formulas, None, budget) {
            Replayed::Error(found) => {
                return Ok(Look::Found(Verdict::Unsafe(Box::new(found))));
            }
            Replayed::Not(instead) => {
                // A replay that was cut short says nothing.
                budget.check()?;
                self.open = Some(Unknown::NotReplayed(instead));
                self.lost = true;
            }
        }
        // An error that is not confirmed must not hide another one that is.
        if errors.len() > 1 {
            for error in errors {
                if let Some(verdict) = self.look_at_errors(&[*error], budget)? {
                    return Ok(Look::Found(verdict));
                }
            }
        }
        Ok(Look::Nothing)
    }

    /// Forgets the deferred states that no execution reaches.
    fn drop_impossible(&mut self, budget: &Budget) -> Result<(), Unknown> {
        let mut kept = Vec::new();
        let mut states = std::mem::take(&mut self.unrolling.deferred).into_iter();
        let mut ended = Ok(());
        for state in states.by_ref() {
            let conditions = self.unrolling.executor.conditions(state.guard);
            match self.is_possible(&conditions, budget) {
                Ok(false) => {}
                Ok(true) => {
                    if kept.is_empty() && self.rounds >= EXAMPLE_ROUNDS {
                        self.bound.example = self.sample(budget);
                    }
                    kept.push(state);
                }
                Err(why) => {
                    kept.push(state);
                    ended = Err(why);
                    break;
                }
            }
        }
        // Where a limit ends the loop above, no state is lost.
        kept.extend(states);
        self.unrolling.deferred = kept;
        ended
    }

    /// The decisions of an execution that waits to be followed further, from the model that the solver has just found.
    fn sample(&mut self, budget: &Budget) -> Vec<Drawn> {
        let (executor, terms) = (&mut self.unrolling.executor, &mut self.terms);
        let steps = EXAMPLE_STEPS.saturating_mul(u64::from(self.rounds));
        sample(self.program, executor, terms, &mut *self.solver, steps, budget)
    }

    fn is_possible(&mut self, formulas: &[TermId], budget: &Budget) -> Result<bool, Unknown> {
        let executor = &mut self.unrolling.executor;
        is_satisfiable(executor, &mut self.terms, &mut *self.solver, formulas, budget)
    }
}

/// What a question for errors has found.
enum Look {
    /// An execution that is confirmed.
    Found(Verdict),
    /// No execution that is confirmed.
    Nothing,
    /// The conflicts are used up.
    Unanswered,
}

/// How many conflicts the first question about all errors may have. Most questions are answered with far less.
const CONFLICTS: u64 = 5_000;

/// How many conflicts the question about one error may have at least.
const FEWEST_CONFLICTS: u64 = 100;

/// How many times more conflicts are allowed the next time.
const MORE_CONFLICTS: u64 = 4;

/// From this many rounds on, an execution that goes on for longer is kept as an example. Most programs are decided
/// before, and need no example.
const EXAMPLE_ROUNDS: u32 = 3;

/// How many steps of such an example are made for each round.
const EXAMPLE_STEPS: u64 = 5_000;

/// The next number of rounds: each step of the search costs about as much as all before it.
fn next(rounds: u32) -> u32 {
    rounds.saturating_mul(3).div_ceil(2).saturating_add(1)
}
