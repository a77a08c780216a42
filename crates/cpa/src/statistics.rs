//! What happens during a run, one event after the other, and the sums of it.

use crate::arg::NodeId;

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A node was added.
    Added(NodeId),
    /// All successors of a node were computed.
    Expanded(NodeId),
    /// The first node is covered by the second.
    Covered(NodeId, NodeId),
    /// The state of a node was replaced by a merged one.
    Merged(NodeId),
    /// A target was reached.
    Target(NodeId),
    /// The precision was refined.
    Refined,
    /// So many nodes were cut off.
    Removed(usize),
}

/// Whoever looks on.
pub trait Observer {
    /// Told of every event.
    fn on(&mut self, event: Event);
}

/// Sums of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Nodes that were added, the root included.
    pub added: u64,
    /// Nodes whose successors were computed.
    pub expanded: u64,
    /// Nodes that were found covered.
    pub covered: u64,
    /// Nodes whose states were merged with new ones.
    pub merged: u64,
    /// Targets that were reached.
    pub targets: u64,
    /// Refinements of the precision.
    pub refinements: u64,
    /// Nodes that were cut off.
    pub removed: u64,
}

impl Statistics {
    /// Counts an event.
    pub fn count(&mut self, event: Event) {
        match event {
            Event::Added(_) => self.added += 1,
            Event::Expanded(_) => self.expanded += 1,
            Event::Covered(..) => self.covered += 1,
            Event::Merged(_) => self.merged += 1,
            Event::Target(_) => self.targets += 1,
            Event::Refined => self.refinements += 1,
            Event::Removed(nodes) => self.removed += nodes as u64,
        }
    }
}

impl Observer for Statistics {
    fn on(&mut self, event: Event) {
        self.count(event);
    }
}
