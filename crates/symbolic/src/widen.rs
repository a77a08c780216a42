//! Forgetting what a loop changes.

use std::collections::BTreeSet;
use std::rc::Rc;

use cfa::Scope;
use term::{TermId, Terms, Var};

use crate::execute::Executor;
use crate::object::ObjectIndex;
use crate::state::{Slot, State};

/// What differs between two states of one activation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    vars: BTreeSet<Var>,
    contents: BTreeSet<ObjectIndex>,
    lives: BTreeSet<ObjectIndex>,
}

impl Changes {
    /// The variables that differ.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.vars.iter().copied()
    }

    /// Adds what differs between two states with the same activations. What only the second has
    /// does not count.
    pub fn add(&mut self, executor: &Executor<'_>, before: &State, after: &State) {
        let cfa = executor.cfa;
        if !Rc::ptr_eq(&before.globals, &after.globals) {
            let known = cfa.variables.entries();
            for (var, _) in known.filter(|(_, known)| known.scope == Scope::Global) {
                let place = executor.slots[var];
                if before.globals[place] != after.globals[place] {
                    self.vars.insert(var);
                }
            }
        }
        if let (Some(mine), Some(theirs)) = (before.frames.last(), after.frames.last())
            && !Rc::ptr_eq(&mine.locals, &theirs.locals)
        {
            for var in &cfa.functions[mine.function].locals {
                let place = executor.slots[*var];
                if mine.locals[place] != theirs.locals[place] {
                    self.vars.insert(*var);
                }
            }
        }
        let (contents, lives) = after.memory.changes(&before.memory);
        self.contents.extend(contents);
        self.lives.extend(lives);
    }
}

impl Executor<'_> {
    /// The state with arbitrary values for what a loop changes. What these values may point to is
    /// not known: objects that earlier rounds made are not among the state's.
    pub fn forget(&mut self, terms: &mut Terms, state: &State, changes: &Changes) -> State {
        let mut state = state.clone();
        let source = self.foreign_source();
        for var in &changes.vars {
            self.assign(&mut state, *var, Slot::Open(source));
        }
        for object in &changes.contents {
            state.memory.change(*object, |known| known.contents.open(source));
        }
        for object in &changes.lives {
            let var = terms.declare(format!("alive#{}", terms.var_count()), term::Sort::Bool);
            let alive = terms.var(var);
            state.memory.change(*object, |known| known.alive = alive);
        }
        state
    }

    /// A formula over the variables that are in scope, as it is in a state.
    pub fn evaluate(&mut self, terms: &mut Terms, state: &State, formula: TermId) -> TermId {
        let value = self.eval(terms, state, formula);
        self.compare(terms, value)
    }

    /// Restricts a state; `None` if the condition clearly fails.
    pub fn assume(&mut self, terms: &mut Terms, state: &State, condition: TermId) -> Option<State> {
        let guard = self.guards.extend(terms, state.guard, condition)?;
        Some(State { guard, ..state.clone() })
    }

    /// Forgets the events after the first so many.
    pub fn forget_events(&mut self, count: usize) {
        self.events.truncate(count);
    }
}
