//! What a state knows of one variable, of one stretch of memory, or of a term.

use std::hash::{Hash as _, Hasher as _};

use cfa::ObjectId;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use term::{Value, Var};

use crate::value::object::NameId;
use crate::value::sign_set::Signs;
use crate::value::tree::{MARK, UNKNOWN};

/// Something that is known of a variable or of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    /// A value.
    Value(Value),
    /// An address in an object; the offset may be unknown.
    Pointer(NameId, Option<u64>),
    /// A number with one of these signs.
    Signs(Signs),
    /// How far the value of a variable is from that of another one, which is not known.
    Distance(Distance),
    /// An object holds its first bytes, except for these stretches (from, to), which are in order
    /// and do not touch.
    Background(Background, Stretches),
    /// An object has begun and has not ended; with its number of bytes, if that is known.
    Alive(Option<u64>),
    /// An object has ended.
    Ended,
}

/// The value of a variable of which nothing is known, and something added to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Distance {
    pub(crate) base: Var,
    pub(crate) by: Value,
}

/// Parts of an object, each from its first byte to the first byte behind it.
pub(crate) type Stretches = Box<[(u64, u64)]>;

/// The first bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Background {
    /// What the program gives the object.
    Initial(ObjectId),
    /// Zeros.
    Zero,
}

/// What is known of the value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Abstract {
    Known(Value),
    Pointer(NameId, Option<u64>),
    /// A number with one of these signs.
    Signs(Signs),
    Unknown,
}

impl Abstract {
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Abstract::Known(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether it may be one of several numbers.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Abstract::Unknown | Abstract::Signs(_))
    }

    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Abstract::Known(value) => Some(value),
            _ => None,
        }
    }

    /// The number as a `u64`. A number that does not fit is larger than any object.
    pub(crate) fn number(&self) -> Option<u64> {
        match self {
            Abstract::Known(Value::Bv(bits)) => Some(bits.to_u64().unwrap_or(u64::MAX)),
            _ => None,
        }
    }
}

/// All cells, each once. The ids of distances are marked.
pub(crate) struct Cells {
    table: Vec<Cell>,
    index: HashTable<u32>,
}

impl Default for Cells {
    fn default() -> Self {
        // The first id stands for what is unknown, so its entry in the table is never looked up.
        let no = Cell::Value(Value::Bool(false));
        Self { table: vec![no], index: HashTable::new() }
    }
}

fn hash(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    cell.hash(&mut hasher);
    hasher.finish()
}

impl Cells {
    /// The id of a cell.
    pub(crate) fn id(&mut self, cell: Cell) -> u32 {
        let table = &self.table;
        let hashed = hash(&cell);
        let mark = if matches!(cell, Cell::Distance(_)) { MARK } else { 0 };
        if let Some(id) = self.index.find(hashed, |id| table[*id as usize] == cell) {
            return *id | mark;
        }
        // Memory ends long before there are that many.
        let id = u32::try_from(table.len()).expect("fewer than 2^31 values");
        assert!(id < MARK, "fewer than 2^31 values");
        self.table.push(cell);
        let table = &self.table;
        self.index.insert_unique(hashed, id, |id| hash(&table[*id as usize]));
        id | mark
    }

    /// The cell of an id; `None` if it is unknown.
    pub(crate) fn get(&self, id: u32) -> Option<&Cell> {
        (id != UNKNOWN).then(|| &self.table[(id & !MARK) as usize])
    }
}
