//! Symbolic states.

use std::rc::Rc;

use cfa::{EdgeId, FuncId, LocId};
use term::TermId;

use crate::guard::Guard;
use crate::ids::{ObjectIndex, Source};
use crate::memory::Memory;

/// The value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// Arbitrary; a symbol is made when the variable is first read.
    Open(Source),
    Term(TermId),
}

/// All executions that reach one place under a guard.
#[derive(Clone)]
pub struct State {
    /// Where control is.
    pub location: LocId,
    /// For which values of the symbols an execution is here.
    pub guard: Guard,
    pub(crate) globals: Rc<Vec<Slot>>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) memory: Memory,
    /// The place in the unrolled program; see [`State::place`].
    pub(crate) trail: Vec<u32>,
}

/// An activation of a function.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) function: FuncId,
    /// The edge of the call that began the activation; none for the first activation.
    pub(crate) call: Option<EdgeId>,
    pub(crate) locals: Rc<Vec<Slot>>,
    /// Where the part of the trail starts that belongs to this activation.
    pub(crate) start: usize,
    /// Objects that end with the activation.
    pub(crate) objects: Rc<Vec<ObjectIndex>>,
}

impl State {
    /// The place in the unrolled program: for each activation the path of its location in
    /// [`cfa::Order`], after each component the number of the round, then the edge of the call.
    ///
    /// Places are ordered as executions pass them, and states of one place can be merged.
    #[must_use]
    pub fn place(&self) -> &[u32] {
        &self.trail
    }

    /// How many activations there are of the function where control is.
    #[must_use]
    pub fn recursion(&self) -> usize {
        let function = self.frames.last().map(|frame| frame.function);
        self.frames.iter().filter(|frame| Some(frame.function) == function).count()
    }

    /// How many activations there are.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The calls that have not returned, the first one first.
    #[must_use]
    pub fn calls(&self) -> Vec<EdgeId> {
        self.frames.iter().filter_map(|frame| frame.call).collect()
    }

    /// Whether control is at the head of a loop.
    #[must_use]
    pub fn at_head(&self) -> bool {
        let start = self.frames.last().map_or(0, |frame| frame.start);
        self.trail.len() - start > 2 && self.trail.last() == Some(&0)
    }

    /// The place of the innermost loop that control is in: what the places in it start with,
    /// followed by the number of the round.
    #[must_use]
    pub fn innermost(&self) -> &[u32] {
        &self.trail[..self.trail.len().saturating_sub(2)]
    }

    /// How often the activation has gone round the innermost loop that the location is in.
    #[must_use]
    pub fn round(&self) -> u32 {
        let start = self.frames.last().map_or(0, |frame| frame.start);
        cfa::round(&self.trail, start)
    }
}
