//! What facts rest on: earlier facts by their places in the trail, and equalities.

use super::graph::Node;

/// A place in the trail.
pub(super) type EventId = u32;

/// No event: what holds of every value of a term, or of a constant.
pub(super) const NONE: EventId = EventId::MAX;

/// What a fact rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    Event(EventId),
    /// Two terms are equal, by the equalities of the outermost level.
    Equal(Node, Node),
}
