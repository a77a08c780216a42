//! How the memory outside is read, and what is known of it.

use std::collections::BTreeMap;

use term::TermId;

/// How the memory outside is read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OutsideReading {
    /// Exactly: a read gives the last value that was written there.
    #[default]
    Exact,
    /// What was written may be forgotten: the formula has the models of the exact one, and others.
    /// For single paths only.
    Loose,
    /// Pointers from outside are constants, far from each other: the formula has some of the models of
    /// the exact one.
    Guessed,
}

/// What is known of the memory outside where it is read loosely.
#[derive(Default)]
pub(crate) struct Loose {
    /// Values by the pointer, the number that is added to it, and their length in bytes. Values with the same pointer
    /// do not overlap, and all values that were written have the same pointer.
    pub(crate) cells: BTreeMap<(TermId, u64, u64), TermId>,
    /// Whether addresses of the program's objects were written.
    pub(crate) holds_addresses: bool,
}
