//! What was computed before. A block is explored again after every refinement, and what executions
//! do in it does not depend on what is known at its start.

use std::rc::Rc;

use cpa::{StackId, Step};
use rustc_hash::FxHashMap;
use symbolic::Guard;
use term::TermId;

use crate::predicate::block::{Point, Values};

/// The values of a point, by the place where they are kept: the memo keeps them, so that no other
/// values come there.
pub(crate) type Kept = usize;

/// All that matters of a point to what comes after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    guard: Guard,
    values: Kept,
    stack: StackId,
    low: u32,
}

impl Key {
    pub(crate) fn of(point: &Point) -> Self {
        let values = Rc::as_ptr(&point.values) as Kept;
        Self { guard: point.guard, values, stack: point.stack, low: point.low }
    }
}

/// What a step leads to.
#[derive(Clone)]
pub(crate) struct Advanced {
    pub(crate) guard: Guard,
    pub(crate) values: Rc<Values>,
    pub(crate) stack: StackId,
    pub(crate) low: u32,
    pub(crate) unsupported: Option<String>,
}

/// What was computed before.
#[derive(Default)]
pub(crate) struct Memo {
    /// The values at the start of every block: none has changed.
    pub(crate) unchanged: Rc<Values>,
    pub(crate) steps: FxHashMap<(Key, Step, StackId), Option<Advanced>>,
    pub(crate) merged: FxHashMap<(Key, Key), (Guard, Rc<Values>)>,
    pub(crate) after: FxHashMap<(Kept, StackId, u32, TermId), TermId>,
}
