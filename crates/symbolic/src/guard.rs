//! Conditions under which states are reached, as lists that share their beginnings.

use base::{Id as _, IndexVec};
use term::{TermId, Terms};

base::define_id!(
    /// A conjunction of conditions; each longer one extends a shorter one.
    pub struct Guard, "g"
);

/// All guards of an executor.
pub struct Guards {
    nodes: IndexVec<Guard, Node>,
}

struct Node {
    parent: Guard,
    condition: TermId,
    length: u32,
}

impl Guards {
    /// With one guard, which always holds.
    #[must_use]
    pub fn new(truth: TermId) -> Self {
        let mut nodes = IndexVec::new();
        nodes.push(Node { parent: Guard::from_index(0), condition: truth, length: 0 });
        Self { nodes }
    }

    /// The guard that always holds.
    #[must_use]
    pub fn always() -> Guard {
        Guard::from_index(0)
    }

    /// The guard with one more condition; `None` if that is clearly impossible.
    pub fn extend(&mut self, terms: &mut Terms, guard: Guard, condition: TermId) -> Option<Guard> {
        if terms.is_true(condition) {
            return Some(guard);
        }
        if terms.is_false(condition) {
            return None;
        }
        // What is asked again is usually asked soon.
        let opposite = terms.not(condition);
        let mut at = guard;
        for _ in 0..LOOK_BACK {
            let node = &self.nodes[at];
            if node.condition == condition {
                return Some(guard);
            }
            if node.condition == opposite {
                return None;
            }
            if node.length == 0 {
                break;
            }
            at = node.parent;
        }
        let length = self.nodes[guard].length + 1;
        Some(self.nodes.push(Node { parent: guard, condition, length }))
    }

    /// The longest guard that both extend.
    #[must_use]
    pub fn common(&self, mut a: Guard, mut b: Guard) -> Guard {
        while a != b {
            if self.nodes[a].length >= self.nodes[b].length {
                a = self.nodes[a].parent;
            } else {
                b = self.nodes[b].parent;
            }
        }
        a
    }

    /// The conditions that a guard has beyond a shorter one, the last first.
    #[must_use]
    pub fn beyond(&self, guard: Guard, shorter: Guard) -> Vec<TermId> {
        let mut conditions = Vec::new();
        let mut at = guard;
        while at != shorter {
            conditions.push(self.nodes[at].condition);
            at = self.nodes[at].parent;
        }
        conditions
    }

    /// For every guard whether it holds where `holds` tells the truth of conditions.
    pub(crate) fn valuate(&self, holds: &mut dyn FnMut(TermId) -> bool) -> IndexVec<Guard, bool> {
        let mut values: IndexVec<Guard, bool> = IndexVec::new();
        for node in &self.nodes {
            let parent = node.length == 0 || values[node.parent];
            values.push(parent && (node.length == 0 || holds(node.condition)));
        }
        values
    }
}

/// How many conditions back a repetition is looked for.
const LOOK_BACK: usize = 32;
