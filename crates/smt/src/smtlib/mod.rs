//! Formulas as SMT-LIB 2.6 that every solver takes, with the meaning that terms have.

mod logic;
mod names;
mod translate;
mod writer;

pub(crate) use logic::Features;
pub(crate) use names::decode;
pub(crate) use translate::Dialect;
pub(crate) use writer::Writer;

/// A construct that SMT-LIB cannot say, in words.
pub(crate) type Missing = String;
