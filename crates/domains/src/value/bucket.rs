//! The states of one place, by what they know and then by its values.

use cpa::NodeId;
use rustc_hash::FxHashMap;

use crate::value::state::State;
use crate::value::tree::{Forest, Tree};

/// States grouped by their shapes. A state is covered by one that knows less: of all states with
/// a shape, only the one that has the same values there can be it.
#[derive(Default)]
pub struct Shapes {
    groups: Vec<(Tree, FxHashMap<State, NodeId>)>,
}

impl Shapes {
    pub(crate) fn insert(&mut self, forest: &mut Forest, state: State, node: NodeId) {
        let shape = forest.shape(state);
        let at = self.groups.iter().position(|(known, _)| *known == shape);
        let at = at.unwrap_or_else(|| {
            self.groups.push((shape, FxHashMap::default()));
            self.groups.len() - 1
        });
        // Of equal states one is enough.
        self.groups[at].1.entry(state).or_insert(node);
    }

    pub(crate) fn remove(&mut self, forest: &mut Forest, state: State, node: NodeId) {
        let shape = forest.shape(state);
        let Some(at) = self.groups.iter().position(|(known, _)| *known == shape) else { return };
        let group = &mut self.groups[at].1;
        if group.get(&state) == Some(&node) {
            group.remove(&state);
        }
        if group.is_empty() {
            self.groups.swap_remove(at);
        }
    }

    pub(crate) fn cover(&self, forest: &mut Forest, state: State) -> Option<NodeId> {
        let shape = forest.shape(state);
        self.groups.iter().find_map(|(known, group)| {
            if *known == shape {
                return group.get(&state).copied();
            }
            if !forest.leq(shape, *known) {
                return None;
            }
            let part = forest.project(state, *known)?;
            group.get(&part).copied()
        })
    }
}
