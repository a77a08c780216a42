//! Abstract domains for forward exploration.

pub mod combined;
mod exact;
pub mod predicate;
pub mod value;

pub use exact::{Exact, Finding};
