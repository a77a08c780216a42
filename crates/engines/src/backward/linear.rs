//! Linear expressions over the variables of a transition system.

/// The number of a place of the state, or of a choice that a transition makes: places come first.
pub type PlaceNumber = u32;

/// `constant + sum of factor * place`.
pub type Linear = smt::linear::Sum<PlaceNumber>;
