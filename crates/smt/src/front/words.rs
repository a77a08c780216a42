//! Forward rules for bit-vectors: what is known of a result, from what is known of the arguments.
//!
//! Every rule gives a set with all results. Ends are computed by the operations of `Bv`; the
//! argument why two ends bound all that is between is in the comments.

use term::{Bv, Op};

use super::word::{Word, mask, signed_max, signed_min};

/// What is known of a bit-vector operation on one argument, if it is one.
pub(super) fn unary(op: Op, a: &Word) -> Option<Word> {
    let width = a.width();
    Some(match op {
        Op::BvNot => not(a),
        Op::BvNeg => difference(&Word::constant(Bv::zero(width)), a),
        Op::BvExtract { high, low } => extract(a, high, low),
        Op::BvZeroExtend(to) => Word::top(to)
            .unsigned(a.low.zero_extend(to), a.high.zero_extend(to))
            .bits(&a.must.zero_extend(to), &a.may.zero_extend(to)),
        Op::BvSignExtend(to) => Word::top(to)
            .signed(a.least.sign_extend(to), a.greatest.sign_extend(to))
            .bits(&a.must.sign_extend(to), &a.may.sign_extend(to)),
        _ => return None,
    })
}

/// What is known of a bit-vector operation on two arguments, if it is one.
pub(super) fn binary(op: Op, a: &Word, b: &Word) -> Option<Word> {
    let top = || Word::top(a.width());
    Some(match op {
        Op::BvAdd => sum(a, b),
        Op::BvSub => difference(a, b),
        Op::BvMul => product(a, b),
        Op::BvUdiv => {
            let high = if b.low.is_zero() { Bv::ones(a.width()) } else { a.high.udiv(&b.low) };
            top().unsigned(a.low.udiv(&b.high), high)
        }
        Op::BvUrem => {
            if a.high < b.low {
                return Some(a.clone());
            }
            let below = if b.low.is_zero() { a.high.clone() } else { before(&b.high) };
            top().unsigned(Bv::zero(a.width()), a.high.clone().min(below))
        }
        Op::BvSdiv => quotient(a, b),
        Op::BvSrem => remainder(a, b),
        Op::BvSmod => {
            let zero = Bv::zero(a.width());
            if is_positive(&b.least) {
                top().signed(zero, before(&b.greatest))
            } else if b.greatest.sign() {
                top().signed(after(&b.least), zero)
            } else {
                top()
            }
        }
        Op::BvAnd => top()
            .bits(&a.must.and(&b.must), &a.may.and(&b.may))
            .unsigned(Bv::zero(a.width()), a.high.clone().min(b.high.clone())),
        Op::BvOr => top()
            .bits(&a.must.or(&b.must), &a.may.or(&b.may))
            .unsigned(a.low.clone().max(b.low.clone()), Bv::ones(a.width())),
        Op::BvXor => xor(a, b),
        Op::BvShl => shift_left(a, b),
        Op::BvLshr => {
            // The result falls as the amount grows, and grows with the first argument.
            let word = top().unsigned(a.low.lshr(&b.high), a.high.lshr(&b.low));
            match b.value() {
                Some(by) => word.bits(&a.must.lshr(by), &a.may.lshr(by)),
                None => word,
            }
        }
        Op::BvAshr => {
            // A negative result grows with the amount, any other result falls.
            let least = a.least.ashr(if a.least.sign() { &b.low } else { &b.high });
            let greatest = a.greatest.ashr(if a.greatest.sign() { &b.high } else { &b.low });
            let word = top().signed(least, greatest);
            match b.value() {
                Some(by) => word.bits(&a.must.ashr(by), &a.may.ashr(by)),
                None => word,
            }
        }
        Op::BvConcat => Word::top(a.width() + b.width())
            .unsigned(a.low.concat(&b.low), a.high.concat(&b.high))
            .signed(a.least.concat(&b.low), a.greatest.concat(&b.high))
            .bits(&a.must.concat(&b.must), &a.may.concat(&b.may)),
        _ => return None,
    })
}

