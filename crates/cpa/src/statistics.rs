//! Sums of what happens during an exploration.

use std::cell::Cell;

use run::{Event, Graph, Observer};

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
            Event::Removed(_) => self.removed += 1,
            // Events of engines without a graph.
            Event::Stage(_)
            | Event::Unrolling(_)
            | Event::Unrolled(_)
            | Event::Inducting(_)
            | Event::Proved(_)
            | Event::Fixpoint(_) => {}
        }
    }
}

/// Counts events, and hands them on to another observer.
pub struct Counter<'a> {
    sums: Cell<Statistics>,
    next: &'a dyn Observer,
}

impl<'a> Counter<'a> {
    /// A counter that has seen nothing yet.
    #[must_use]
    pub fn new(next: &'a dyn Observer) -> Self {
        Self { sums: Cell::default(), next }
    }

    /// The sums so far.
    #[must_use]
    pub fn sums(&self) -> Statistics {
        self.sums.get()
    }
}

impl Observer for Counter<'_> {
    fn on(&self, event: Event) {
        let mut sums = self.sums.get();
        sums.count(event);
        self.sums.set(sums);
        self.next.on(event);
    }

    fn wants_graph(&self) -> bool {
        self.next.wants_graph()
    }

    fn graph(&self, graph: Graph) {
        self.next.graph(graph);
    }
}
