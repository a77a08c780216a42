//! Variables in place of elements.

use term::{TermId, Var};

use super::element::Field;

/// The variable of a part of an element that is followed.
pub(super) struct Cell {
    pub(super) field: Field,
    pub(super) index: Vec<TermId>,
    pub(super) var: Var,
}
