//! The objects of an execution: what is fixed about each from its beginning.
//!
//! An object, `memory` and `contents` know each other: an object remembers the memory that it began in, memory
//! holds contents, and contents are read and written by the sizes that their object has.

use base::IndexVec;
use cfa::StorageKind;
use rustc_hash::FxHashMap;
use term::{TermId, Terms, Var};

use crate::ids::{ObjectIndex, Source};
use crate::memory::Memory;

/// The facts about an object that do not change while it lives.
pub(crate) struct FixedObject {
    /// The symbol that is its address.
    pub(crate) base: TermId,
    /// Number of bytes.
    pub(crate) size: TermId,
    /// The number of bytes, where it is a constant.
    pub(crate) bytes: Option<u64>,
    pub(crate) align: u64,
    pub(crate) kind: StorageKind,
    /// How many bytes an element has where the contents are an array, as a power of two; chosen
    /// when they first become one.
    pub(crate) unit: Option<u32>,
    /// Where its first bytes come from, if they are arbitrary.
    pub(crate) initial: Option<Source>,
    /// Memory when it began: it overlaps with nothing that was alive then.
    pub(crate) before: Memory,
}

/// All objects of an executor.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) table: IndexVec<ObjectIndex, FixedObject>,
    by_base: FxHashMap<Var, ObjectIndex>,
}

impl Objects {
    pub(crate) fn add(&mut self, base: Var, known: FixedObject) -> ObjectIndex {
        let index = self.table.push(known);
        self.by_base.insert(base, index);
        index
    }

    /// The object whose address a symbol is.
    pub(crate) fn at(&self, symbol: Var) -> Option<ObjectIndex> {
        self.by_base.get(&symbol).copied()
    }

    /// The last offset that is still inside an object or just past it, if its size is a constant.
    pub(crate) fn bytes(&self, object: ObjectIndex) -> Option<u64> {
        self.table[object].bytes
    }

    /// Whether two objects are surely there at the same time, so that they do not overlap.
    pub(crate) fn apart(&self, terms: &Terms, a: ObjectIndex, b: ObjectIndex) -> bool {
        let (early, late) = if a < b { (a, b) } else { (b, a) };
        early != late
            && self.table[late].before.alive(early).is_some_and(|alive| terms.is_true(alive))
    }
}
