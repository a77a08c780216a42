//! Terms as straight-line code, which is run faster than a term is walked through.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::{Op, TermId, Terms, Value, Var, View};

/// A term as straight-line code: what each subterm is, with its arguments by their places.
pub(crate) type Code = Rc<[Line]>;

/// What one subterm is.
pub(crate) enum Line {
    Constant(Value),
    Variable(Var),
    Apply(Op, SmallVec<[u32; 3]>),
}

/// The code of a term.
pub(crate) fn compile(terms: &Terms, term: TermId) -> Code {
    let order = terms.post_order(&[term]);
    let places: FxHashMap<TermId, u32> = order.iter().copied().zip(0..).collect();
    let place = |argument: &TermId| places[argument];
    let line = |term: &TermId| match terms.view(*term) {
        View::Const(value) => Line::Constant(value.clone()),
        View::Var(var) => Line::Variable(var),
        View::App(op, arguments) => Line::Apply(op, arguments.iter().map(place).collect()),
    };
    order.iter().map(line).collect()
}
