//! Rules for predicates on bit-vectors: their truth, and what it says of the arguments.

use term::{Bv, Op};

use super::word::Word;
use super::words::{after, before};

/// Whether a predicate holds of all values, or of none.
pub(super) fn truth(op: Op, a: &Word, b: &Word) -> Option<bool> {
    match op {
        Op::BvUlt | Op::BvUsubOverflow => decided(a.high < b.low, a.low >= b.high),
        Op::BvUle => decided(a.high <= b.low, a.low > b.high),
        Op::BvSlt => decided(a.greatest.slt(&b.least), b.greatest.sle(&a.least)),
        Op::BvSle => decided(a.greatest.sle(&b.least), b.greatest.slt(&a.least)),
        Op::BvUaddOverflow => decided(a.low.uadd_overflow(&b.low), !a.high.uadd_overflow(&b.high)),
        Op::BvUmulOverflow => decided(a.low.umul_overflow(&b.low), !a.high.umul_overflow(&b.high)),
        Op::BvSaddOverflow => monotone(
            a.least.sadd_overflow(&b.least).then(|| a.least.sign()),
            a.greatest.sadd_overflow(&b.greatest).then(|| a.greatest.sign()),
        ),
        Op::BvSsubOverflow => monotone(
            a.least.ssub_overflow(&b.greatest).then(|| a.least.sign()),
            a.greatest.ssub_overflow(&b.least).then(|| a.greatest.sign()),
        ),
        Op::BvSmulOverflow => {
            // A product is greatest and least at the ends of its factors.
            let fits = [&a.least, &a.greatest]
                .into_iter()
                .all(|x| !x.smul_overflow(&b.least) && !x.smul_overflow(&b.greatest));
            decided(false, fits)
        }
        _ => None,
    }
}

fn decided(always: bool, never: bool) -> Option<bool> {
    if always {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    }
}

/// The truth of an overflow predicate, from how the two extreme results wrap: below, above, or not at all.
fn monotone(least: Option<bool>, greatest: Option<bool>) -> Option<bool> {
    (least == greatest).then_some(least.is_some())
}

/// What the truth of a predicate says of one argument, given what is known of the other: `None` if no value is left,
/// and the set of all values if nothing is said.
pub(super) fn argument(op: Op, truth: bool, first: bool, other: &Word) -> Option<Word> {
    let width = other.width();
    let top = Word::top(width);
    let (op, first) = match (op, truth) {
        // `a < b` is false if `b <= a`.
        (Op::BvUlt | Op::BvUsubOverflow, false) => (Op::BvUle, !first),
        (Op::BvUle, false) => (Op::BvUlt, !first),
        (Op::BvSlt, false) => (Op::BvSle, !first),
        (Op::BvSle, false) => (Op::BvSlt, !first),
        (Op::BvUsubOverflow, true) => (Op::BvUlt, first),
        _ => (op, first),
    };
    let (least, greatest) = (Bv::signed_min(width), Bv::signed_max(width));
    let zero = Bv::zero(width);
    let ones = Bv::ones(width);
    let word = match (op, first) {
        (Op::BvUlt, true) if other.high.is_zero() => return None,
        (Op::BvUlt, true) => top.unsigned(zero, before(&other.high)),
        (Op::BvUlt, false) if other.low.is_ones() => return None,
        (Op::BvUlt, false) => top.unsigned(after(&other.low), ones),
        (Op::BvUle, true) => top.unsigned(zero, other.high.clone()),
        (Op::BvUle, false) => top.unsigned(other.low.clone(), ones),
        (Op::BvSlt, true) if other.greatest == least => return None,
        (Op::BvSlt, true) => top.signed(least, before(&other.greatest)),
        (Op::BvSlt, false) if other.least == greatest => return None,
        (Op::BvSlt, false) => top.signed(after(&other.least), greatest),
        (Op::BvSle, true) => top.signed(least, other.greatest.clone()),
        (Op::BvSle, false) => top.signed(other.least.clone(), greatest),
        _ => return overflow(op, truth, first, other),
    };
    word.reduce()
}

/// What an overflow predicate says of one of its two operands.
fn overflow(op: Op, truth: bool, first: bool, other: &Word) -> Option<Word> {
    let width = other.width();
    let top = Word::top(width);
    let (least, greatest) = (Bv::signed_min(width), Bv::signed_max(width));
    let zero = Bv::zero(width);
    let ones = Bv::ones(width);
    let word = match (op, truth, first) {
        // `x + y <= ones`.
        (Op::BvUaddOverflow, false, _) => top.unsigned(zero, other.low.not()),
        (Op::BvUaddOverflow, true, _) if other.high.is_zero() => return None,
        (Op::BvUaddOverflow, true, _) => top.unsigned(other.high.neg(), ones),
        (Op::BvUmulOverflow, false, _) if !other.low.is_zero() => {
            top.unsigned(zero, ones.udiv(&other.low))
        }
        // `least <= x + y <= greatest`.
        (Op::BvSaddOverflow, false, _) if !other.least.sign() => {
            top.signed(least, greatest.sub(&other.least))
        }
        (Op::BvSaddOverflow, false, _) if other.greatest.sign() => {
            top.signed(least.sub(&other.greatest), greatest)
        }
        // `least <= x - other <= greatest`.
        (Op::BvSsubOverflow, false, true) if !other.least.sign() => {
            top.signed(least.add(&other.least), greatest)
        }
        (Op::BvSsubOverflow, false, true) if other.greatest.sign() => {
            top.signed(least, greatest.add(&other.greatest))
        }
        // `least <= other - x <= greatest`.
        (Op::BvSsubOverflow, false, false) if other.greatest.sign() => {
            top.signed(least.clone(), other.greatest.sub(&least))
        }
        (Op::BvSsubOverflow, false, false) if !other.least.sign() => {
            top.signed(other.least.sub(&greatest), greatest.clone())
        }
        _ => return Some(top),
    };
    word.reduce()
}
