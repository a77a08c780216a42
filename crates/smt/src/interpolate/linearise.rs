//! Terms as linear sums, and back.
//!
//! Bit-vectors are read as the integers that they stand for, signed or unsigned, as if no operation wrapped. That is a
//! guess: the interpolants that follow from it are checked on the bit-vectors themselves.

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use term::{Bv, Op, Sort, TermId, Terms, Value, View};

use crate::linear::{self, Relation};

/// How bit-vectors are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    Signed,
    Unsigned,
}

/// The most parts into which a term is taken apart: shared parts of sums of sums count as often as they occur, which
/// may be more often than can be listed.
const MOST_PARTS: usize = 10_000;

/// A sum of terms with factors, and a constant.
pub(super) type Sum = linear::Sum<TermId>;

/// `sum relation 0`, or that the sum is not zero.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Compared(Sum, Relation),
    NotZero(Sum),
}

/// The literals whose conjunction a constraint is; `None` if the constraint is no conjunction of linear literals.
pub(super) fn literals(
    terms: &Terms,
    constraint: TermId,
    reading: Reading,
    found: &mut Vec<Literal>,
) -> Option<()> {
    let (op, args) = match terms.view(constraint) {
        View::Const(Value::Bool(true)) => return Some(()),
        View::App(op, args) => (op, args),
        _ => return None,
    };
    let difference = |a: TermId, b: TermId| {
        let mut sum = linearise(terms, a, reading);
        sum.add(&-BigRational::one(), &linearise(terms, b, reading));
        sum
    };
    match (op, args) {
        (Op::And, parts) => {
            return parts.iter().try_for_each(|part| literals(terms, *part, reading, found));
        }
        (Op::Le | Op::BvSle | Op::BvUle, &[a, b]) => {
            found.push(Literal::Compared(difference(a, b), Relation::LessEqual));
        }
        (Op::Lt | Op::BvSlt | Op::BvUlt, &[a, b]) => {
            found.push(Literal::Compared(difference(a, b), Relation::Less));
        }
        (Op::Eq, &[a, b]) if is_number(terms.sort(a)) => {
            found.push(Literal::Compared(difference(a, b), Relation::Equal));
        }
        (Op::Not, &[inner]) => match terms.view(inner) {
            View::App(Op::Eq, &[a, b]) if is_number(terms.sort(a)) => {
                found.push(Literal::NotZero(difference(a, b)));
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

/// The sum that is zero by a definition; `None` if the definition is not about a number, or is no sum.
pub(super) fn definition(
    terms: &mut Terms,
    var: term::Var,
    value: TermId,
    reading: Reading,
) -> Option<Sum> {
    if !is_number(terms.var_sort(var)) {
        return None;
    }
    let var = terms.var(var);
    let mut sum = Sum::unknown(var);
    sum.add(&-BigRational::one(), &linearise(terms, value, reading));
    Some(sum)
}

pub(super) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Rat | Sort::Bv(_))
}

/// How the comparisons in constraints read bit-vectors; `None` if some comparisons are signed and some unsigned.
pub(super) fn reading<'a>(
    terms: &Terms,
    constraints: impl Iterator<Item = &'a TermId>,
) -> Option<Reading> {
    let roots: Vec<TermId> = constraints.copied().collect();
    let mut found = None;
    for term in terms.post_order(&roots) {
        let read = match terms.view(term) {
            View::App(Op::BvUlt | Op::BvUle, _) => Reading::Unsigned,
            View::App(Op::BvSlt | Op::BvSle, _) => Reading::Signed,
            _ => continue,
        };
        if found.is_some_and(|other| other != read) {
            return None;
        }
        found = Some(read);
    }
    Some(found.unwrap_or(Reading::Signed))
}

/// A term as a sum; parts that are not linear stay terms.
fn linearise(terms: &Terms, term: TermId, reading: Reading) -> Sum {
    let mut sum = Sum::default();
    let mut todo = vec![(term, BigRational::one())];
    let mut looked = 0;
    while let Some((part, factor)) = todo.pop() {
        looked += 1;
        if let View::Const(value) = terms.view(part)
            && let Some(value) = number(value, reading, part == term)
        {
            sum.constant += value * factor;
        } else if looked > MOST_PARTS || !take_apart(terms, part, &factor, reading, &mut todo) {
            sum.add_unknown(&factor, part);
        }
    }
    sum
}

/// Lists the parts of a sum with their factors; false if a term is no sum.
fn take_apart(
    terms: &Terms,
    term: TermId,
    factor: &BigRational,
    reading: Reading,
    parts: &mut Vec<(TermId, BigRational)>,
) -> bool {
    let constant = |term: TermId| number(terms.value(term)?, reading, false);
    match terms.view(term) {
        View::App(Op::Add | Op::BvAdd, args) => {
            parts.extend(args.iter().map(|arg| (*arg, factor.clone())));
        }
        View::App(Op::Sub | Op::BvSub, &[a, b]) => {
            parts.extend([(a, factor.clone()), (b, -factor)]);
        }
        View::App(Op::Neg | Op::BvNeg, &[a]) => parts.push((a, -factor)),
        View::App(Op::Mul | Op::BvMul, &[a, b]) => match (constant(a), constant(b)) {
            (Some(times), _) => parts.push((b, factor * times)),
            (_, Some(times)) => parts.push((a, factor * times)),
            _ => return false,
        },
        View::App(Op::BvSignExtend(_), &[a]) if reading == Reading::Signed => {
            parts.push((a, factor.clone()));
        }
        View::App(Op::BvZeroExtend(_), &[a]) if reading == Reading::Unsigned => {
            parts.push((a, factor.clone()));
        }
        _ => return false,
    }
    true
}

/// The number that a constant stands for. A constant that is added to something most likely is a small signed number.
fn number(value: &Value, reading: Reading, alone: bool) -> Option<BigRational> {
    Some(match value {
        Value::Int(number) => number.clone().into(),
        Value::Rat(number) => number.clone(),
        Value::Bv(bits) if alone && reading == Reading::Unsigned => {
            bits.to_bigint_unsigned().into()
        }
        Value::Bv(bits) => bits.to_bigint_signed().into(),
        _ => return None,
    })
}

/// `sum relation 0` as a term.
pub(super) fn formula(
    terms: &mut Terms,
    sum: Sum,
    relation: Relation,
    reading: Reading,
) -> Option<TermId> {
    if sum.factors.is_empty() {
        let holds = match relation {
            Relation::LessEqual => !sum.constant.is_positive(),
            Relation::Less => sum.constant.is_negative(),
            Relation::Equal => sum.constant.is_zero(),
        };
        return Some(terms.bool(holds));
    }
    let sum = sum.coprime();
    let first = *sum.factors.keys().next()?;
    match terms.sort(first) {
        Sort::Bv(_) => bit_vectors(terms, sum, relation, reading),
        Sort::Int | Sort::Rat => numbers(terms, &sum, relation),
        _ => None,
    }
}

/// A comparison of numbers, with the positive parts of the sum on the left and the negative parts on the right.
fn numbers(terms: &mut Terms, sum: &Sum, relation: Relation) -> Option<TermId> {
    let sort = terms.sort(*sum.factors.keys().next()?);
    if sum.factors.keys().any(|term| terms.sort(*term) != sort) {
        return None;
    }
    let number = |terms: &mut Terms, value: &BigRational| match sort {
        Sort::Int => value.is_integer().then(|| terms.int(value.to_integer())),
        _ => Some(terms.rat(value.clone())),
    };
    // If the sum is an integer, the constant that it is compared with can be rounded.
    let mut bound = -sum.constant.clone();
    if sort == Sort::Int {
        bound = match relation {
            Relation::LessEqual => bound.floor(),
            Relation::Less => bound.ceil(),
            Relation::Equal if bound.is_integer() => bound,
            Relation::Equal => return Some(terms.bool(false)),
        };
    }
    let (mut left, mut right): (Option<TermId>, Option<TermId>) = (None, None);
    for (term, factor) in &sum.factors {
        let size = number(terms, &factor.abs())?;
        let product = terms.mul(size, *term);
        let side = if factor.is_positive() { &mut left } else { &mut right };
        *side = Some(match *side {
            Some(other) => terms.add(other, product),
            None => product,
        });
    }
    let zero = number(terms, &BigRational::zero())?;
    let bound = number(terms, &bound)?;
    let left = left.unwrap_or(zero);
    let right = match right {
        Some(right) => terms.add(right, bound),
        None => bound,
    };
    Some(match relation {
        Relation::LessEqual => terms.le(left, right),
        Relation::Less => terms.lt(left, right),
        Relation::Equal => terms.eq(left, right),
    })
}

/// A comparison of bit-vectors in which nothing wraps: narrow if it is plain, otherwise wide.
fn bit_vectors(
    terms: &mut Terms,
    sum: Sum,
    relation: Relation,
    reading: Reading,
) -> Option<TermId> {
    let mut widest = 0;
    let mut same = true;
    for term in sum.factors.keys() {
        let width = terms.sort(*term).bv_width()?;
        same &= widest == 0 || widest == width;
        widest = widest.max(width);
    }
    let bound = match relation {
        Relation::Less => (-&sum.constant).ceil() - BigRational::one(),
        _ => (-&sum.constant).floor(),
    };
    if relation == Relation::Equal && bound != -&sum.constant {
        return Some(terms.bool(false));
    }
    let bound = bound.to_integer();
    let units = sum.factors.values().all(|factor| factor.abs().is_one());
    let ends: Vec<(TermId, bool)> =
        sum.factors.iter().map(|(term, factor)| (*term, factor.is_positive())).collect();
    if same
        && units
        && bound.is_zero()
        && let [(a, a_up), (b, b_up)] = ends[..]
        && a_up != b_up
    {
        let (low, high) = if a_up { (a, b) } else { (b, a) };
        return Some(compare(terms, relation, reading, low, high));
    }
    // The words need room for the largest sum, its sign, and the bound.
    let total: BigInt =
        sum.factors.values().map(|factor| factor.to_integer().abs()).sum::<BigInt>();
    let room = u64::from(widest) + total.bits() + 2;
    let width = u32::try_from(room.max(bound.bits() + 2)).ok()?;
    let wide = |terms: &mut Terms, term: TermId| match reading {
        Reading::Signed => terms.bv_sign_extend(width, term),
        Reading::Unsigned => terms.bv_zero_extend(width, term),
    };
    let (mut left, mut right): (Option<TermId>, Option<TermId>) = (None, None);
    let limit = terms.bv_value(Bv::from_bigint(width, &bound.abs()));
    if bound.sign() == Sign::Minus {
        left = Some(limit);
    } else if !bound.is_zero() {
        right = Some(limit);
    }
    for (term, factor) in &sum.factors {
        let extended = wide(terms, *term);
        let size = terms.bv_value(Bv::from_bigint(width, &factor.to_integer().abs()));
        let product = terms.bv_mul(size, extended);
        let side = if factor.is_positive() { &mut left } else { &mut right };
        *side = Some(match *side {
            Some(other) => terms.bv_add(other, product),
            None => product,
        });
    }
    let zero = terms.bv(width, 0);
    let (left, right) = (left.unwrap_or(zero), right.unwrap_or(zero));
    Some(compare(terms, relation, Reading::Signed, left, right))
}

fn compare(
    terms: &mut Terms,
    relation: Relation,
    reading: Reading,
    a: TermId,
    b: TermId,
) -> TermId {
    match (relation, reading) {
        (Relation::Equal, _) => terms.eq(a, b),
        // The bound was changed before, so that the comparison includes it.
        (_, Reading::Signed) => terms.bv_sle(a, b),
        (_, Reading::Unsigned) => terms.bv_ule(a, b),
    }
}
