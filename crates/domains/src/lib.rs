//! Abstract domains for forward exploration.

mod exact;
pub mod predicate;
pub mod product;
pub mod value;

pub use exact::{Exact, Finding};
