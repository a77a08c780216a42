//! Abstract domains for forward exploration.

mod cells;
mod certificate;
mod exact;
mod invariant;
pub mod predicate;
pub mod product;
pub mod value;

pub use cells::Cells;
/// Hash-consed trees: maps from numbers to values.
pub mod trees {
    pub use crate::value::{Forest, Tree, height};
}

pub use certificate::{Claim, add_entries};
pub use exact::{Exact, Finding};
pub use invariant::{Case, cases, invariants};
