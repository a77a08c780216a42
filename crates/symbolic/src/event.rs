//! Events of executions, with the guards under which they happen.

use cfa::{Choice, EdgeId, LocId};
use term::TermId;

use crate::guard::Guard;
use crate::ids::{ObjectIndex, Source};

/// Something that happens at one place of the unrolled program.
#[derive(Clone, Debug)]
pub struct Event {
    /// The place where it happens; places are ordered as executions pass them.
    pub place: Box<[u32]>,
    /// The number of the operation on its edge.
    pub op: u32,
    /// The condition under which it happens.
    pub guard: Guard,
    /// The event itself.
    pub what: Happening,
}

/// The kinds of events.
#[derive(Clone, Debug)]
pub enum Happening {
    /// An error location is reached.
    Error(LocId),
    /// Something that the terms do not express; it is not known what comes after it.
    Unsupported {
        /// The construct.
        reason: String,
        /// The edge on which the construct is, if it is on an edge.
        edge: Option<EdgeId>,
    },
    /// A value is chosen.
    Input {
        /// The edge on which the value is chosen.
        edge: EdgeId,
        /// The symbol for the value.
        symbol: TermId,
        /// Who chooses the value.
        choice: Choice,
    },
    /// Bytes of memory are chosen.
    Bytes {
        /// The edge on which the bytes are chosen.
        edge: EdgeId,
        /// The address of the first byte.
        address: TermId,
        /// The symbols for the bytes.
        symbols: Vec<TermId>,
    },
    /// One of several edges is chosen.
    Edge(EdgeId),
    /// An activation starts; its variables are open with this source.
    Call(Source),
    /// An object begins.
    Object(ObjectIndex),
}

/// The events of one execution, in order.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// The events.
    pub events: Vec<Event>,
}
