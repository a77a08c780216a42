//! A state of the checker: all executions on their way from one cut to the next, at once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use run::StackId;
use term::{TermId, Var};

use crate::check::Checker;
use crate::guard::Guard;
use crate::memory::Memory;

/// Which variable: globals have depth zero, locals that of their activation.
pub(crate) type Which = (u32, Var);

/// Executions at a place, as terms over what was there at the start of the walk.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) stack: StackId,
    /// The least number of activations so far: activations above this depth began in this walk.
    pub(crate) low: u32,
    pub(crate) guard: Guard,
    /// The variables that have changed.
    pub(crate) values: Rc<BTreeMap<Which, TermId>>,
    pub(crate) memory: Rc<Memory>,
    /// What was not followed exactly on the way, if there is anything: then the state stands for more executions than
    /// there are.
    pub(crate) rough: Option<&'static str>,
}

impl State {
    pub(crate) fn assign(&mut self, which: Which, value: TermId) {
        Rc::make_mut(&mut self.values).insert(which, value);
    }

    pub(crate) fn memory(&mut self) -> &mut Memory {
        Rc::make_mut(&mut self.memory)
    }

    pub(crate) fn be_rough(&mut self, why: &'static str) {
        self.rough.get_or_insert(why);
    }
}

impl Checker<'_> {
    /// The value of a variable.
    pub(crate) fn read(&mut self, state: &State, which: Which) -> TermId {
        if let Some(value) = state.values.get(&which) {
            return *value;
        }
        let (depth, var) = which;
        if depth == 0 {
            return self.terms.var(var);
        }
        if depth <= state.low {
            let symbol = self.symbol(which);
            return self.terms.var(symbol);
        }
        // The activation began in this walk, and the variable has not been assigned since. At no time are there two
        // activations with the same stack.
        let stack = self.map.at_depth(state.stack, depth);
        if let Some(known) = self.unset.get(&stack).and_then(|known| known.get(&var)) {
            return *known;
        }
        let sort = self.terms.var_sort(var);
        let value = self.fresh(sort);
        self.unset.entry(stack).or_default().insert(var, value);
        value
    }

    /// Joins the states of two ways to one place into one state. The ways exclude each other: where conditions do not
    /// say which edge is taken, symbols do. `None` if no execution takes either of the ways.
    pub(crate) fn merge(&mut self, first: &State, second: &State) -> Option<State> {
        let (common, only_first, only_second) =
            Guard::split(&mut self.terms, &first.guard, &second.guard);
        if self.terms.is_false(only_first) {
            return (!self.terms.is_false(only_second)).then(|| second.clone());
        }
        if self.terms.is_false(only_second) {
            return Some(first.clone());
        }
        let either = self.terms.or2(only_first, only_second);
        let mut guard = common;
        if !guard.add(&self.terms, either) {
            return None;
        }
        let mut values = Rc::clone(&first.values);
        if !Rc::ptr_eq(&first.values, &second.values) {
            let changed: BTreeSet<Which> =
                first.values.keys().chain(second.values.keys()).copied().collect();
            let merged = Rc::make_mut(&mut values);
            for which in changed {
                let (a, b) = (self.read(first, which), self.read(second, which));
                let value = if a == b { a } else { self.terms.ite(only_first, a, b) };
                merged.insert(which, value);
            }
        }
        let memory = if Rc::ptr_eq(&first.memory, &second.memory) {
            Rc::clone(&first.memory)
        } else {
            let both = (&*first.memory, &*second.memory);
            Rc::new(Memory::merge(self.program, &mut self.terms, only_first, both))
        };
        Some(State {
            stack: first.stack,
            low: first.low,
            guard,
            values,
            memory,
            rough: first.rough.or(second.rough),
        })
    }
}
