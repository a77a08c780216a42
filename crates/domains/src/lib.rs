//! Abstract domains for forward exploration.

mod certificate;
mod exact;
mod invariant;
pub mod predicate;
pub mod product;
pub mod value;

pub use certificate::{Claim, add_entries};
pub use exact::{Exact, Finding};
pub use invariant::{Case, cases, invariants};
