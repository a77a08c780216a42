//! States: what is known of variables and memory.

use cfa::FuncId;
use term::{Value, Var};

use crate::value::Values;
use crate::value::cell::Cell;
use crate::value::layout::Slot;
use crate::value::precision::Tracked;
use crate::value::tree::{Tree, UNKNOWN};

/// An abstract variable assignment: a tree of three trees, the globals, the activations and the
/// memory. An activation is a tree of two, its own variables and the activations below it.
pub type State = Tree;

/// A value, by its number among all that were met.
pub(crate) type ValueId = u32;

/// How many levels the map of memory has.
pub(crate) const MEMORY_HEIGHT: u32 = 6;

/// A state taken apart, for change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Work {
    pub(crate) globals: Tree,
    /// The variables of the activation where control is.
    pub(crate) locals: Tree,
    /// The activations below it.
    pub(crate) below: Tree,
    pub(crate) memory: Tree,
    pub(crate) function: FuncId,
    /// How many activations are below it.
    pub(crate) depth: u32,
}

/// What is learned contradicts what a state knows: no execution goes on.
pub(crate) struct Contradiction;

/// Whether a state could learn something.
pub(crate) type Learned = Result<(), Contradiction>;

/// Something that a state may know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Fact {
    /// The value of a global, by its index.
    Global(u32),
    /// The value of a local, by its index, of an activation: zero is the one where control is,
    /// one its caller.
    Local(u32, u32),
    /// An aspect of an object, by the index of this aspect.
    Memory(u32),
}

impl Values<'_> {
    pub(crate) fn open(&self, state: State, function: FuncId, depth: u32) -> Work {
        let frames = self.forest.child(state, 1);
        Work {
            globals: self.forest.child(state, 0),
            locals: self.forest.child(frames, 0),
            below: self.forest.child(frames, 1),
            memory: self.forest.child(state, 2),
            function,
            depth,
        }
    }

    pub(crate) fn close(&mut self, work: &Work) -> State {
        let frames = self.forest.node(&[work.locals, work.below]);
        self.forest.node(&[work.globals, frames, work.memory])
    }

    pub(crate) fn variable(&self, work: &Work, var: Var) -> Option<&Cell> {
        let id = match self.layout.slot(var) {
            Slot::Global(index) => self.forest.get(work.globals, self.layout.global_height, index),
            Slot::Local(index) => {
                self.forest.get(work.locals, self.layout.local_height(work.function), index)
            }
            Slot::Address(_) => UNKNOWN,
        };
        self.cells.get(id)
    }

    pub(crate) fn set_variable(&mut self, work: &mut Work, var: Var, id: u32) {
        match self.layout.slot(var) {
            Slot::Global(index) => {
                let height = self.layout.global_height;
                work.globals = self.forest.set(work.globals, height, index, id);
            }
            Slot::Local(index) => {
                let height = self.layout.local_height(work.function);
                work.locals = self.forest.set(work.locals, height, index, id);
            }
            // Nobody assigns a constant.
            Slot::Address(_) => {}
        }
    }

    /// Everything that a state knows, with the values, given the active functions, the one where
    /// control is first.
    pub(crate) fn facts(&self, state: State, functions: &[FuncId]) -> Vec<(Fact, u32)> {
        let mut facts = Vec::new();
        let globals = self.forest.child(state, 0);
        let height = self.layout.global_height;
        self.forest.each(globals, height, &mut |at, value| facts.push((Fact::Global(at), value)));
        let mut frames = self.forest.child(state, 1);
        for (up, function) in (0..).zip(functions) {
            if frames.is_empty() {
                break;
            }
            let height = self.layout.local_height(*function);
            self.forest.each(self.forest.child(frames, 0), height, &mut |at, value| {
                facts.push((Fact::Local(up, at), value));
            });
            frames = self.forest.child(frames, 1);
        }
        let memory = self.forest.child(state, 2);
        self.forest
            .each(memory, MEMORY_HEIGHT, &mut |at, value| facts.push((Fact::Memory(at), value)));
        facts
    }

    /// The values of variables that a state knows, given the active functions, the one where
    /// control is first. Of addresses in objects nothing is said.
    pub(crate) fn values_of(&self, state: State, functions: &[FuncId]) -> Vec<(Var, ValueId)> {
        let facts = self.facts(state, functions).into_iter();
        let value = |(fact, id): (Fact, u32)| {
            let is_value = matches!(self.cells.get(id), Some(Cell::Value(_)));
            match self.tracked(fact, functions) {
                Tracked::Variable(var) if is_value => Some((var, id)),
                _ => None,
            }
        };
        facts.filter_map(value).collect()
    }

    /// The values of variables that a state knows, given the active functions, the one where control is first. With
    /// each variable comes the number of its activation: zero where control is, and for globals.
    #[must_use]
    pub fn variables(&self, state: State, functions: &[FuncId]) -> Vec<(u32, Var, Value)> {
        let facts = self.facts(state, functions).into_iter();
        let value = |(fact, id): (Fact, u32)| {
            let Some(Cell::Value(value)) = self.cells.get(id) else { return None };
            let Tracked::Variable(var) = self.tracked(fact, functions) else { return None };
            let up = if let Fact::Local(up, _) = fact { up } else { 0 };
            Some((up, var, value.clone()))
        };
        facts.filter_map(value).collect()
    }

    /// Whether the first state stands for no more than the second: the order of the domain.
    #[must_use]
    pub fn leq(&self, a: State, b: State) -> bool {
        self.forest.leq(a, b) || self.forest.is_marked(b) && self.implies(a, b)
    }

    /// The state with one fact changed.
    pub(crate) fn with_fact(
        &mut self,
        state: State,
        functions: &[FuncId],
        fact: Fact,
        value: u32,
    ) -> State {
        let parts = [0, 1, 2].map(|part| self.forest.child(state, part));
        let [mut globals, mut frames, mut memory] = parts;
        match fact {
            Fact::Global(index) => {
                let height = self.layout.global_height;
                globals = self.forest.set(globals, height, index, value);
            }
            Fact::Memory(index) => {
                memory = self.forest.set(memory, MEMORY_HEIGHT, index, value);
            }
            Fact::Local(up, index) => {
                frames = self.with_local(frames, functions, up, index, value);
            }
        }
        self.forest.node(&[globals, frames, memory])
    }

    fn with_local(
        &mut self,
        frames: Tree,
        functions: &[FuncId],
        up: u32,
        index: u32,
        value: u32,
    ) -> Tree {
        let (mut locals, mut below) = (self.forest.child(frames, 0), self.forest.child(frames, 1));
        match up {
            0 => {
                let height = self.layout.local_height(functions[0]);
                locals = self.forest.set(locals, height, index, value);
            }
            _ => below = self.with_local(below, &functions[1..], up - 1, index, value),
        }
        self.forest.node(&[locals, below])
    }
}
