//! The states of one place, stored so that a state that covers a new state is found fast.

use cpa::NodeId;
use smallvec::{SmallVec, smallvec};

use crate::value::state::State;
use crate::value::tree::{Forest, UNKNOWN};

/// A decision tree: each split asks for one value, and has a branch for every answer and one for states that do not
/// know the value. The states that cover a given state are in the branch of its own answer, or in the branch for states
/// that do not know the value.
#[derive(Default)]
pub struct Cover {
    entries: Vec<Entry>,
    /// What all states below an entry know, for entries of states that do not know an answer: a state that knows less
    /// is covered by none of them. The branch of a state's own answers needs no such summary.
    common: Vec<Option<State>>,
    splits: Vec<Split>,
    /// How many states there are.
    live: usize,
}

#[derive(Clone, Copy)]
enum Entry {
    /// No state any more.
    Empty,
    State(State, NodeId),
    /// A split, by its index.
    Split(u32),
}

struct Split {
    /// Asks for the value at the end of a way down the trees of states.
    way: SmallVec<[u8; 8]>,
    /// The answers in order, each with the entry that it leads to.
    branches: SmallVec<[(u32, u32); 2]>,
}

impl Split {
    fn branch(&self, answer: u32) -> Result<u32, usize> {
        let found = self.branches.binary_search_by_key(&answer, |(known, _)| *known);
        found.map(|index| self.branches[index].1)
    }
}

impl Cover {
    /// The entry in which a state is or would be, following its own answers.
    fn walk(&self, forest: &Forest, state: State) -> Option<usize> {
        let mut at = 0;
        loop {
            match self.entries.get(at)? {
                Entry::Split(index) => {
                    let split = &self.splits[*index as usize];
                    at = split.branch(forest.at(state, &split.way)).ok()? as usize;
                }
                Entry::Empty | Entry::State(..) => return Some(at),
            }
        }
    }

    /// Adds an entry with a state to the branch of an answer.
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
        self.splits.clear();
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
            // Entries and splits are fewer than nodes of the graph, which have `u32` ids.
            let next = self.entries.len() as u32;
            match self.entries[at] {
                Entry::Empty => {
                    self.entries[at] = Entry::State(state, node);
                    if let Some(common) = &mut self.common[at] {
                        *common = state;
                    }
                    return;
                }
                Entry::State(other, by) => {
                    let Some(way) = forest.difference(state, other) else {
                        // Of equal states only one is kept.
                        self.live -= 1;
                        return;
                    };
                    // The state of this entry moves down into a branch of the new split.
                    let answer = forest.at(other, &way);
                    let way = SmallVec::from_vec(way);
                    self.entries[at] = Entry::Split(self.splits.len() as u32);
                    self.splits.push(Split { way, branches: smallvec![(answer, next)] });
                    self.push(Entry::State(other, by), answer, other);
                }
                Entry::Split(index) => {
                    let split = &mut self.splits[index as usize];
                    let answer = forest.at(state, &split.way);
                    match split.branch(answer) {
                        Ok(to) => at = to as usize,
                        Err(place) => {
                            split.branches.insert(place, (answer, next));
                            self.push(Entry::State(state, node), answer, state);
                            return;
                        }
                    }
                }
            }
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
        let mut todo: SmallVec<[u32; 32]> = smallvec![0];
        while let Some(at) = todo.pop() {
            if self.common[at as usize].is_some_and(|common| !forest.leq(state, common)) {
                continue;
            }
            match self.entries[at as usize] {
                Entry::Empty => {}
                Entry::State(other, node) => {
                    if forest.leq(state, other) {
                        return Some(node);
                    }
                }
                Entry::Split(index) => {
                    let split = &self.splits[index as usize];
                    let answer = forest.at(state, &split.way);
                    // The branch of states that do not know the value is the first one.
                    if let Some((UNKNOWN, to)) = split.branches.first() {
                        todo.push(*to);
                    }
                    if answer != UNKNOWN
                        && let Ok(to) = split.branch(answer)
                    {
                        // The branch of the state's own answer is looked at first: most states are covered by an equal
                        // state.
                        todo.push(to);
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
