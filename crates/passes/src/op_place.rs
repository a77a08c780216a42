//! The place of an operation in a program.

use cfa::EdgeId;

/// An operation: its edge, and its number there.
pub(crate) type OpPlace = (EdgeId, u32);
