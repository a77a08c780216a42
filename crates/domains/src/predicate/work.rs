//! States in the middle of a block: what is known since the last abstraction.

use std::rc::Rc;

use cpa::StackId;
use term::TermId;

use crate::predicate::block::Point;
use crate::predicate::values::Values;

/// Executions that have got from the start of a block to a point in it.
#[derive(Clone)]
pub(crate) struct Work {
    pub(crate) stack: StackId,
    pub(crate) low: u32,
    pub(crate) values: Rc<Values>,
    /// What must hold for the steps that were taken, over the values at the start.
    pub(crate) conditions: Vec<TermId>,
    /// Which edge is taken where several can be, over symbols for the choice.
    pub(crate) choices: Vec<TermId>,
}

impl Work {
    pub(crate) fn at(point: &Point) -> Self {
        Self {
            stack: point.stack,
            low: point.low,
            values: Rc::clone(&point.values),
            conditions: Vec::new(),
            choices: Vec::new(),
        }
    }
}
