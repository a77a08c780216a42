//! Where objects are stored: those that exist from the start and those that operations make.

use crate::{AllocKind, ObjectKind};

/// Where an object is stored, which says what may be done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageKind {
    /// Among the data that exists from the start.
    Data,
    /// Among the data that exists from the start and is never written.
    ReadOnly,
    /// In the code of a function, which is neither read nor written.
    Code,
    /// On the heap: it lives until it is freed.
    Heap,
    /// On the stack: it ends with the activation that made it.
    Stack,
}

impl From<ObjectKind> for StorageKind {
    fn from(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::Data => StorageKind::Data,
            ObjectKind::ReadOnly => StorageKind::ReadOnly,
            ObjectKind::Code(_) => StorageKind::Code,
        }
    }
}

impl From<AllocKind> for StorageKind {
    fn from(kind: AllocKind) -> Self {
        match kind {
            AllocKind::Heap => StorageKind::Heap,
            AllocKind::Stack => StorageKind::Stack,
        }
    }
}
