//! Loops and how they nest.

use base::{Id as _, IndexVec};

use crate::graph::{Forest, NONE, Sets};
use crate::{Cfa, Dominators, EdgeId, LocId};

base::define_id!(
    /// A loop.
    pub struct LoopId, "loop"
);

/// The loops of all functions. Every cycle of locations within a function passes a loop head.
///
/// Reducible loops are the natural loops, one for each head. Where control can jump into the
/// middle of a cycle, the loops are those of Havlak 1997: what belongs to them depends on the
/// order of the edges, and their heads do not dominate them.
pub struct Loops {
    /// The loops: function after function, an outer loop before the loops in it.
    pub loops: IndexVec<LoopId, Loop>,
    innermost: IndexVec<LocId, Option<LoopId>>,
    /// Each location that is in a loop, such that the locations of a loop, with those of the
    /// loops in it, are next to each other.
    bodies: Vec<LocId>,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where the loop starts. A location is the head of one loop at most.
    pub head: LocId,
    /// The innermost loop around this loop.
    pub parent: Option<LoopId>,
    /// How many loops are around this loop: zero for an outermost loop.
    pub depth: u32,
    /// The edges that return to the head, in order.
    pub back_edges: Vec<EdgeId>,
    /// Whether the head dominates the whole loop, so that there is no other way in.
    pub reducible: bool,
    /// The range of `Loops::bodies` that has the locations of this loop.
    body: (u32, u32),
}

impl Loops {
    /// Finds the loops.
    #[must_use]
    pub fn of(cfa: &Cfa) -> Self {
        let forest = Forest::of(cfa);
        let dominators = Dominators::in_forest(cfa, &forest);
        let returning = returning_edges(cfa, &forest);
        let header = headers(cfa, &forest, &returning);
        let mut result = Self {
            loops: IndexVec::new(),
            innermost: IndexVec::filled(None, cfa.locations.len()),
            bodies: Vec::new(),
        };
        // A header comes before its members in preorder, so parents come first.
        for (number, back_edges) in returning.into_iter().enumerate() {
            let here = forest.order[number];
            let around = header[number];
            let parent =
                if around == NONE { None } else { result.innermost[forest.order[around as usize]] };
            if back_edges.is_empty() {
                result.innermost[here] = parent;
                continue;
            }
            let depth = parent.map_or(0, |parent| result.loops[parent].depth + 1);
            let dominated = |edge: &EdgeId| dominators.dominates(here, cfa.edges[*edge].source);
            let reducible = back_edges.iter().all(dominated);
            let looped = Loop { head: here, parent, depth, back_edges, reducible, body: (0, 0) };
            result.innermost[here] = Some(result.loops.push(looped));
        }
        result.lay_out_bodies();
        result
    }

    /// Gives each loop a range of `bodies`: the head, its other own locations, the inner loops.
    fn lay_out_bodies(&mut self) {
        let mut size = vec![0_u32; self.loops.len()];
        for innermost in self.innermost.iter().flatten() {
            size[innermost.index()] += 1;
        }
        let own = size.clone();
        for (id, looped) in self.loops.entries().rev() {
            if let Some(parent) = looped.parent {
                size[parent.index()] += size[id.index()];
            }
        }
        // Where the next inner loop of each loop starts, and the next location of its own.
        let (mut inner, mut next) = (vec![0_u32; size.len()], vec![0_u32; size.len()]);
        let mut total = 0;
        for id in self.loops.ids() {
            let slot = match self.loops[id].parent {
                Some(parent) => &mut inner[parent.index()],
                None => &mut total,
            };
            let start = *slot;
            *slot += size[id.index()];
            inner[id.index()] = start + own[id.index()];
            next[id.index()] = start + 1;
            self.loops[id].body = (start, start + size[id.index()]);
        }
        self.bodies = vec![LocId::from_index(0); total as usize];
        for (location, innermost) in self.innermost.entries() {
            let Some(id) = *innermost else { continue };
            let looped = &self.loops[id];
            if location == looped.head {
                self.bodies[looped.body.0 as usize] = location;
            } else {
                let slot = &mut next[id.index()];
                self.bodies[*slot as usize] = location;
                *slot += 1;
            }
        }
    }