pub(super) fn before(value: &Bv) -> Bv {
    value.sub(&Bv::new(value.width(), 1))
}

pub(super) fn after(value: &Bv) -> Bv {
    value.add(&Bv::new(value.width(), 1))
}

fn is_positive(value: &Bv) -> bool {
    !value.sign() && !value.is_zero()
}

pub(super) fn not(a: &Word) -> Word {
    Word {
        low: a.high.not(),
        high: a.low.not(),
        least: a.greatest.not(),
        greatest: a.least.not(),
        must: a.may.not(),
        may: a.must.not(),
    }
}

/// In which direction a signed result wraps, if it does: by its first operand's sign.
fn wraps(overflow: bool, first: &Bv) -> Option<bool> {
    overflow.then(|| first.sign())
}

pub(super) fn sum(a: &Word, b: &Word) -> Word {
    let mut word = Word::top(a.width());
    // Sums grow with both operands, so that if the sums at the two ends wrap in the same way, all sums between them do,
    // too.
    if a.low.uadd_overflow(&b.low) == a.high.uadd_overflow(&b.high) {
        word = word.unsigned(a.low.add(&b.low), a.high.add(&b.high));
    }
    let wrap = |x: &Bv, y: &Bv| wraps(x.sadd_overflow(y), x);
    if wrap(&a.least, &b.least) == wrap(&a.greatest, &b.greatest) {
        word = word.signed(a.least.add(&b.least), a.greatest.add(&b.greatest));
    }
    let (must, may) = sum_bits(a, b, &Bv::zero(a.width()));
    word.bits(&must, &may)
}

/// Known bits of `a + b + carry`: a carry grows with the bits below it.
fn sum_bits(a: &Word, b: &Word, carry: &Bv) -> (Bv, Bv) {
    let least = a.must.add(&b.must).add(carry);
    let most = a.may.add(&b.may).add(carry);
    let carried = least.xor(&a.must).xor(&b.must);
    let not_carried = most.xor(&a.may).xor(&b.may).not();
    let known = a.known().and(&b.known()).and(&carried.or(&not_carried));
    (least.and(&known), least.or(&known.not()))
}

pub(super) fn difference(a: &Word, b: &Word) -> Word {
    let mut word = Word::top(a.width());
    if a.low.usub_overflow(&b.high) == a.high.usub_overflow(&b.low) {
        word = word.unsigned(a.low.sub(&b.high), a.high.sub(&b.low));
    }
    let wrap = |x: &Bv, y: &Bv| wraps(x.ssub_overflow(y), x);
    if wrap(&a.least, &b.greatest) == wrap(&a.greatest, &b.least) {
        word = word.signed(a.least.sub(&b.greatest), a.greatest.sub(&b.least));
    }
    // `a - b` is `a + !b + 1`.
    let (must, may) = sum_bits(a, &not(b), &Bv::new(a.width(), 1));
    word.bits(&must, &may)
}

/// How many of the lowest bits are set.
fn trailing_ones(bits: &Bv) -> u32 {
    match bits.to_u128() {
        Some(low) => low.trailing_ones().min(bits.width()),
        None => u32::try_from(bits.to_biguint().trailing_ones()).unwrap_or(bits.width()),
    }
}

pub(super) fn product(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let mut word = Word::top(width);
    if !a.high.umul_overflow(&b.high) {
        word = word.unsigned(a.low.mul(&b.low), a.high.mul(&b.high));
    }
    word = with_corners(word, a, b, |x, y| (!x.smul_overflow(y)).then(|| x.mul(y)));
    // As many of the lowest bits of a product are known as lowest bits are known of both factors.
    let exact = mask(width, trailing_ones(&a.known()).min(trailing_ones(&b.known())));
    let low = a.must.mul(&b.must);
    word = word.bits(&low.and(&exact), &low.or(&exact.not()));
    let zeros = trailing_ones(&a.may.not()) + trailing_ones(&b.may.not());
    let may = mask(width, zeros).not();
    word.bits(&Bv::zero(width), &may)
}

