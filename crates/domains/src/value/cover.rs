//! The states of one place, such that one that covers another is found fast.

use cpa::NodeId;
use rustc_hash::FxHashMap;

use crate::value::state::State;
use crate::value::tree::{Forest, UNKNOWN};

/// A decision tree: each split asks for one value, and has a branch for every answer and one for
/// states that do not know it. What covers a state is in the branch of its own answer or in that
/// of those that do not know.
#[derive(Default)]
pub struct Cover {
    entries: Vec<Entry>,
    /// What all states below an entry know, for entries of states that do not know an answer: whoever
    /// knows less is covered by none of them. On the way of its own answers nobody asks.
    common: Vec<Option<State>>,
    /// Where each split leads for each answer.
    branches: FxHashMap<(u32, u32), u32>,
    /// How many states there are.
    live: usize,
}

enum Entry {
    /// No state any more.
    Empty,
    State(State, NodeId),
    /// Asks for the value at the end of a way down the trees of states.
    Split(Box<[u8]>),
}

impl Cover {
    /// The entry in which a state is or would be, following its own answers.
    fn walk(&self, forest: &Forest, state: State) -> Option<usize> {
        let mut at = 0;
        loop {
            match self.entries.get(at)? {
                Entry::Split(way) => {
                    let answer = forest.at(state, way);
                    // Entries are fewer than nodes of the graph, which have `u32` ids.
                    at = *self.branches.get(&(at as u32, answer))? as usize;
                }
                Entry::Empty | Entry::State(..) => return Some(at),
            }
        }
    }

    /// Adds a state that has given an answer to a question.
    fn push(&mut self, entry: Entry, answer: u32, state: State) {
        self.entries.push(entry);
        self.common.push((answer == UNKNOWN).then_some(state));
    }

    pub(crate) fn insert(&mut self, forest: &mut Forest, state: State, node: NodeId) {
        if self.entries.len() > 4 * self.live + 64 {
            self.rebuild(forest);
        }
        self.add(forest, state, node);
    }

    /// Gets rid of entries without states.
    fn rebuild(&mut self, forest: &mut Forest) {
        self.branches.clear();
        self.common.clear();
        self.live = 0;
        for entry in std::mem::take(&mut self.entries) {
            if let Entry::State(state, node) = entry {
                self.add(forest, state, node);
            }
        }
    }

    fn add(&mut self, forest: &mut Forest, state: State, node: NodeId) {
        self.live += 1;
        if self.entries.is_empty() {
            self.push(Entry::State(state, node), UNKNOWN, state);
            return;
        }
        let mut at = 0;
        loop {
            if let Some(common) = &mut self.common[at] {
                *common = forest.join(*common, state);
            }
            let way = match &self.entries[at] {
                Entry::Empty => {
                    self.entries[at] = Entry::State(state, node);
                    if let Some(common) = &mut self.common[at] {
                        *common = state;
                    }
                    return;
                }
                Entry::State(other, _) => match forest.difference(state, *other) {
                    Some(way) => way.into_boxed_slice(),
                    // Of equal states one is enough.
                    None => {
                        self.live -= 1;
                        return;
                    }
                },
                Entry::Split(way) => {
                    let answer = forest.at(state, way);
                    let next = self.entries.len();
                    let to = *self.branches.entry((at as u32, answer)).or_insert(next as u32);
                    at = to as usize;
                    if at == next {
                        self.push(Entry::State(state, node), answer, state);
                        return;
                    }
                    continue;
                }
            };
            // What is here moves down a branch.
            let old = std::mem::replace(&mut self.entries[at], Entry::Empty);
            if let Entry::State(other, _) = &old {
                let answer = forest.at(*other, &way);
                self.branches.insert((at as u32, answer), self.entries.len() as u32);
                let other = *other;
                self.push(old, answer, other);
            }
            self.entries[at] = Entry::Split(way);
        }
    }

    pub(crate) fn remove(&mut self, forest: &Forest, state: State, node: NodeId) {
        if let Some(at) = self.walk(forest, state)
            && matches!(self.entries[at], Entry::State(other, by) if other == state && by == node)
        {
            self.entries[at] = Entry::Empty;
            self.live -= 1;
        }
    }

    /// A node whose state stands for all that a state stands for.
    pub(crate) fn find(&self, forest: &Forest, state: State) -> Option<NodeId> {
        if self.entries.is_empty() {
            return None;
        }
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            if self.common[at as usize].is_some_and(|common| !forest.leq(state, common)) {
                continue;
            }
            match &self.entries[at as usize] {
                Entry::Empty => {}
                Entry::State(other, node) => {
                    if forest.leq(state, *other) {
                        return Some(*node);
                    }
                }
                Entry::Split(way) => {
                    let answer = forest.at(state, way);
                    todo.extend(self.branches.get(&(at, UNKNOWN)));
                    if answer != UNKNOWN {
                        // The own answer is looked at first: most covering states are equal ones.
                        todo.extend(self.branches.get(&(at, answer)));
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use base::Id as _;
    use proptest::prelude::*;

    use super::*;
    use crate::value::tree::Tree;

    proptest! {
        #[test]
        fn what_covers_is_found(
            states in prop::collection::vec(prop::collection::vec((0_u32..20, 0_u32..3), 0..6), 1..30),
            gone in prop::collection::vec(0_usize..30, 0..30),
            rebuilt in any::<bool>(),
        ) {
            let mut forest = Forest::default();
            let mut make = |entries: &Vec<(u32, u32)>| {
                let set = |tree, (index, value): &(u32, u32)| forest.set(tree, 2, *index, *value);
                entries.iter().fold(Tree::EMPTY, set)
            };
            let states: Vec<Tree> = states.iter().map(&mut make).collect();
            let mut cover = Cover::default();
            let mut there: Vec<(Tree, NodeId)> = Vec::new();
            for (index, state) in states.iter().enumerate() {
                let node = NodeId::from_index(index);
                if !there.iter().any(|(other, _)| other == state) {
                    there.push((*state, node));
                }
                cover.insert(&mut forest, *state, node);
            }
            for index in gone {
                if index < there.len() {
                    let (state, node) = there.swap_remove(index);
                    cover.remove(&forest, state, node);
                }
            }
            if rebuilt {
                cover.rebuild(&mut forest);
            }
            prop_assert_eq!(cover.live, there.len());
            for state in &states {
                let found = cover.find(&forest, *state);
                let covers = |(other, _): &&(Tree, NodeId)| forest.leq(*state, *other);
                prop_assert_eq!(found.is_some(), there.iter().any(|each| covers(&each)));
                if let Some(node) = found {
                    prop_assert!(there.iter().filter(covers).any(|(_, other)| *other == node));
                }
            }
        }
    }
}