    /// Whether a location is the head of a loop.
    #[must_use]
    pub fn head(&self, location: LocId) -> bool {
        self.headed(location).is_some()
    }

    /// The loop that a location is the head of.
    #[must_use]
    pub fn headed(&self, location: LocId) -> Option<LoopId> {
        self.innermost[location].filter(|id| self.loops[*id].head == location)
    }

    /// The smallest loop that a location is in. A head is in its own loop.
    #[must_use]
    pub fn innermost(&self, location: LocId) -> Option<LoopId> {
        self.innermost[location]
    }

    /// The locations of a loop with those of the loops in it: the head first, then its other own
    /// locations in order, then one inner loop after the other in the same way.
    #[must_use]
    pub fn body(&self, id: LoopId) -> &[LocId] {
        let (start, end) = self.loops[id].body;
        &self.bodies[start as usize..end as usize]
    }

    /// Whether a location is in a loop or in one of the loops in it.
    #[must_use]
    pub fn contains(&self, id: LoopId, location: LocId) -> bool {
        self.innermost[location].is_some_and(|inner| self.encloses(id, inner))
    }

    /// Whether a loop is another one or is around it.
    #[must_use]
    pub fn encloses(&self, outer: LoopId, inner: LoopId) -> bool {
        let (start, end) = self.loops[outer].body;
        (start..end).contains(&self.loops[inner].body.0)
    }

    /// The edges that leave a loop, in the order of its body.
    #[must_use]
    pub fn exits(&self, cfa: &Cfa, id: LoopId) -> Vec<EdgeId> {
        let edges = self.body(id).iter().flat_map(|location| &cfa.locations[*location].edges);
        edges.copied().filter(|edge| !self.contains(id, cfa.edges[*edge].target)).collect()
    }

    /// The edges that enter a loop from outside, in order. They lead to its head if it is
    /// reducible and the function's entry reaches it.
    #[must_use]
    pub fn entries(&self, cfa: &Cfa, id: LoopId) -> Vec<EdgeId> {
        let enters = |from, to| self.contains(id, to) && !self.contains(id, from);
        let edges = cfa.edges.entries().filter(|(_, edge)| enters(edge.source, edge.target));
        edges.map(|(id, _)| id).collect()
    }
}

/// For each node, by preorder number, the edges that return to it from itself or a descendant.
fn returning_edges(cfa: &Cfa, forest: &Forest) -> Vec<Vec<EdgeId>> {
    let mut returning = vec![Vec::new(); forest.order.len()];
    for (id, edge) in cfa.edges.entries() {
        let target = forest.number[edge.target.index()];
        if forest.is_ancestor(target, forest.number[edge.source.index()]) {
            returning[target as usize].push(id);
        }
    }
    returning
}

/// For each node the head of the smallest loop around it; for a head, the head of the next loop around its own loop.
///
/// Havlak 1997 with the change of Ramalingam 1999, which keeps it almost linear: an edge that is
/// not in the tree counts from the lowest common ancestor of its ends on.
fn headers(cfa: &Cfa, forest: &Forest, returning: &[Vec<EdgeId>]) -> Vec<u32> {
    let count = forest.order.len();
    let number = |location: LocId| forest.number[location.index()];
    let mut header = vec![NONE; count];
    let mut collapsed = Sets::new(count);
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut work = Vec::new();
    let mut body = Vec::new();
    // Inner loops have heads with greater numbers; they are single nodes when an outer loop is
    // collected.
    for w in (0..count as u32).rev() {
        for edge in &cfa.locations[forest.order[w as usize]].edges {
            let target = number(cfa.edges[*edge].target);
            if target > w && forest.is_ancestor(w, target) {
                predecessors[collapsed.find(target) as usize].push(w);
            }
        }
        for (source, target) in &forest.crossing[w as usize] {
            predecessors[collapsed.find(*target) as usize].push(*source);
        }
        for edge in &returning[w as usize] {
            work.push(number(cfa.edges[*edge].source));
        }
        while let Some(node) = work.pop() {
            let node = collapsed.find(node);
            if node == w || header[node as usize] != NONE {
                continue;
            }
            header[node as usize] = w;
            body.push(node);
            work.extend_from_slice(&predecessors[node as usize]);
        }
        for node in body.drain(..) {
            collapsed.join(node, w);
        }
    }
    header
}
