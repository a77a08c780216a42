//! Assumption automata (Castaño 2018, §3.3.2): they read the steps of an execution and say whether
//! what they have read was analysed.
//!
//! Every automaton here makes its states on demand: the automaton of a run with a million nodes has only the states
//! that a search meets.

use std::hash::Hash;

use cfa::LocId;
use run::Step;
use rustc_hash::FxHashMap;

/// A state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(u32);

impl StateId {
    /// Whatever comes next was analysed: the steps so far are a safe cone. Never left.
    pub const TRUE: Self = Self(0);
    /// The last step, or an earlier one, was not analysed. Never left.
    pub const FALSE: Self = Self(1);

    /// The number of the state.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Whether the automaton stays in the state, whatever comes.
    #[must_use]
    pub const fn is_final(self) -> bool {
        self.0 < 2
    }
}

/// A reader of the steps of an execution. In a state that is neither [`StateId::TRUE`] nor
/// [`StateId::FALSE`], all steps so far were analysed, and some that may follow were not.
pub trait Automaton {
    /// The state before the first step.
    fn initial(&mut self) -> StateId;

    /// The state after a step from a location. `None` if no execution that has led to the state takes
    /// the step: it returns to another call than the one that was made.
    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId>;
}

impl<A: Automaton + ?Sized> Automaton for Box<A> {
    fn initial(&mut self) -> StateId {
        (**self).initial()
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        (**self).step(from, at, step)
    }
}

/// Numbers for states, each of which stands for a value.
#[derive(Clone, Debug)]
pub(crate) struct States<T> {
    table: Vec<T>,
    known: FxHashMap<T, u32>,
}

impl<T> Default for States<T> {
    fn default() -> Self {
        Self { table: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> States<T> {
    /// The state that stands for something; the same for equal things.
    pub(crate) fn id(&mut self, what: T) -> StateId {
        if let Some(known) = self.known.get(&what) {
            return StateId(*known);
        }
        // Memory ends before there are more states than a `u32` counts.
        let number = self.table.len() as u32 + 2;
        self.table.push(what.clone());
        self.known.insert(what, number);
        StateId(number)
    }

    /// The value that a state stands for; none for `TRUE` and `FALSE`.
    pub(crate) fn get(&self, state: StateId) -> Option<&T> {
        self.table.get((state.0 as usize).checked_sub(2)?)
    }
}

/// An automaton for everything that at least one of two automata calls analysed.
pub struct Union<A, B> {
    first: A,
    second: B,
    states: States<(StateId, StateId)>,
}

impl<A: Automaton, B: Automaton> Union<A, B> {
    /// The union of two automata.
    pub fn new(first: A, second: B) -> Self {
        Self { first, second, states: States::default() }
    }

    fn pair(&mut self, first: StateId, second: StateId) -> StateId {
        match (first, second) {
            (StateId::TRUE, _) | (_, StateId::TRUE) => StateId::TRUE,
            (StateId::FALSE, StateId::FALSE) => StateId::FALSE,
            pair => self.states.id(pair),
        }
    }
}

impl<A: Automaton, B: Automaton> Automaton for Union<A, B> {
    fn initial(&mut self) -> StateId {
        let (first, second) = (self.first.initial(), self.second.initial());
        self.pair(first, second)
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some((first, second)) = self.states.get(from).copied() else { return Some(from) };
        let first = stepped(&mut self.first, first, at, step)?;
        let second = stepped(&mut self.second, second, at, step)?;
        Some(self.pair(first, second))
    }
}

fn stepped(
    automaton: &mut impl Automaton,
    from: StateId,
    at: LocId,
    step: Step,
) -> Option<StateId> {
    if from.is_final() { Some(from) } else { automaton.step(from, at, step) }
}

/// An automaton that has analysed nothing.
pub struct Nothing;

impl Automaton for Nothing {
    fn initial(&mut self) -> StateId {
        StateId::FALSE
    }

    fn step(&mut self, from: StateId, _at: LocId, _step: Step) -> Option<StateId> {
        Some(from)
    }
}

/// An automaton that has analysed everything.
pub struct Everything;

impl Automaton for Everything {
    fn initial(&mut self) -> StateId {
        StateId::TRUE
    }

    fn step(&mut self, from: StateId, _at: LocId, _step: Step) -> Option<StateId> {
        Some(from)
    }
}
