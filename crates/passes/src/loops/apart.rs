//! Conditions on integers and rationals that never hold both, though one is not the negation of the other:
//! `x <= 0` and `1 <= x`.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use term::{Op, TermId, Terms, View};

use super::numbers;

/// The condition that a sum of multiples of terms is at most zero or, if `strict`, below zero. The key `None` stands
/// for the number one.
struct Bound {
    sum: BTreeMap<Option<TermId>, BigRational>,
    strict: bool,
}

/// Whether two conditions are seen never to hold both: bounds that they consist of leave no room.
pub(super) fn exclude(terms: &Terms, one: TermId, other: TermId) -> bool {
    let (one, other) = (bounds(terms, one), bounds(terms, other));
    one.iter().any(|one| other.iter().any(|other| contradict(one, other)))
}

/// Whether the sum of two bounds is a number that it cannot be.
fn contradict(one: &Bound, other: &Bound) -> bool {
    let mut sum = one.sum.clone();
    for (place, factor) in &other.sum {
        *sum.entry(*place).or_insert_with(BigRational::zero) += factor;
    }
    let constant = sum.remove(&None).unwrap_or_else(BigRational::zero);
    let impossible = constant.is_positive() || constant.is_zero() && (one.strict || other.strict);
    impossible && sum.values().all(Zero::is_zero)
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
    let mut sum = BTreeMap::new();
    let mut waiting = vec![(less, BigRational::one()), (greater, -BigRational::one())];
    while let Some((term, factor)) = waiting.pop() {
        let (place, number) = match (terms.view(term), numbers::constant(terms, term)) {
            (_, Some(number)) => (None, number * factor),
            (View::App(Op::Add, [a, b]), _) => {
                waiting.extend([(*a, factor.clone()), (*b, factor)]);
                continue;
            }
            (View::App(Op::Sub, [a, b]), _) => {
                waiting.extend([(*a, factor.clone()), (*b, -factor)]);
                continue;
            }
            (View::App(Op::Neg, [a]), _) => {
                waiting.push((*a, -factor));
                continue;
            }
            (View::App(Op::Mul, [a, b]), _) => {
                let known = numbers::constant(terms, *a).map(|number| (number, *b));
                let known =
                    known.or_else(|| numbers::constant(terms, *b).map(|number| (number, *a)));
                let Some((number, other)) = known else {
                    *sum.entry(Some(term)).or_insert_with(BigRational::zero) += factor;
                    continue;
                };
                waiting.push((other, number * factor));
                continue;
            }
            _ => (Some(term), factor),
        };
        *sum.entry(place).or_insert_with(BigRational::zero) += number;
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
