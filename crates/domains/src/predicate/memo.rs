//! Results of steps inside of blocks, kept to be used again. A block is explored again after every
//! refinement, and the effect of its steps does not depend on what is known at the start of the block.

use std::hash::{BuildHasher as _, Hash};
use std::rc::Rc;

use cpa::{StackId, Step};
use rustc_hash::{FxBuildHasher, FxHashMap};
use symbolic::Guard;
use term::TermId;

use crate::predicate::values::Values;

/// The values of a point, told apart by their address in memory. The memo keeps these values, so that no other values
/// get the same address.
pub(crate) type Kept = usize;

/// All parts of a point on which the steps after it depend.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    guard: Guard,
    values: Kept,
    stack: StackId,
    low: u32,
}

impl Key {
    pub(crate) fn new(guard: Guard, values: &Rc<Values>, stack: StackId, low: u32) -> Self {
        Self { guard, values: Rc::as_ptr(values) as Kept, stack, low }
    }
}

/// What a step leads to.
#[derive(Clone)]
pub(crate) struct Advanced {
    pub(crate) guard: Guard,
    pub(crate) values: Rc<Values>,
    pub(crate) stack: StackId,
    pub(crate) low: u32,
    pub(crate) unsupported: Option<String>,
}

/// Results of steps, of merging and of putting values in place, for later blocks.
#[derive(Default)]
pub(crate) struct Memo {
    /// The values at the start of every block: none has changed.
    pub(crate) unchanged: Rc<Values>,
    pub(crate) steps: Table<(Key, Step, StackId), Option<Advanced>>,
    pub(crate) merged: Table<(Key, Key), (Guard, Rc<Values>)>,
    pub(crate) after: Table<(Kept, StackId, u32, TermId), TermId>,
}

/// A hash table that grows part by part. A table in one piece moves into twice its memory at once. As these tables are
/// most of the memory of a run, the run would then be far beyond its limit before the limit is looked at again.
pub(crate) struct Table<K, V> {
    parts: Vec<FxHashMap<K, V>>,
}

const PARTS: usize = 64;

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| FxHashMap::default()).collect() }
    }
}

impl<K: Hash + Eq, V> Table<K, V> {
    /// The number of the part that a key belongs to. The tables themselves use the bits at both
    /// ends of the hash.
    fn part(key: &K) -> usize {
        (FxBuildHasher.hash_one(key) >> 40) as usize % PARTS
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.parts[Self::part(key)].get(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.parts[Self::part(&key)].insert(key, value);
    }
}
