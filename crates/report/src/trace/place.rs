//! Places that expressions of C name.

use term::Var;

use crate::types::Type;

/// Something that an expression names.
#[derive(Clone, Debug)]
pub(crate) struct NamedPlace {
    /// The expression, with the values of its indices.
    pub(crate) text: String,
    pub(crate) ty: Option<Type>,
    pub(crate) what: What,
}

/// What a place is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Bytes in memory, or some bits of them.
    Memory { address: u64, bits: Option<(u32, u32)> },
    /// A variable that is not in memory.
    Variable(Var),
    /// A structure that is not in memory: its members are variables.
    Split(String),
    /// No place: a number or an address.
    Number(i128),
}
