//! Arithmetic on terms of any kind of numbers: bit-vectors, which wrap around, integers, rationals.

use num_bigint::BigInt;
use num_rational::BigRational;
use term::{Bv, Op, Sort, TermId, Terms, Value, View};

/// How deep choices between constants may be nested.
pub(super) const MOST_CHOICES: u32 = 4;

/// A small number of a sort of numbers.
pub(super) fn number(terms: &mut Terms, sort: Sort, value: i64) -> TermId {
    match sort {
        Sort::Int => terms.int(value),
        Sort::Rat => terms.rat(BigRational::from_integer(value.into())),
        Sort::Bv(width) => {
            let size = terms.bv_value(Bv::from_biguint(width, &value.unsigned_abs().into()));
            if value < 0 { terms.bv_neg(size) } else { size }
        }
        _ => unreachable!("no numbers are of the sort {sort:?}"),
    }
}

/// Whether terms of a sort are integers or rationals, which do not wrap around.
pub(super) fn is_whole(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Rat)
}

pub(super) fn add(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if is_whole(terms.sort(a)) { terms.add(a, b) } else { terms.bv_add(a, b) }
}

pub(super) fn sub(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if is_whole(terms.sort(a)) { terms.sub(a, b) } else { terms.bv_sub(a, b) }
}

pub(super) fn mul(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if is_whole(terms.sort(a)) { terms.mul(a, b) } else { terms.bv_mul(a, b) }
}

pub(super) fn neg(terms: &mut Terms, a: TermId) -> TermId {
    if is_whole(terms.sort(a)) { terms.neg(a) } else { terms.bv_neg(a) }
}

/// The integer or rational that a term is, if it is a constant.
pub(super) fn constant(terms: &Terms, term: TermId) -> Option<BigRational> {
    match terms.value(term)? {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Rat(value) => Some(value.clone()),
        _ => None,
    }
}

/// Whether a term is a constant, or constants that conditions choose between.
pub(super) fn is_chosen(terms: &Terms, term: TermId, depth: u32) -> bool {
    match terms.view(term) {
        View::Const(_) => true,
        View::App(Op::Ite, &[_, one, other]) if depth < MOST_CHOICES => {
            is_chosen(terms, one, depth + 1) && is_chosen(terms, other, depth + 1)
        }
        _ => false,
    }
}

/// A constant, or constants that conditions choose between, times an integer. The product is linear.
pub(super) fn times(terms: &mut Terms, factor: TermId, integer: TermId) -> TermId {
    if let View::App(Op::Ite, &[condition, one, other]) = terms.view(factor) {
        let (one, other) = (times(terms, one, integer), times(terms, other, integer));
        return terms.ite(condition, one, other);
    }
    let number = match terms.sort(factor) {
        Sort::Rat => terms.to_rat(integer),
        _ => integer,
    };
    terms.mul(factor, number)
}

/// The least integer that is not less than a rational.
pub(super) fn ceiling(terms: &mut Terms, rational: TermId) -> TermId {
    let negative = terms.neg(rational);
    let floor = terms.to_int(negative);
    terms.neg(floor)
}

/// An integer divided by a positive constant, rounded down.
pub(super) fn quotient(terms: &mut Terms, integer: TermId, by: &BigInt) -> TermId {
    let by = terms.int(by.clone());
    terms.int_div(integer, by)
}
