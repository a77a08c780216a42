//! The objects of an execution: what is fixed about each from its beginning.

use base::IndexVec;
use cfa::StorageKind;
use rustc_hash::FxHashMap;
use term::{TermId, Var};

use crate::ids::{ObjectIndex, Source};

/// The facts about an object that do not change while it lives.
pub(crate) struct FixedObject {
    /// The symbol that is the address of the object.
    pub(crate) base: TermId,
    /// Number of bytes.
    pub(crate) size: TermId,
    /// The number of bytes, where it is a constant.
    pub(crate) bytes: Option<u64>,
    pub(crate) align: u64,
    pub(crate) kind: StorageKind,
    /// How many bytes an element has where the contents are an array, as a power of two; chosen when the contents first
    /// become an array.
    pub(crate) unit: Option<u32>,
    /// Where its first bytes come from, if they are arbitrary.
    pub(crate) initial: Option<Source>,
}

/// All objects of an executor.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) table: IndexVec<ObjectIndex, FixedObject>,
    by_base: FxHashMap<Var, ObjectIndex>,
}

impl Objects {
    /// Adds an object with the symbol that is its address; the memory outside has none.
    pub(crate) fn add(&mut self, symbol: Option<Var>, known: FixedObject) -> ObjectIndex {
        let index = self.table.push(known);
        if let Some(symbol) = symbol {
            self.by_base.insert(symbol, index);
        }
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
}
