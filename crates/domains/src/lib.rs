//! Abstract domains for forward exploration.

pub mod combined;
pub mod predicate;
pub mod value;
