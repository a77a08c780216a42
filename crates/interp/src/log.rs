//! What an edge has changed, so that it can be undone, and done again.
//!
//! Every entry holds the contents that are not in place at the moment: the old contents after the operations, and the
//! new contents after the operations were undone. So undoing and redoing are the same exchange, in opposite orders.
//! The log has no entries for values that were chosen for uninitialised bytes or variables: such a value counts as
//! having been there all the time.

use crate::bytes::Saved;
use crate::memory::{Memory, Object, Stretch};
use crate::store::{Cell, Store};

#[derive(Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    /// The output of the edge, which is written when the edge is taken.
    pub(crate) output: Vec<u8>,
}

enum Entry {
    Variable { index: usize, cell: Cell },
    Bytes { place: Stretch, saved: Saved },
    Allocated { slot: u32, object: Option<Box<Object>> },
    Freed { slot: u32, object: Option<Box<Object>> },
}

impl Log {
    pub(crate) fn variable(&mut self, index: usize, old: Cell) {
        self.entries.push(Entry::Variable { index, cell: old });
    }

    pub(crate) fn bytes(&mut self, place: Stretch, saved: Saved) {
        self.entries.push(Entry::Bytes { place, saved });
    }

    pub(crate) fn allocated(&mut self, slot: u32) {
        self.entries.push(Entry::Allocated { slot, object: None });
    }

    pub(crate) fn freed(&mut self, slot: u32, object: Object) {
        self.entries.push(Entry::Freed { slot, object: Some(Box::new(object)) });
    }

    /// Undoes all changes of the edge.
    pub(crate) fn undo(&mut self, store: &mut Store, memory: &mut Memory) {
        for entry in self.entries.iter_mut().rev() {
            entry.exchange(store, memory);
        }
    }

    /// Makes all changes of the edge again.
    pub(crate) fn redo(&mut self, store: &mut Store, memory: &mut Memory) {
        for entry in &mut self.entries {
            entry.exchange(store, memory);
        }
    }

    /// Drops the log: the state stays as it is, and slots of objects that are now out of memory become vacant.
    pub(crate) fn forget(self, memory: &mut Memory) {
        for entry in self.entries {
            match entry {
                Entry::Allocated { slot, object: Some(_) }
                | Entry::Freed { slot, object: Some(_) } => {
                    memory.release(slot);
                }
                _ => {}
            }
        }
    }
}

impl Entry {
    fn exchange(&mut self, store: &mut Store, memory: &mut Memory) {
        match self {
            Entry::Variable { index, cell } => store.exchange(*index, cell),
            Entry::Bytes { place, saved } => memory.swap(*place, saved),
            Entry::Allocated { slot, object } | Entry::Freed { slot, object } => {
                match object.take() {
                    Some(object) => memory.revive(*slot, *object),
                    None => *object = Some(Box::new(memory.take_out(*slot))),
                }
            }
        }
    }
}