/// The signed interval of an operation whose extremes are at the ends of its arguments, if it has
/// a value at each.
fn with_corners(word: Word, a: &Word, b: &Word, at: impl Fn(&Bv, &Bv) -> Option<Bv>) -> Word {
    let mut corners = [(&a.least, &b.least), (&a.least, &b.greatest)]
        .into_iter()
        .chain([(&a.greatest, &b.least), (&a.greatest, &b.greatest)])
        .map(|(x, y)| at(x, y));
    let Some(Some(first)) = corners.next() else { return word };
    let (mut least, mut greatest) = (first.clone(), first);
    for corner in corners {
        let Some(corner) = corner else { return word };
        least = signed_min(least, corner.clone());
        greatest = signed_max(greatest, corner);
    }
    word.signed(least, greatest)
}

fn quotient(a: &Word, b: &Word) -> Word {
    let word = Word::top(a.width());
    // With a divisor of one sign, a truncated quotient is monotone in each argument, except where
    // the least number is divided by -1.
    let one_sign = is_positive(&b.least) || b.greatest.sign();
    let wraps = a.least == Bv::signed_min(a.width()) && b.greatest.is_ones();
    if !one_sign || wraps {
        return word;
    }
    with_corners(word, a, b, |x, y| Some(x.sdiv(y)))
}

fn remainder(a: &Word, b: &Word) -> Word {
    let zero = Bv::zero(a.width());
    // The remainder is between zero and the dividend.
    let word = Word::top(a.width()).signed(
        signed_min(a.least.clone(), zero.clone()),
        signed_max(a.greatest.clone(), zero.clone()),
    );
    // The magnitude of the remainder is less than that of the divisor, unless the divisor is zero.
    let magnitude = if is_positive(&b.least) {
        b.greatest.clone()
    } else if b.greatest.sign() && b.least != Bv::signed_min(a.width()) {
        b.least.neg()
    } else {
        return word;
    };
    let most = before(&magnitude);
    word.signed(most.neg(), most)
}

pub(super) fn xor(a: &Word, b: &Word) -> Word {
    let must = a.must.and(&b.may.not()).or(&b.must.and(&a.may.not()));
    let may = a.may.and(&b.must.not()).or(&b.may.and(&a.must.not()));
    Word::top(a.width()).bits(&must, &may)
}

fn shift_left(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let mut word = Word::top(width);
    if let Some(by) = b.value() {
        word = word.bits(&a.must.shl(by), &a.may.shl(by));
    } else if let Some(by) = b.low.to_u128() {
        let zeros = by.saturating_add(u128::from(trailing_ones(&a.may.not())));
        let zeros = u32::try_from(zeros).unwrap_or(width);
        word = word.bits(&Bv::zero(width), &mask(width, zeros).not());
    }
    // No bit is lost: a product with a power of two.
    if a.high.shl(&b.high).lshr(&b.high) == a.high && !a.high.is_zero() {
        word = word.unsigned(a.low.shl(&b.low), a.high.shl(&b.high));
    }
    word
}

pub(super) fn extract(a: &Word, high: u32, low: u32) -> Word {
    let width = high - low + 1;
    let mut word = Word::top(width).bits(&a.must.extract(high, low), &a.may.extract(high, low));
    let top = a.width() - 1;
    // If all values agree above the slice, the slices have the same order as the values.
    let agree = high == top || a.low.extract(top, high + 1) == a.high.extract(top, high + 1);
    if agree {
        word = word.unsigned(a.low.extract(high, low), a.high.extract(high, low));
    }
    if high == top {
        word = word.signed(a.least.extract(high, low), a.greatest.extract(high, low));
    } else if low == 0 {
        // A signed number that fits into the slice is the number of its slice.
        let fits = |x: &Bv| x.extract(high, 0).sign_extend(x.width()) == *x;
        if fits(&a.least) && fits(&a.greatest) {
            word = word.signed(a.least.extract(high, 0), a.greatest.extract(high, 0));
        }
    }
    word
}
