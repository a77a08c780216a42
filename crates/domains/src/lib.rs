//! Abstract domains for forward exploration.

mod cells;
mod exact;
mod explain;
mod invariant;
pub mod predicate;
pub mod product;
pub mod value;

pub use cells::Cells;
pub use exact::{Exact, Finding};
pub use explain::{Claim, Explain, graph};
pub use invariant::invariants;
