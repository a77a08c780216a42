//! Forgetting what a loop changes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cfa::Scope;
use term::{Sort, TermId, Terms, Var};

use crate::event::Event;
use crate::execute::Executor;
use crate::ids::ObjectIndex;
use crate::state::{Slot, State};

/// What differs between two states of one activation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    vars: BTreeSet<Var>,
    contents: BTreeSet<ObjectIndex>,
    lives: BTreeSet<ObjectIndex>,
    /// For each variable that differs, the object from whose address its value is derived in both states, if that is
    /// one and the same object.
    anchors: BTreeMap<Var, Option<ObjectIndex>>,
}

impl Changes {
    /// The variables that differ.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.vars.iter().copied()
    }

    /// The variables that always point into one object, or past it, and that object.
    pub fn anchors(&self) -> impl Iterator<Item = (Var, ObjectIndex)> + '_ {
        self.anchors.iter().filter_map(|(var, object)| object.map(|object| (*var, object)))
    }

    /// Adds what differs between two states with the same activations. Variables and
    /// objects that exist only in the second state are passed over.
    pub fn add(
        &mut self,
        executor: &mut Executor<'_>,
        terms: &mut Terms,
        before: &State,
        after: &State,
    ) {
        let cfa = executor.cfa;
        let mut differ = Vec::new();
        if !Rc::ptr_eq(&before.globals, &after.globals) {
            let known = cfa.variables.entries();
            for (var, _) in known.filter(|(_, known)| known.scope == Scope::Global) {
                let place = executor.outline.slots[var];
                let (old, new) = (before.globals[place], after.globals[place]);
                if old != new {
                    differ.push((var, old, new));
                }
            }
        }
        if let (Some(mine), Some(theirs)) = (before.frames.last(), after.frames.last())
            && !Rc::ptr_eq(&mine.locals, &theirs.locals)
        {
            for var in &cfa.functions[mine.function].locals {
                let place = executor.outline.slots[*var];
                let (old, new) = (mine.locals[place], theirs.locals[place]);
                if old != new {
                    differ.push((*var, old, new));
                }
            }
        }
        for (var, old, new) in differ {
            let (old, new) = (executor.anchor(terms, old), executor.anchor(terms, new));
            let same = old.filter(|object| new == Some(*object));
            let known = self.anchors.entry(var).or_insert(same);
            *known = known.filter(|object| same == Some(*object));
            self.vars.insert(var);
        }
        let (contents, lives) = after.memory.changes(&before.memory);
        self.contents.extend(contents);
        self.lives.extend(lives);
    }
}

impl Executor<'_> {
    /// The object from whose address a value is derived in all cases, if there is such an object.
    fn anchor(&mut self, terms: &mut Terms, slot: Slot) -> Option<ObjectIndex> {
        let Slot::Term(value) = slot else { return None };
        if terms.sort(value) != Sort::Bv(self.cfa.address_width) {
            return None;
        }
        let parts = self.parts(terms, value);
        match parts.targets[..] {
            [only] if parts.plain.is_empty() => Some(only.object),
            _ => None,
        }
    }

    /// The state with arbitrary values for what a loop changes. What these values may point to is
    /// not known, for objects that earlier rounds made are not among the state's; but a pointer
    /// that every round derives from itself stays with its object.
    pub fn forget(&mut self, terms: &mut Terms, state: &State, changes: &Changes) -> State {
        let mut state = state.clone();
        let source = self.foreign_source();
        for var in &changes.vars {
            let slot = match changes.anchors.get(var) {
                Some(Some(object)) => {
                    let name = format!("{}#{}", terms.var_name(*var), terms.var_count());
                    let offset = terms.declare(name, terms.var_sort(*var));
                    let offset = terms.var(offset);
                    Slot::Term(terms.bv_add(self.objects.table[*object].base, offset))
                }
                _ => Slot::Open(source),
            };
            self.assign(&mut state, *var, slot);
        }
        for object in &changes.contents {
            state.memory.change(*object, |known| known.contents.open(source));
        }
        for object in &changes.lives {
            let var = terms.declare(format!("alive#{}", terms.var_count()), Sort::Bool);
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

    /// Keeps the first `count` events, and of the later events those for which `keep` holds.
    pub fn forget_events(&mut self, count: usize, keep: &dyn Fn(&Event) -> bool) {
        let new = self.events.split_off(count.min(self.events.len()));
        self.events.extend(new.into_iter().filter(|event| keep(event)));
    }
}
