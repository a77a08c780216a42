//! The arguments of a call, and the result of a call that is modelled.

use rucc_types::TypeId;
use term::TermId;

use super::shape::Shape;

/// An evaluated argument.
#[derive(Clone, Copy)]
pub(super) struct Argument {
    /// The value, or the address of an aggregate.
    pub value: TermId,
    pub ty: TypeId,
    /// The shape of a scalar; `None` for an aggregate.
    pub shape: Option<Shape>,
    /// Whether the argument is written as the name of the standard output.
    pub is_stdout: bool,
}

/// The arguments that are addresses.
pub(super) fn addresses(arguments: &[Argument]) -> Box<[TermId]> {
    let is_address = |arg: &&Argument| matches!(arg.shape, Some(Shape::Pointer { .. }) | None);
    arguments.iter().filter(is_address).map(|arg| arg.value).collect()
}

/// The outcome of modelling a call: `None` if the function is not known here, otherwise the value of the call if it has
/// a value.
pub(super) type Modelled = Option<Option<TermId>>;
