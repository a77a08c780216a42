//! Watching a run.

use cfa::{EdgeId, FuncId, LocId, ObjectId};
use term::{Value, Var};

use crate::inputs::{Holder, Origin};

/// Is told of every edge that a run takes.
pub trait Observer {
    /// An object that exists from the start was placed; this comes before all else.
    fn placed(&mut self, _object: ObjectId, _address: u64) {}

    /// An edge was taken. That of a call is taken when the callee is entered.
    fn taken(&mut self, step: &Step<'_>);

    /// A function returned to the edge of its call.
    fn returned(&mut self, callee: FuncId, step: &Step<'_>);

    /// This number of rounds of the loop with this head was taken at once, by an activation at this depth. The next
    /// edge that is reported leaves the head, and its changes begin with the changes of the rounds.
    fn passed(&mut self, _head: LocId, _rounds: u64, _depth: usize) {}

    /// Whether the observer needs nothing of the rest of the run; then the run is stopped.
    fn is_done(&self) -> bool {
        false
    }
}

/// An edge that was taken, and what it did.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// How many edges were taken up to this one.
    pub number: u64,
    /// The edge.
    pub edge: EdgeId,
    /// How many activations there are besides the first.
    pub depth: usize,
    /// What changed, in order.
    pub changes: &'a [Change],
}

/// Something that an edge did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A value was chosen for something that had none.
    Drawn {
        /// What asked.
        origin: Origin,
        /// What holds the value.
        holder: Holder,
        /// The value.
        value: Value,
    },
    /// A variable was assigned; parameters and results of calls too.
    Assigned {
        /// The variable.
        var: Var,
        /// Its value; none if it is still open.
        value: Option<Value>,
    },
    /// A value was stored.
    Stored {
        /// Where.
        address: u64,
        /// The value.
        value: Value,
    },
    /// Bytes were copied.
    Copied {
        /// Where to.
        to: u64,
        /// Where from.
        from: u64,
        /// How many.
        length: u64,
    },
    /// Bytes were set.
    Filled {
        /// Where.
        address: u64,
        /// How many.
        length: u64,
        /// To what.
        byte: u8,
    },
    /// Bytes became arbitrary.
    Havocked {
        /// Where.
        address: u64,
        /// How many.
        length: u64,
    },
    /// An object began.
    Allocated {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u64,
    },
    /// An object ended.
    Freed {
        /// Where.
        address: u64,
    },
}

impl Change {
    /// The variable that has another value now, and its value; none if that is still open.
    #[must_use]
    pub const fn assigned(&self) -> Option<(Var, Option<&Value>)> {
        match self {
            Change::Assigned { var, value } => Some((*var, value.as_ref())),
            Change::Drawn { origin: Origin::Variable(var, _), value, .. } => {
                Some((*var, Some(value)))
            }
            _ => None,
        }
    }
}
