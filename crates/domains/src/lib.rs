//! Abstract domains for forward exploration.

pub mod value;
