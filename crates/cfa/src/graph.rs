//! Plain graphs over numbers, and depth-first search: what the analyses of structure share.
//!
//! Nothing here recurses, since functions may have many thousands of locations in a row.

use base::Id as _;

use crate::{Cfa, LocId};

/// Stands for "no node" where a table holds nodes.
pub(crate) const NONE: u32 = u32::MAX;

/// The neighbours of every node, in one allocation.
pub(crate) struct Graph {
    /// Where the neighbours of each node start in `items`; one entry more than there are nodes.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Graph {
    /// The graph of `edges`, each from its first node to its second. The neighbours of a node
    /// come in the order of the edges.
    pub(crate) fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)>) -> Self {
        let edges: Vec<(u32, u32)> = edges.collect();
        let mut first = vec![0_u32; nodes + 1];
        for (from, _) in &edges {
            first[*from as usize + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut items = vec![0; first[nodes] as usize];
        for (from, to) in edges {
            let slot = &mut next[from as usize];
            items[*slot as usize] = to;
            *slot += 1;
        }
        Self { first, items }
    }

    /// The neighbours of a node.
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.items[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// The ids of locations as nodes of a graph.
pub(crate) fn node(location: LocId) -> u32 {
    // Ids are `u32` inside, so nothing is cut off.
    location.index() as u32
}

/// The location that a node stands for.
pub(crate) fn location(node: u32) -> LocId {
    LocId::from_index(node as usize)
}

/// A depth-first spanning forest of the locations of all functions: first the entries are
/// searched, in the order of the functions, then whatever is left.
///
/// Nodes are named by their preorder numbers, so that the descendants of `p` are `p..=last[p]`.
pub(crate) struct Forest {
    /// The location of each preorder number.
    pub(crate) order: Vec<LocId>,
    /// The preorder number of each location.
    pub(crate) number: Vec<u32>,
    /// The parent in the tree; `NONE` for a root.
    pub(crate) parent: Vec<u32>,
    /// The last descendant.
    pub(crate) last: Vec<u32>,
    /// The root of the tree that the node is in.
    pub(crate) root: Vec<u32>,
    /// For each node `p` the edges whose two ends have `p` as their lowest common ancestor, as
    /// (source, target), with those left out that start at `p`, return to an ancestor, or lead
    /// to another tree.
    pub(crate) crossing: Vec<Vec<(u32, u32)>>,
}

impl Forest {
    pub(crate) fn of(cfa: &Cfa) -> Self {
        let count = cfa.locations.len();
        let mut forest = Self {
            order: Vec::with_capacity(count),
            number: vec![NONE; count],
            parent: Vec::with_capacity(count),
            last: vec![0; count],
            root: Vec::with_capacity(count),
            crossing: vec![Vec::new(); count],
        };
        // While a node is active it stands for itself; when it is finished, for its parent. So
        // the representative of a finished node is its lowest active ancestor, which is the
        // lowest common ancestor of it and of the node where the search is.
        let mut active = Sets::new(count);
        let mut stack: Vec<(u32, usize)> = Vec::new();
        let entries = cfa.functions.iter().map(|function| function.entry);
        for start in entries.chain(cfa.locations.ids()) {
            if forest.number[start.index()] != NONE {
                continue;
            }
            let root = forest.enter(start, NONE, NONE);
            stack.push((root, 0));
            while let Some((here, next)) = stack.last_mut() {
                let here = *here;
                let leaving = &cfa.locations[forest.order[here as usize]].edges;
                let Some(edge) = leaving.get(*next) else {
                    stack.pop();
                    forest.last[here as usize] = forest.order.len() as u32 - 1;
                    let parent = forest.parent[here as usize];
                    if parent != NONE {
                        active.join(here, parent);
                    }
                    continue;
                };
                *next += 1;
                let target = cfa.edges[*edge].target;
                let there = forest.number[target.index()];
                if there == NONE {
                    let child = forest.enter(target, here, root);
                    stack.push((child, 0));
                } else if forest.root[there as usize] == root {
                    let common = active.find(there);
                    // An active target is its own representative: the edge returns to it.
                    if common != there && common != here {
                        forest.crossing[common as usize].push((here, there));
                    }
                }
            }
        }
        forest
    }

    fn enter(&mut self, location: LocId, parent: u32, root: u32) -> u32 {
        let number = self.order.len() as u32;
        self.number[location.index()] = number;
        self.order.push(location);
        self.parent.push(parent);
        self.root.push(if root == NONE { number } else { root });
        number
    }

    /// Whether `above` is `below` or one of its ancestors.
    pub(crate) fn is_ancestor(&self, above: u32, below: u32) -> bool {
        above <= below && below <= self.last[above as usize]
    }
}

/// Disjoint sets of nodes, each with a representative that the caller chooses.
pub(crate) struct Sets {
    above: Vec<u32>,
}

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Self { above: (0..count as u32).collect() }
    }

    /// The representative of a node.
    pub(crate) fn find(&mut self, node: u32) -> u32 {
        let mut top = node;
        while self.above[top as usize] != top {
            top = self.above[top as usize];
        }
        let mut node = node;
        while self.above[node as usize] != top {
            node = std::mem::replace(&mut self.above[node as usize], top);
        }
        top
    }

    /// Puts the set that `node` represents into the set of `into`.
    pub(crate) fn join(&mut self, node: u32, into: u32) {
        self.above[node as usize] = into;
    }
}

/// The strongly connected components of a graph, each before those that it can be reached from
/// (callees before callers, if edges lead to callees). Tarjan 1972, without recursion.
pub(crate) fn components(nodes: usize, graph: &Graph) -> Vec<Vec<u32>> {
    let mut number = vec![NONE; nodes];
    let mut low = vec![0_u32; nodes];
    let mut on_stack = vec![false; nodes];
    let (mut open, mut calls) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    let mut counter = 0;
    for start in 0..nodes as u32 {
        if number[start as usize] != NONE {
            continue;
        }
        calls.push((start, 0));
        while let Some((here, next)) = calls.last_mut() {
            let (here, at) = (*here as usize, *next);
            *next += 1;
            if at == 0 {
                number[here] = counter;
                low[here] = counter;
                counter += 1;
                open.push(here as u32);
                on_stack[here] = true;
            }
            if let Some(&to) = graph.of(here as u32).get(at) {
                if number[to as usize] == NONE {
                    calls.push((to, 0));
                } else if on_stack[to as usize] {
                    low[here] = low[here].min(number[to as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller as usize] = low[*caller as usize].min(low[here]);
            }
            if low[here] == number[here] {
                let from = open.iter().rposition(|open| *open == here as u32).unwrap_or(0);
                let mut component = open.split_off(from);
                component.iter().for_each(|node| on_stack[*node as usize] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}
