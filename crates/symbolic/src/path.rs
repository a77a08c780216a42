//! The formula of a single path: static single assignment over a list of edges.

use std::rc::Rc;

use cfa::{EdgeId, Scope};
use term::{TermId, Terms, Var};

use crate::execute::Executor;
use crate::guard::Guard;
use crate::named::Named;
use crate::state::{Slot, State};

/// What an edge of a path does.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The symbols that the edge gives values to, in order.
    pub definitions: Vec<(Var, TermId)>,
    /// What must hold for the path to go on.
    pub conditions: Vec<TermId>,
    /// What the new symbols stand for.
    pub names: Vec<(Var, Named)>,
}

/// A path and its formula.
pub struct Path {
    /// What each edge does. A path that clearly cannot be taken ends at the edge that cannot, with
    /// the condition false.
    pub steps: Vec<Step>,
    /// The state at the end of the path, if the path can be taken.
    pub end: Option<State>,
}

impl Executor<'_> {
    /// The formula of a path from the start of the program. Where control is at the exit of a
    /// function, the next edge is one of the caller.
    ///
    /// With names, every value that an edge computes gets a symbol of its own, so that formulas
    /// about the state between two edges can be written; without, values are put in where they are
    /// used, and most conditions simplify. An executor that halts gives the beginning of the path.
    ///
    /// # Panics
    /// If an edge does not start where the one before it ended.
    pub fn follow(&mut self, terms: &mut Terms, edges: &[EdgeId], named: bool) -> Path {
        let mut steps = Vec::with_capacity(edges.len());
        let mut state = self.start(terms);
        for edge in edges {
            let Some(mut here) = state else { break };
            if self.is_halted() {
                return Path { steps, end: None };
            }
            let mut step = Step::default();
            let before = here.clone();
            while self.is_exit(&here) {
                match self.leave(terms, here) {
                    Some(caller) => here = caller,
                    None => return Path { steps, end: None },
                }
            }
            assert_eq!(here.location, self.cfa.edges[*edge].source, "edges of a path join");
            match self.take(terms, here, *edge) {
                Some(mut after) => {
                    step.conditions = self.since(before.guard, after.guard);
                    if named {
                        self.name(terms, &before, &mut after, &mut step);
                    }
                    state = Some(after);
                }
                None => {
                    step.conditions = vec![terms.bool(false)];
                    state = None;
                }
            }
            steps.push(step);
        }
        Path { steps, end: state }
    }

    fn since(&self, before: Guard, after: Guard) -> Vec<TermId> {
        let mut conditions = self.guards.beyond(after, before);
        conditions.reverse();
        conditions
    }

    /// Gives a symbol to everything that has changed.
    fn name(&mut self, terms: &mut Terms, before: &State, after: &mut State, step: &mut Step) {
        let cfa = self.cfa;
        if !Rc::ptr_eq(&before.globals, &after.globals) {
            let known = cfa.variables.entries();
            let globals = known.filter(|(_, known)| known.scope == Scope::Global);
            let slots = Rc::make_mut(&mut after.globals);
            for (var, _) in globals {
                let place = self.outline.slots[var];
                self.rename(terms, Some(before.globals[place]), &mut slots[place], (0, var), step);
            }
        }
        for (depth, frame) in after.frames.iter_mut().enumerate() {
            // Below the topmost activations of the two states, activations are the same.
            let earlier = before.frames.get(depth).filter(|earlier| earlier.call == frame.call);
            if earlier.is_some_and(|earlier| Rc::ptr_eq(&earlier.locals, &frame.locals)) {
                continue;
            }
            let slots = Rc::make_mut(&mut frame.locals);
            for var in &cfa.functions[frame.function].locals {
                let place = self.outline.slots[*var];
                let old = earlier.map(|earlier| earlier.locals[place]);
                self.rename(terms, old, &mut slots[place], (depth + 1, *var), step);
            }
        }
        let mut named = |terms: &mut Terms, term: TermId, what: Named| {
            let name = format!("memory@{}", terms.var_count());
            self.define(terms, name, term, what, step)
        };
        after.memory.name_changes(&before.memory, terms, &mut named);
    }

    fn rename(
        &mut self,
        terms: &mut Terms,
        old: Option<Slot>,
        slot: &mut Slot,
        (depth, var): (usize, Var),
        step: &mut Step,
    ) {
        if let Slot::Term(value) = *slot
            && old != Some(*slot)
        {
            let name = format!("{}@{}", terms.var_name(var), terms.var_count());
            let what = Named::Variable { depth, var };
            *slot = Slot::Term(self.define(terms, name, value, what, step));
        }
    }

    fn define(
        &mut self,
        terms: &mut Terms,
        name: String,
        value: TermId,
        what: Named,
        step: &mut Step,
    ) -> TermId {
        let symbol = terms.declare(name, terms.sort(value));
        step.definitions.push((symbol, value));
        step.names.push((symbol, what));
        self.definitions.insert(symbol, value);
        terms.var(symbol)
    }
}
