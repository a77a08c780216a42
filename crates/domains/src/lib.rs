//! Abstract domains for forward exploration.

mod certificate;
pub mod combined;
mod exact;
pub mod predicate;
pub mod value;

pub use certificate::{Claim, add_entries};
pub use exact::{Exact, Finding};
