//! Operations by where they stand.

use cfa::EdgeId;

/// An operation: its edge, and its number there.
pub(crate) type OpPlace = (EdgeId, u32);
