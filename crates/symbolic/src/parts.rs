//! What is known of an address: the objects that the address may point into, and the objects from whose
//! addresses it is computed.

use std::rc::Rc;

use term::TermId;

use crate::ids::ObjectIndex;

/// An object that an address may point into.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The condition under which the address points there.
    pub(crate) condition: TermId,
    pub(crate) object: ObjectIndex,
    /// How far from the base of the object.
    pub(crate) offset: TermId,
}

/// An address taken apart.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    pub(crate) targets: Vec<Target>,
    /// The cases in which no base is in the address: a condition, and the term that the address is then.
    pub(crate) plain: Vec<(TermId, TermId)>,
}

/// Objects whose addresses a value may be computed from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Bases {
    /// No object: the value is a number or comes from outside.
    None,
    /// These objects, in order.
    Of(Rc<[ObjectIndex]>),
    /// Any object: it is not known which.
    Any,
}

/// What a value may be computed from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) bases: Bases,
    /// Whether a part of the value comes from outside the program.
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
