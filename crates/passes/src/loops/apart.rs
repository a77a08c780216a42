//! Conditions on integers and rationals that never hold both, though one is not the negation of the other:
//! `x <= 0` and `1 <= x`.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use smt::linear::Sum;
use term::{Op, TermId, Terms, View};

use super::numbers;

/// The condition that a sum of multiples of terms is at most zero or, if `strict`, below zero.
struct Bound {
    sum: Sum<TermId>,
    strict: bool,
}

/// Whether two conditions are seen never to hold both: bounds that they consist of leave no room.
pub(super) fn exclude(terms: &Terms, one: TermId, other: TermId) -> bool {
    let (one, other) = (bounds(terms, one), bounds(terms, other));
    one.iter().any(|one| other.iter().any(|other| contradict(one, other)))
}

/// Whether the sum of two bounds is a number that it cannot be.
fn contradict(one: &Bound, other: &Bound) -> bool {
    let sum = one.sum.clone().plus(&BigRational::one(), &other.sum);
    let is_strict = one.strict || other.strict;
    sum.as_number().is_some_and(|sum| sum.is_positive() || sum.is_zero() && is_strict)
}

/// Bounds that follow from a condition.
fn bounds(terms: &Terms, condition: TermId) -> Vec<Bound> {
    let mut found = Vec::new();
    let mut waiting = vec![(condition, true)];
    while let Some((term, wanted)) = waiting.pop() {
        let View::App(op, arguments) = terms.view(term) else { continue };
        let is_number = |at: &TermId| numbers::is_whole(terms.sort(*at));
        match (op, arguments) {
            (Op::Not, [negated]) => waiting.push((*negated, !wanted)),
            (Op::And, parts) if wanted => waiting.extend(parts.iter().map(|part| (*part, true))),
            (Op::Or, parts) if !wanted => waiting.extend(parts.iter().map(|part| (*part, false))),
            (Op::Le | Op::Lt, [a, b]) => {
                let strict = (op == Op::Lt) == wanted;
                let (less, greater) = if wanted { (*a, *b) } else { (*b, *a) };
                found.push(bound(terms, less, greater, strict));
            }
            (Op::Eq, [a, b]) if wanted && is_number(a) => {
                found.push(bound(terms, *a, *b, false));
                found.push(bound(terms, *b, *a, false));
            }
            _ => {}
        }
    }
    found
}

/// The condition that one number is at most another or, if `strict`, less.
fn bound(terms: &Terms, less: TermId, greater: TermId, strict: bool) -> Bound {
    let mut sum = Sum::default();
    let mut waiting = vec![(less, BigRational::one()), (greater, -BigRational::one())];
    while let Some((term, factor)) = waiting.pop() {
        match (terms.view(term), numbers::constant(terms, term)) {
            (_, Some(number)) => sum.constant += number * factor,
            (View::App(Op::Add, [a, b]), _) => {
                waiting.extend([(*a, factor.clone()), (*b, factor)]);
            }
            (View::App(Op::Sub, [a, b]), _) => {
                waiting.extend([(*a, factor.clone()), (*b, -factor)]);
            }
            (View::App(Op::Neg, [a]), _) => waiting.push((*a, -factor)),
            (View::App(Op::Mul, [a, b]), _) => {
                let known = |one, other| Some((numbers::constant(terms, one)?, other));
                match known(*a, *b).or_else(|| known(*b, *a)) {
                    Some((number, other)) => waiting.push((other, number * factor)),
                    None => sum.add_unknown(&factor, term),
                }
            }
            _ => sum.add_unknown(&factor, term),
        }
    }
    Bound { sum, strict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn bounds_without_room_between_them_exclude_each_other() {
        let mut terms = Terms::new();
        let (x, y) = (terms.declare("x", Sort::Int), terms.declare("y", Sort::Int));
        let (x, y) = (terms.var(x), terms.var(y));
        let [zero, one, two] = [0, 1, 2].map(|number| terms.int(number));
        let (low, high) = (terms.le(x, zero), terms.le(one, x));
        let is_one = terms.eq(x, one);
        let (sum, twice) = (terms.add(x, y), terms.mul(two, x));
        let (below, above) = (terms.lt(sum, one), terms.le(one, sum));
        let even = terms.le(two, twice);
        let many = terms.and2(below, high);
        let cases = [
            (low, high, true),
            (low, is_one, true),
            (high, is_one, false),
            (below, above, true),
            (below, low, false),
            (low, even, false),
            (many, low, true),
            (many, above, true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(exclude(&terms, one, other), expected, "{one:?} {other:?}");
            assert_eq!(exclude(&terms, other, one), expected, "{one:?} {other:?}");
        }
    }
}
