//! Hash-consed trees: maps from numbers to values that share whatever they have in common.
//!
//! A tree is a node of sixteen children, which are nodes again or, in a leaf, values; zero is the
//! empty tree and the unknown value. Equal trees have equal ids, and a tree in which nothing is
//! known is the empty one, so that whole states can be compared and looked up by their ids.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash as _, Hasher as _};

/// A tree. Zero is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Tree(u32);

/// What a leaf holds for something that is not known.
pub const UNKNOWN: u32 = 0;

/// Values with this bit are marked. Every tree knows whether it has marked values.
pub const MARK: u32 = 1 << 31;

/// How many bits of an index each level of a tree takes.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

type Children = [u32; WIDTH];

/// All trees.
pub struct Forest {
    nodes: Vec<Children>,
    leaf: Vec<bool>,
    marked: Vec<bool>,
    index: HashTable<u32>,
}

impl Tree {
    /// The tree in which nothing is known.
    pub const EMPTY: Tree = Tree(0);

    /// Whether nothing is known in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

fn hash(children: &Children, leaf: bool) -> u64 {
    let mut hasher = FxHasher::default();
    children.hash(&mut hasher);
    leaf.hash(&mut hasher);
    hasher.finish()
}

/// How many levels of nodes a map with this number of entries needs.
#[must_use]
pub fn height(entries: usize) -> u32 {
    let mut height = 1;
    while entries > 1 << (BITS * height) {
        height += 1;
    }
    height
}

impl Default for Forest {
    fn default() -> Self {
        Self {
            nodes: vec![[0; WIDTH]],
            leaf: vec![false],
            marked: vec![false],
            index: HashTable::new(),
        }
    }
}

impl Forest {
    fn intern(&mut self, children: Children, leaf: bool) -> Tree {
        if children == [0; WIDTH] {
            return Tree::EMPTY;
        }
        let hash_of = hash(&children, leaf);
        let same =
            |id: &u32| self.nodes[*id as usize] == children && self.leaf[*id as usize] == leaf;
        if let Some(id) = self.index.find(hash_of, same) {
            return Tree(*id);
        }
        let marked = match leaf {
            true => children.iter().any(|value| value & MARK != 0),
            false => children.iter().any(|child| self.marked[*child as usize]),
        };
        // Memory ends long before there are that many nodes.
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(children);
        self.leaf.push(leaf);
        self.marked.push(marked);
        let (nodes, leaves) = (&self.nodes, &self.leaf);
        let rehash = |id: &u32| hash(&nodes[*id as usize], leaves[*id as usize]);
        self.index.insert_unique(hash_of, id, rehash);
        Tree(id)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The tree with these trees as its children.
    pub fn node(&mut self, children: &[Tree]) -> Tree {
        let mut all = [0; WIDTH];
        for (place, child) in all.iter_mut().zip(children) {
            *place = child.0;
        }
        self.intern(all, false)
    }

    /// The child of a tree with this number.
    #[must_use]
    pub fn child(&self, tree: Tree, which: usize) -> Tree {
        Tree(self.nodes[tree.0 as usize][which])
    }

    /// The value at an index of a map of some height.
    #[must_use]
    pub fn get(&self, tree: Tree, height: u32, index: u32) -> u32 {
        let mut at = tree.0;
        for level in (0..height).rev() {
            if at == 0 {
                return UNKNOWN;
            }
            at = self.nodes[at as usize][digit(index, level)];
        }
        at
    }

    /// The map with the value at an index changed.
    pub fn set(&mut self, tree: Tree, height: u32, index: u32, value: u32) -> Tree {
        let level = height - 1;
        let mut children = self.nodes[tree.0 as usize];
        let place = digit(index, level);
        let new =
            if level == 0 { value } else { self.set(Tree(children[place]), level, index, value).0 };
        if children[place] == new {
            return tree;
        }
        children[place] = new;
        self.intern(children, level == 0)
    }

    /// Calls `visit` with the index and the value of everything that is known, in order.
    pub fn each(&self, tree: Tree, height: u32, visit: &mut dyn FnMut(u32, u32)) {
        self.each_from(tree, height - 1, 0, visit);
    }

    fn each_from(&self, tree: Tree, level: u32, base: u32, visit: &mut dyn FnMut(u32, u32)) {
        if tree.is_empty() {
            return;
        }
        for (digit, child) in (0..).zip(self.nodes[tree.0 as usize]) {
            if child == 0 {
                continue;
            }
            let index = base | (digit << (BITS * level));
            match level {
                0 => visit(index, child),
                _ => self.each_from(Tree(child), level - 1, index, visit),
            }
        }
    }

    /// Whether a tree has marked values, be it a map or a tree of trees.
    #[must_use]
    pub fn is_marked(&self, tree: Tree) -> bool {
        self.marked[tree.0 as usize]
    }

    /// How many levels of nodes a map has; an empty one may have any number.
    #[must_use]
    pub(crate) fn height_of(&self, tree: Tree) -> Option<u32> {
        let (mut at, mut height) = (tree.0, 1);
        while at != 0 && !self.leaf[at as usize] {
            at = *self.nodes[at as usize].iter().find(|child| **child != 0)?;
            height += 1;
        }
        (at != 0).then_some(height)
    }

    /// Calls `visit` with the index of every marked value, in order.
    pub(crate) fn each_marked(&self, tree: Tree, height: u32, visit: &mut dyn FnMut(u32, u32)) {
        self.each_marked_from(tree, height - 1, 0, visit);
    }

    fn each_marked_from(&self, tree: Tree, level: u32, base: u32, visit: &mut dyn FnMut(u32, u32)) {
        if !self.is_marked(tree) {
            return;
        }
        for (digit, child) in (0..).zip(self.nodes[tree.0 as usize]) {
            let index = base | (digit << (BITS * level));
            match level {
                0 if child & MARK != 0 => visit(index, child),
                0 => {}
                _ => self.each_marked_from(Tree(child), level - 1, index, visit),
            }
        }
    }

    /// A tree, be it a map or a tree of trees, with every marked value replaced by what `change` makes of it.
    pub(crate) fn map_marked(&mut self, tree: Tree, change: &mut dyn FnMut(u32) -> u32) -> Tree {
        if !self.is_marked(tree) {
            return tree;
        }
        let leaf = self.leaf[tree.0 as usize];
        let old = self.nodes[tree.0 as usize];
        let new = old.map(|child| match leaf {
            true if child & MARK != 0 => change(child),
            true => child,
            false => self.map_marked(Tree(child), change).0,
        });
        if new == old { tree } else { self.intern(new, leaf) }
    }

    /// Calls `visit` with every value that is known in a tree, be it a map or a tree of trees.
    pub(crate) fn each_value(&self, tree: Tree, visit: &mut dyn FnMut(u32)) {
        if tree.is_empty() {
            return;
        }
        let leaf = self.leaf[tree.0 as usize];
        for child in self.nodes[tree.0 as usize].into_iter().filter(|child| *child != 0) {
            if leaf { visit(child) } else { self.each_value(Tree(child), visit) }
        }
    }

    /// The map with every value replaced by what `change` makes of it.
    pub fn map(
        &mut self,
        tree: Tree,
        height: u32,
        change: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Tree {
        self.map_from(tree, height - 1, 0, change)
    }

    fn map_from(
        &mut self,
        tree: Tree,
        level: u32,
        base: u32,
        change: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Tree {
        if tree.is_empty() {
            return tree;
        }
        let old = self.nodes[tree.0 as usize];
        let mut new = old;
        for (digit, child) in (0..).zip(&mut new) {
            if *child != 0 {
                let index = base | (digit << (BITS * level));
                *child = match level {
                    0 => change(index, *child),
                    _ => self.map_from(Tree(*child), level - 1, index, change).0,
                };
            }
        }
        if new == old { tree } else { self.intern(new, level == 0) }
    }

    /// Whether the first tree has every value that the second one has.
    #[must_use]
    pub fn leq(&self, a: Tree, b: Tree) -> bool {
        if a == b || b.is_empty() {
            return true;
        }
        if a.is_empty() {
            return false;
        }
        let (left, right) = (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]);
        let mut pairs = left.iter().zip(right);
        if self.leaf[b.0 as usize] {
            pairs.all(|(a, b)| *b == UNKNOWN || a == b)
        } else {
            pairs.all(|(a, b)| self.leq(Tree(*a), Tree(*b)))
        }
    }

    /// The tree of the values that two trees have in common.
    pub fn join(&mut self, a: Tree, b: Tree) -> Tree {
        self.join_with(a, b, &mut |_, _| UNKNOWN)
    }

    /// The tree of what two trees know both, with what `either` makes of two values that differ.
    pub(crate) fn join_with(
        &mut self,
        a: Tree,
        b: Tree,
        either: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Tree {
        if a == b || a.is_empty() {
            return a;
        }
        if b.is_empty() {
            return b;
        }
        let leaf = self.leaf[a.0 as usize];
        let mut children = self.nodes[a.0 as usize];
        let others = self.nodes[b.0 as usize];
        for (child, other) in children.iter_mut().zip(others) {
            if *child == other {
                continue;
            }
            *child = match leaf {
                true if *child == UNKNOWN || other == UNKNOWN => UNKNOWN,
                true => either(*child, other),
                false => self.join_with(Tree(*child), Tree(other), either).0,
            };
        }
        if children == self.nodes[a.0 as usize] { a } else { self.intern(children, leaf) }
    }

    /// The value at the end of a way down from the root.
    #[must_use]
    pub fn at(&self, tree: Tree, way: &[u8]) -> u32 {
        way.iter().fold(tree.0, |at, step| self.nodes[at as usize][usize::from(*step)])
    }

    /// A way down to a value in which two trees differ.
    #[must_use]
    pub fn difference(&self, a: Tree, b: Tree) -> Option<Vec<u8>> {
        let mut way = Vec::new();
        let (mut a, mut b) = (a.0, b.0);
        if a == b {
            return None;
        }
        loop {
            // An empty tree is as deep as the other one.
            let leaf = self.leaf[a.max(b) as usize] || self.leaf[a.min(b) as usize];
            let pairs = self.nodes[a as usize].iter().zip(&self.nodes[b as usize]);
            let (step, (left, right)) =
                (0..).zip(pairs).find(|(_, (left, right))| left != right)?;
            way.push(step);
            if leaf {
                return Some(way);
            }
            (a, b) = (*left, *right);
        }
    }
}

/// A digit of an index.
fn digit(index: u32, level: u32) -> usize {
    (index >> (BITS * level)) as usize & (WIDTH - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tree(forest: &mut Forest, entries: &[(u32, u32)]) -> Tree {
        let set = |tree, (index, value): &(u32, u32)| forest.set(tree, 2, *index, *value);
        entries.iter().fold(Tree::EMPTY, set)
    }

    fn entries() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0_u32..40, 0_u32..3), 0..12)
    }

    proptest! {
        #[test]
        fn a_tree_is_a_map(entries in entries()) {
            let mut forest = Forest::default();
            let tree = tree(&mut forest, &entries);
            let mut map = [0; 40];
            entries.iter().for_each(|(index, value)| map[*index as usize] = *value);
            for index in 0..40 {
                prop_assert_eq!(forest.get(tree, 2, index), map[index as usize]);
            }
            let mut listed = Vec::new();
            forest.each(tree, 2, &mut |index, value| listed.push((index, value)));
            let known = (0..).zip(map).filter(|(_, value)| *value != 0);
            prop_assert_eq!(listed, known.collect::<Vec<_>>());
        }

        #[test]
        fn leq_and_differences_agree_with_maps(a in entries(), b in entries(), c in entries()) {
            let mut forest = Forest::default();
            let [x, y, z] = [&a, &b, &c].map(|entries| tree(&mut forest, entries));
            let below = (0..40).all(|index| {
                let wanted = forest.get(y, 2, index);
                wanted == 0 || forest.get(x, 2, index) == wanted
            });
            prop_assert_eq!(forest.leq(x, y), below);
            match forest.difference(x, y) {
                None => prop_assert_eq!(x, y),
                Some(way) => prop_assert_ne!(forest.at(x, &way), forest.at(y, &way)),
            }
            let both = forest.join(x, y);
            prop_assert!(forest.leq(x, both) && forest.leq(y, both));
            prop_assert!(!(forest.leq(x, z) && forest.leq(y, z)) || forest.leq(both, z));
            // An order: reflexive, antisymmetric, transitive.
            prop_assert!(forest.leq(x, x));
            prop_assert!(!(forest.leq(x, y) && forest.leq(y, x)) || x == y);
            prop_assert!(!(forest.leq(x, y) && forest.leq(y, z)) || forest.leq(x, z));
        }
    }
}
