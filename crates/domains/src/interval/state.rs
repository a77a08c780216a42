//! States: maps from variables to ranges, for globals and for each activation.

use cfa::FuncId;
use smt::{Landmarks, Range};
use term::{Sort, Var};

use super::Intervals;
use crate::value::{Slot, Tree};

/// What is known of executions at one place. Equal states have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State(Tree);

/// A state that is being worked on: the parts that the function sees where control is.
#[derive(Clone, Copy)]
pub(super) struct Work {
    globals: Tree,
    locals: Tree,
    /// The variables of the callers.
    below: Tree,
    function: FuncId,
}

/// A variable of which a state knows something: its activation (zero for the one where control is, and for globals),
/// the variable, and the number of its range.
pub(super) type Known = (u32, Var, u32);

/// The number that is kept in place of a range where nothing is known.
const UNKNOWN: u32 = 0;

impl Intervals<'_> {
    pub(super) fn open(&self, state: State, function: FuncId) -> Work {
        let frames = self.forest.child(state.0, 1);
        Work {
            globals: self.forest.child(state.0, 0),
            locals: self.forest.child(frames, 0),
            below: self.forest.child(frames, 1),
            function,
        }
    }

    pub(super) fn close(&mut self, work: &Work) -> State {
        let frames = self.forest.node(&[work.locals, work.below]);
        State(self.forest.node(&[work.globals, frames]))
    }

    /// The state of a function that is called.
    pub(super) fn enter(&mut self, work: &Work, callee: FuncId) -> Work {
        let below = self.forest.node(&[work.locals, work.below]);
        Work { locals: Tree::EMPTY, below, function: callee, ..*work }
    }

    /// The state of the caller, whose function is given.
    pub(super) fn leave(&self, work: &Work, caller: FuncId) -> Work {
        Work {
            locals: self.forest.child(work.below, 0),
            below: self.forest.child(work.below, 1),
            function: caller,
            ..*work
        }
    }

    pub(super) fn forget_globals(&self, work: &mut Work) {
        work.globals = Tree::EMPTY;
    }

    /// The range of a variable, if anything is known of it.
    pub(super) fn range(&self, work: &Work, var: Var) -> Option<Range> {
        let number = match self.layout.slot(var) {
            Slot::Global(index) => self.forest.get(work.globals, self.layout.global_height, index),
            Slot::Local(index) => {
                self.forest.get(work.locals, self.layout.local_height(work.function), index)
            }
            Slot::Address(_) => UNKNOWN,
        };
        self.range_of(number).cloned()
    }

    /// The range with a number.
    pub(super) fn range_of(&self, number: u32) -> Option<&Range> {
        self.ranges.get(number.checked_sub(1)? as usize)
    }

    /// A variable gets a range; none says that nothing is known of it.
    pub(super) fn set(&mut self, work: &mut Work, var: Var, range: Option<Range>) {
        let sort = self.program.terms.var_sort(var);
        let number = range.map_or(UNKNOWN, |range| self.number(range, sort));
        match self.layout.slot(var) {
            Slot::Global(index) => {
                let height = self.layout.global_height;
                work.globals = self.forest.set(work.globals, height, index, number);
            }
            Slot::Local(index) => {
                let height = self.layout.local_height(work.function);
                work.locals = self.forest.set(work.locals, height, index, number);
            }
            // Nobody assigns a constant.
            Slot::Address(_) => {}
        }
    }

    fn number(&mut self, range: Range, sort: Sort) -> u32 {
        // Values of arrays may be large, and nobody has bounds for them.
        if range.says_nothing() || matches!(sort, Sort::Array(_)) {
            return UNKNOWN;
        }
        intern(&mut self.ranges, &mut self.numbers, range)
    }

    /// The least state that stands for all executions of two states.
    pub(super) fn join(&mut self, a: State, b: State) -> State {
        self.either(a, b, &|known, other| known.join(other))
    }

    /// A state that stands for all executions of `greater`: ends of ranges that differ in `known` and `greater` are
    /// moved further.
    pub(super) fn widen(&mut self, known: State, greater: State, by_landmarks: bool) -> State {
        let landmarks = std::mem::take(&mut self.landmarks);
        let none = Landmarks::default();
        let chosen = if by_landmarks { &landmarks } else { &none };
        let widened = self.either(known, greater, &|known, greater| known.widen(greater, chosen));
        self.landmarks = landmarks;
        widened
    }

    fn either(&mut self, a: State, b: State, of: &dyn Fn(&Range, &Range) -> Range) -> State {
        let (ranges, numbers) = (&mut self.ranges, &mut self.numbers);
        let mut either = |a: u32, b: u32| {
            let (one, other) = (&ranges[a as usize - 1], &ranges[b as usize - 1]);
            let range = of(one, other);
            if range.says_nothing() { UNKNOWN } else { intern(ranges, numbers, range) }
        };
        State(self.forest.join_with(a.0, b.0, &mut either))
    }

    /// The range of a variable that a function sees where control is, if anything is known of it.
    #[must_use]
    pub fn variable(&self, state: State, function: FuncId, var: Var) -> Option<Range> {
        self.range(&self.open(state, function), var)
    }

    /// Everything that is known in a state, given the active functions, the one where control is first: the activation,
    /// the variable, and the number of its range.
    pub(super) fn facts(&self, state: State, functions: &[FuncId]) -> Vec<Known> {
        let mut facts = Vec::new();
        let globals = self.forest.child(state.0, 0);
        self.forest.each(globals, self.layout.global_height, &mut |at, number| {
            facts.push((0, self.layout.globals[at as usize], number));
        });
        let mut frames = self.forest.child(state.0, 1);
        for (up, function) in (0..).zip(functions) {
            let locals = &self.program.cfa.functions[*function].locals;
            let height = self.layout.local_height(*function);
            self.forest.each(self.forest.child(frames, 0), height, &mut |at, number| {
                facts.push((up, locals[at as usize], number));
            });
            frames = self.forest.child(frames, 1);
        }
        facts
    }
}

fn intern(
    ranges: &mut Vec<Range>,
    numbers: &mut rustc_hash::FxHashMap<Range, u32>,
    range: Range,
) -> u32 {
    if let Some(number) = numbers.get(&range) {
        return *number;
    }
    ranges.push(range.clone());
    // Memory ends long before there are that many ranges.
    let number = u32::try_from(ranges.len()).unwrap_or(UNKNOWN);
    numbers.insert(range, number);
    number
}
