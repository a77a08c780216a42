//! States that wait to be taken further, by place.

use std::collections::BTreeMap;

use symbolic::{Executor, State};
use term::Terms;

/// States in the order in which executions pass their places. States that meet at one place
/// wait, and are merged together when the turn of the place comes. Merging them one after the other would put the
/// conditions of all earlier states into each merge.
#[derive(Default)]
pub(crate) struct Pending {
    states: BTreeMap<Box<[u32]>, Vec<State>>,
}

/// How many states of one place wait to be merged, at most: each may have a memory of its own.
const MOST_APART: usize = 64;

impl Pending {
    pub(crate) fn add(&mut self, executor: &mut Executor<'_>, terms: &mut Terms, state: State) {
        let here = self.states.entry(state.place().into()).or_default();
        here.push(state);
        if here.len() > MOST_APART {
            let merged = executor.merge_all(terms, std::mem::take(here));
            here.extend(merged);
        }
    }

    /// All states of the first place, merged into one.
    pub(crate) fn pop(&mut self, executor: &mut Executor<'_>, terms: &mut Terms) -> Option<State> {
        let (_, states) = self.states.pop_first()?;
        executor.merge_all(terms, states)
    }

    /// All states that wait, without merging them.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = State> {
        std::mem::take(&mut self.states).into_values().flatten()
    }
}
