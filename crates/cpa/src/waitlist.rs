//! Which open node is expanded next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use base::IndexVec;
use cfa::{Cfa, LocId, Order, Reach};

use run::NodeId;

/// The order in which nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traversal {
    /// The newest node first.
    #[default]
    Dfs,
    /// The oldest node first.
    Bfs,
    /// Callees before their callers, and within a function what comes first in the order of
    /// control flow: everything that can lead to a location is done before the location, so that
    /// the states there meet.
    ReversePostOrder,
    /// The node that is nearest to an error first.
    ErrorDistance,
}

/// Nodes under more calls wait at first.
const FIRST_DEPTH: u32 = 24;

/// The depth of the call stack, the rank of the location, the age, and the node.
type Ranked = (Reverse<u32>, u32, u64, NodeId);

/// The open nodes.
pub struct Waitlist {
    traversal: Traversal,
    /// A number for each location: the smaller, the sooner.
    rank: IndexVec<LocId, u32>,
    queue: VecDeque<NodeId>,
    /// Nodes under more calls than `depth`, which wait until nothing else is left: a recursion
    /// that does not end must not keep everything else from being looked at.
    deferred: Vec<(NodeId, u32)>,
    depth: u32,
    heap: BinaryHeap<Reverse<Ranked>>,
    /// How many nodes were added: of nodes with the same rank the older is first.
    pushed: u64,
}

impl Waitlist {
    /// Without nodes.
    #[must_use]
    pub fn new(cfa: &Cfa, reach: &Reach, traversal: Traversal) -> Self {
        let rank = match traversal {
            Traversal::Dfs | Traversal::Bfs => IndexVec::new(),
            Traversal::ReversePostOrder => {
                let order = Order::of(cfa);
                let mut locations: Vec<LocId> = cfa.locations.ids().collect();
                locations.sort_by_key(|location| order.path(*location));
                let mut rank = IndexVec::filled(0, cfa.locations.len());
                for (place, location) in (0..).zip(locations) {
                    rank[location] = place;
                }
                rank
            }
            Traversal::ErrorDistance => {
                cfa.locations.ids().map(|at| reach.distance(at).unwrap_or(u32::MAX)).collect()
            }
        };
        Self {
            traversal,
            rank,
            queue: VecDeque::new(),
            deferred: Vec::new(),
            depth: FIRST_DEPTH,
            heap: BinaryHeap::new(),
            pushed: 0,
        }
    }

    /// Adds a node at a location under this number of calls.
    pub fn push(&mut self, node: NodeId, location: LocId, depth: u32) {
        self.pushed += 1;
        match self.traversal {
            _ if depth > self.depth => self.deferred.push((node, depth)),
            Traversal::Dfs | Traversal::Bfs => self.queue.push_back(node),
            Traversal::ReversePostOrder => {
                let key = (Reverse(depth), self.rank[location], self.pushed, node);
                self.heap.push(Reverse(key));
            }
            Traversal::ErrorDistance => {
                let key = (Reverse(0), self.rank[location], self.pushed, node);
                self.heap.push(Reverse(key));
            }
        }
    }

    /// Takes the next node. The node may have been cut off or covered since it was added.
    pub fn pop(&mut self) -> Option<NodeId> {
        let next = self.pop_near();
        if next.is_some() || self.deferred.is_empty() {
            return next;
        }
        // Nothing is lost: of the nodes that wait, those under fewer calls are next, and the others wait again.
        self.depth = self.depth.saturating_mul(2);
        let (near, far) = std::mem::take(&mut self.deferred)
            .into_iter()
            .partition(|(_, depth)| *depth <= self.depth);
        self.deferred = far;
        let near: Vec<(NodeId, u32)> = near;
        self.queue.extend(near.into_iter().map(|(node, _)| node));
        self.pop()
    }

    /// All nodes that wait, in no particular order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ranked = self.heap.iter().map(|Reverse((_, _, _, node))| *node);
        let deferred = self.deferred.iter().map(|(node, _)| *node);
        self.queue.iter().copied().chain(ranked).chain(deferred)
    }

    fn pop_near(&mut self) -> Option<NodeId> {
        match self.traversal {
            Traversal::Dfs => self.queue.pop_back(),
            Traversal::Bfs => self.queue.pop_front(),
            Traversal::ReversePostOrder | Traversal::ErrorDistance => {
                let ranked = self.heap.pop().map(|Reverse((_, _, _, node))| node);
                ranked.or_else(|| self.queue.pop_front())
            }
        }
    }
}
