//! What facts rest on: earlier facts by their places in the trail, and equalities.

use super::graph::Node;

/// A place in the trail.
pub(super) type EventId = u32;

/// No event: the fact holds of every value of a term, or is about a constant.
pub(super) const NONE: EventId = EventId::MAX;

/// What a fact rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    Event(EventId),
    /// The two terms are equal, by the equalities of the outermost level.
    Equal(Node, Node),
}
