//! The proviso: what a run was worth, on a page.

pub mod document;
