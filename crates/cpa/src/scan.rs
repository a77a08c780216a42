//! The search for a state that covers another one, state by state: for domains that have no index of their states.

use run::NodeId;

/// States in the order in which they came.
pub struct Scan<S> {
    entries: Vec<(S, NodeId)>,
}

impl<S> Default for Scan<S> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<S: Clone> Scan<S> {
    /// Adds a state.
    pub fn insert(&mut self, state: &S, node: NodeId) {
        self.entries.push((state.clone(), node));
    }

    /// Removes the state of a node.
    pub fn remove(&mut self, node: NodeId) {
        self.entries.retain(|(_, entry)| *entry != node);
    }

    /// The states with their nodes.
    pub fn iter(&self) -> impl Iterator<Item = &(S, NodeId)> {
        self.entries.iter()
    }
}
