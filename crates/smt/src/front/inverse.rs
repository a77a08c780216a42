//! Backward rules for bit-vectors: what is known of an argument, from what is known of the result
//! and of the other argument.

use term::{Bv, Op};

use super::word::{Word, mask};
use super::words::{difference, extract, not, product, sum, xor};

/// What is known of the argument of an operation on one argument of this width. `None` if nothing is known.
pub(super) fn unary(op: Op, out: &Word, width: u32) -> Option<Word> {
    Some(match op {
        Op::BvNot => not(out),
        Op::BvNeg => difference(&Word::constant(Bv::zero(width)), out),
        Op::BvZeroExtend(_) | Op::BvSignExtend(_) => extract(out, width - 1, 0),
        Op::BvExtract { high, low } => {
            let by = Bv::new(width, u128::from(low));
            let place = |bits: &Bv| bits.zero_extend(width).shl(&by);
            let around = place(&Bv::ones(out.width())).not();
            let word = Word::top(width).bits(&place(&out.must), &place(&out.may).or(&around));
            if high + 1 < width {
                return Some(word);
            }
            // The slice is the upper part of the argument, and decides about the order of arguments, signed or
            // unsigned.
            let below = mask(width, low);
            word.unsigned(place(&out.low), place(&out.high).or(&below))
                .signed(place(&out.least), place(&out.greatest).or(&below))
        }
        _ => return None,
    })
}

/// What is known of one argument of an operation on two arguments, the first or the second.
pub(super) fn binary(op: Op, out: &Word, other: &Word, first: bool) -> Option<Word> {
    let width = other.width();
    let top = || Word::top(width);
    Some(match op {
        Op::BvAdd => difference(out, other),
        Op::BvSub if first => sum(out, other),
        Op::BvSub => difference(other, out),
        Op::BvMul => product(out, &Word::constant(inverse(other.value()?)?)),
        Op::BvXor => xor(out, other),
        // A bit that is set in the result is set in both arguments; where a bit of the other argument is set, the bit
        // of this argument is that of the result.
        Op::BvAnd => top()
            .bits(&out.must, &other.must.and(&out.may.not()).not())
            .unsigned(out.low.clone(), Bv::ones(width)),
        Op::BvOr => top()
            .bits(&out.must.and(&other.may.not()), &out.may)
            .unsigned(Bv::zero(width), out.high.clone()),
        Op::BvShl if first => {
            let by = amount(other)?;
            let lost = mask(width, width - by).not();
            let by = Bv::new(width, u128::from(by));
            top().bits(&out.must.lshr(&by), &out.may.lshr(&by).or(&lost))
        }
        Op::BvLshr | Op::BvAshr if first => {
            let by = amount(other)?;
            let lost = mask(width, by);
            let by = Bv::new(width, u128::from(by));
            let word = top().bits(&out.must.shl(&by), &out.may.shl(&by).or(&lost));
            let kept = |end: &Bv| {
                if op == Op::BvLshr {
                    end.shl(&by).lshr(&by) == *end
                } else {
                    end.shl(&by).ashr(&by) == *end
                }
            };
            match op {
                Op::BvLshr if kept(&out.low) && kept(&out.high) => {
                    word.unsigned(out.low.shl(&by), out.high.shl(&by).or(&lost))
                }
                Op::BvAshr if kept(&out.least) && kept(&out.greatest) => {
                    word.signed(out.least.shl(&by), out.greatest.shl(&by).or(&lost))
                }
                _ => word,
            }
        }
        Op::BvUdiv if first => {
            let divisor = other.value().filter(|divisor| !divisor.is_zero())?;
            // `out * d <= x <= out * d + (d - 1)`.
            let rest = divisor.sub(&Bv::new(width, 1));
            let low =
                if out.low.umul_overflow(divisor) { Bv::ones(width) } else { out.low.mul(divisor) };
            let high =
                if out.high.umul_overflow(divisor) || out.high.mul(divisor).uadd_overflow(&rest) {
                    Bv::ones(width)
                } else {
                    out.high.mul(divisor).add(&rest)
                };
            top().unsigned(low, high)
        }
        _ => return None,
    })
}

/// The part of a concatenation above or below a cut.
pub(super) fn part(out: &Word, cut: u32, upper: bool) -> Word {
    if upper { extract(out, out.width() - 1, cut) } else { extract(out, cut - 1, 0) }
}

/// The constant amount of a shift, if the shift leaves some bits.
fn amount(by: &Word) -> Option<u32> {
    let amount = by.value()?.to_u128()?;
    u32::try_from(amount).ok().filter(|amount| *amount < by.width())
}

/// The number whose product with an odd number is one.
fn inverse(odd: &Bv) -> Option<Bv> {
    if !odd.bit(0) {
        return None;
    }
    // Newton's method: the product is right in twice as many bits after each step, and `odd`
    // itself is right in three.
    let two = Bv::new(odd.width(), 2);
    let mut inverse = odd.clone();
    let mut right = 3;
    while right < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right *= 2;
    }
    Some(inverse)
}
