//! Edges between which a choice is to be made.

use cfa::EdgeId;

use crate::ending::Ending;
use crate::log::Log;
use crate::observe::Change;

/// An edge that can be taken.
pub(crate) enum Candidate {
    /// All assumptions of the edge hold; they are its first operations, and this is their number.
    Ready(EdgeId, u32),
    /// The edge has been taken on trial, and its effects undone.
    Tried(Box<Tried>),
}

impl Candidate {
    pub(crate) fn edge(&self) -> EdgeId {
        match self {
            Candidate::Ready(edge, _) => *edge,
            Candidate::Tried(tried) => tried.edge,
        }
    }
}

/// An edge that has been executed and undone.
pub(crate) struct Tried {
    pub(crate) edge: EdgeId,
    pub(crate) log: Log,
    pub(crate) changes: Vec<Change>,
    pub(crate) ending: Option<Box<Ending>>,
}
