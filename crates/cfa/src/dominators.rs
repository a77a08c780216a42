//! Dominators: which locations every path to a location must pass.

use base::{Id as _, IndexVec};

use crate::graph::{Forest, Graph, NONE};
use crate::{Cfa, LocId};

/// The dominator trees of all functions. A location that the entry of its function does not
/// reach belongs to the tree of the first such location that reaches it.
pub struct Dominators {
    parent: IndexVec<LocId, Option<LocId>>,
    /// Place in a preorder of the dominator trees, and the place after the last descendant.
    range: IndexVec<LocId, (u32, u32)>,
}

impl Dominators {
    /// Computes the dominators of all locations.
    #[must_use]
    pub fn of(cfa: &Cfa) -> Self {
        Self::in_forest(cfa, &Forest::of(cfa))
    }

    // Lengauer & Tarjan 1979, the simple variant: O(m log n) however the graph looks. Nodes are
    // preorder numbers throughout.
    pub(crate) fn in_forest(cfa: &Cfa, forest: &Forest) -> Self {
        let count = forest.order.len();
        let number = |location: LocId| forest.number[location.index()];
        let reversed = cfa.edges.iter().map(|edge| (number(edge.target), number(edge.source)));
        let predecessors = Graph::new(count, reversed);
        let mut paths = Paths::new(count);
        let mut idom = vec![NONE; count];
        // The nodes with the same semidominator, as a linked list for each.
        let (mut bucket, mut rest) = (vec![NONE; count], vec![NONE; count]);
        for w in (0..count as u32).rev() {
            let parent = forest.parent[w as usize];
            if parent == NONE {
                continue;
            }
            for v in predecessors.of(w) {
                if forest.root[*v as usize] == forest.root[w as usize] {
                    let u = paths.least(*v);
                    paths.semi[w as usize] = paths.semi[w as usize].min(paths.semi[u as usize]);
                }
            }
            let semi = paths.semi[w as usize] as usize;
            rest[w as usize] = std::mem::replace(&mut bucket[semi], w);
            paths.above[w as usize] = parent;
            let mut v = std::mem::replace(&mut bucket[parent as usize], NONE);
            while v != NONE {
                let u = paths.least(v);
                let lower = paths.semi[u as usize] < paths.semi[v as usize];
                idom[v as usize] = if lower { u } else { parent };
                v = rest[v as usize];
            }
        }
        for w in 0..count {
            if idom[w] != NONE && idom[w] != paths.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
        }
        Self::from_parents(forest, &idom)
    }

    fn from_parents(forest: &Forest, idom: &[u32]) -> Self {
        let count = idom.len();
        let mut size = vec![1_u32; count];
        // A dominator has a smaller preorder number, so children come after their parents.
        for w in (0..count).rev() {
            if idom[w] != NONE {
                size[idom[w] as usize] += size[w];
            }
        }
        let mut parent = IndexVec::filled(None, count);
        let mut range = IndexVec::filled((0, 0), count);
        let mut cursor = vec![0_u32; count];
        let mut next_root = 0;
        for w in 0..count {
            let here = forest.order[w];
            let slot = match idom[w] {
                NONE => &mut next_root,
                above => {
                    parent[here] = Some(forest.order[above as usize]);
                    &mut cursor[above as usize]
                }
            };
            let first = *slot;
            *slot += size[w];
            cursor[w] = first + 1;
            range[here] = (first, first + size[w]);
        }
        Self { parent, range }
    }

    /// The closest location, other than itself, that dominates a location.
    #[must_use]
    pub fn parent(&self, location: LocId) -> Option<LocId> {
        self.parent[location]
    }

    /// Whether every path from the entry to `below` passes `above`. A location dominates itself.
    #[must_use]
    pub fn dominates(&self, above: LocId, below: LocId) -> bool {
        let (first, end) = self.range[above];
        (first..end).contains(&self.range[below].0)
    }
}

/// The forest that Lengauer and Tarjan link together while they go up, with compressed paths.
struct Paths {
    /// The parent, compressed; `NONE` for a node that is not linked yet.
    above: Vec<u32>,
    /// The node with the least semidominator on the compressed path.
    label: Vec<u32>,
    semi: Vec<u32>,
    /// Kept between calls so that its memory is used again.
    path: Vec<u32>,
}

impl Paths {
    fn new(count: usize) -> Self {
        let same: Vec<u32> = (0..count as u32).collect();
        Self { above: vec![NONE; count], label: same.clone(), semi: same, path: Vec::new() }
    }

    /// The node with the least semidominator on the path from the root of the linked tree,
    /// which is left out, down to `v`.
    fn least(&mut self, v: u32) -> u32 {
        if self.above[v as usize] == NONE {
            return v;
        }
        let mut here = v;
        while self.above[self.above[here as usize] as usize] != NONE {
            self.path.push(here);
            here = self.above[here as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.above[below as usize];
            let (upper, lower) = (self.label[above as usize], self.label[below as usize]);
            if self.semi[upper as usize] < self.semi[lower as usize] {
                self.label[below as usize] = upper;
            }
            self.above[below as usize] = self.above[above as usize];
        }
        self.label[v as usize]
    }
}
