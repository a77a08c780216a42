//! What is known of an address: the objects that it may point into, and those that it is computed from.

use std::rc::Rc;

use term::TermId;

use crate::ids::ObjectIndex;

/// An object that an address may point into.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// When it does.
    pub(crate) condition: TermId,
    pub(crate) object: ObjectIndex,
    /// How far from the base.
    pub(crate) offset: TermId,
}

/// An address taken apart.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    pub(crate) targets: Vec<Target>,
    /// What is left: a condition and a term that has no base in it.
    pub(crate) plain: Vec<(TermId, TermId)>,
}

/// Objects whose addresses a value may be computed from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Bases {
    /// No object: the value is a number or comes from outside.
    None,
    /// These, in order.
    Of(Rc<[ObjectIndex]>),
    /// Nobody knows.
    Any,
}

/// What a value may be computed from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) bases: Bases,
    /// Whether something comes from outside the program.
    pub(crate) outside: bool,
}

impl Bases {
    pub(crate) fn may_be(&self, object: ObjectIndex) -> bool {
        match self {
            Bases::None => false,
            Bases::Of(list) => list.binary_search(&object).is_ok(),
            Bases::Any => true,
        }
    }
}
