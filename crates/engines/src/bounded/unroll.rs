//! A program unrolled: states in the order in which executions pass them, merged where they meet.

use std::collections::BTreeSet;

use cfa::{Cfa, LocId, Reach};
use run::{Budget, Unknown};
use symbolic::{Executor, State};
use term::Terms;

use crate::pending::Pending;

/// How far loops and recursion are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Rounds of each loop.
    pub rounds: u32,
    /// Activations of one function at a time.
    pub recursion: usize,
}

/// The unrolling of a program, which can be continued.
pub(crate) struct Unrolling<'p> {
    pub(crate) executor: Executor<'p>,
    reach: Reach,
    /// States to go on with, by place.
    pending: Pending,
    /// States that go deeper than is wanted yet.
    pub(crate) deferred: Vec<State>,
    /// The most rounds that any state has made.
    pub(crate) rounds: u32,
}

impl<'p> Unrolling<'p> {
    pub(crate) fn new(cfa: &'p Cfa, terms: &mut Terms) -> Self {
        let mut executor = Executor::new(cfa, terms);
        let start = executor.start(terms);
        let deferred = start.into_iter().collect();
        let reach = Reach::of(cfa);
        Self { executor, reach, pending: Pending::default(), deferred, rounds: 0 }
    }

    /// Goes on with the deferred states, down to a depth.
    pub(crate) fn extend(
        &mut self,
        terms: &mut Terms,
        depth: Depth,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        self.executor.keep_within(budget);
        for state in std::mem::take(&mut self.deferred) {
            self.add(terms, state, depth);
        }
        let mut out = Vec::new();
        while let Some(state) = self.pending.pop(&mut self.executor, terms) {
            // A step may merge much memory, and looking at the clock costs little beside it.
            if let Some(why) = budget.exceeded() {
                self.deferred.push(state);
                self.deferred.extend(self.pending.drain());
                return Err(why.into());
            }
            self.executor.step(terms, state, &mut out);
            for state in out.drain(..) {
                self.add(terms, state, depth);
            }
        }
        Ok(())
    }

    fn add(&mut self, terms: &mut Terms, state: State, depth: Depth) {
        if self.is_done(&state) {
            return;
        }
        if state.round() > depth.rounds || state.recursion() > depth.recursion {
            self.deferred.push(state);
            return;
        }
        self.rounds = self.rounds.max(state.round());
        self.pending.add(&mut self.executor, terms, state);
    }

    /// The locations where executions wait that go round loops or recurse more often than was
    /// wanted so far.
    pub(crate) fn frontier(&self) -> Vec<LocId> {
        let locations: BTreeSet<LocId> = self.deferred.iter().map(|state| state.location).collect();
        locations.into_iter().collect()
    }

    /// Whether nothing that matters can come after a state.
    fn is_done(&self, state: &State) -> bool {
        !self.reach.is_followed(state.location)
    }
}
