//! Abstract domains for forward exploration.

mod exact;
mod explain;
mod invariant;
pub mod precision;
pub mod predicate;
pub mod product;
pub mod survey;
pub mod value;

/// Hash-consed trees: maps from numbers to values.
pub mod trees {
    pub use crate::value::{Forest, Tree, height};
}

/// Variables that hold what loads find in memory, by the edge and the number of the load.
pub type Mirrors = std::collections::BTreeMap<(cfa::EdgeId, u32), term::Var>;

pub use exact::{Exact, Finding};
pub use explain::{Claim, Explain, graph, lines};
pub use invariant::invariants;
pub use precision::Precision;
