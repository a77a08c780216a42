//! Rounding, and packing what was rounded.

use rustsat::types::Lit;
use term::{Format, Rounding};

use super::encodings::Unit;
use super::format::{exponent_bits, precision};
use super::shift::{filled_below, sign_extended};
use crate::gates::Gates;
use crate::words::Word;

/// A significand that is cut to the precision, with what was cut off.
pub(crate) struct Cut {
    /// The bits that are kept, as many as the precision has, the leading one on top.
    pub kept: Word,
    /// The bit just below the bits that are kept.
    pub half: Lit,
    /// Whether any bit further below is set.
    pub rest: Lit,
}

/// Whether rounding goes away from zero.
pub(super) fn goes_up(
    gates: &mut Gates,
    rounding: Rounding,
    sign: Lit,
    last: Lit,
    half: Lit,
    rest: Lit,
) -> Lit {
    match rounding {
        Rounding::NearestEven => {
            let above = gates.or(rest, last);
            gates.and(half, above)
        }
        Rounding::NearestAway => half,
        Rounding::TowardPositive | Rounding::TowardNegative => {
            let inexact = gates.or(half, rest);
            let away = if rounding == Rounding::TowardPositive { !sign } else { sign };
            gates.and(inexact, away)
        }
        Rounding::TowardZero => gates.constant(false),
    }
}

/// The sign of a sum of two numbers that cancel each other.
pub(super) fn cancelled_sign(gates: &Gates, rounding: Rounding) -> Lit {
    gates.constant(rounding == Rounding::TowardNegative)
}

impl Unit<'_> {
    /// Cuts a significand of any width to the precision.
    pub fn cut(&mut self, significand: &[Lit]) -> Cut {
        let wanted = precision(self.format);
        let significand = filled_below(self.gates, significand, significand.len().max(wanted + 1));
        let (rest, top) = significand.split_at(significand.len() - wanted - 1);
        Cut { kept: top[1..].to_vec(), half: top[0], rest: self.gates.or_all(rest) }
    }

    /// The magnitude of the float for a number. The exponent is that of the significand's highest bit, with the bias,
    /// in two's complement. Either this bit is set, or the number is zero, or the exponent is at most one.
    pub fn round(
        &mut self,
        rounding: Rounding,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
    ) -> Word {
        let Cut { mut kept, half, rest } = self.cut(significand);
        kept.insert(0, half);
        // A number below the least normal number loses bits until its exponent is one.
        let any = self.gates.or_all(exponent);
        let below = self.gates.or(exponent[exponent.len() - 1], !any);
        let one = self.gates.integer(exponent.len(), 1);
        let distance = self.gates.sub(&one, exponent);
        let distance: Word = distance.iter().map(|bit| self.gates.and(*bit, below)).collect();
        let (shifted, lost) = self.gates.shift_down(&kept, &distance);
        let rest = self.gates.or(rest, lost);
        let cut = Cut { kept: shifted[1..].to_vec(), half: shifted[0], rest };
        self.pack(rounding, sign, exponent, &cut)
    }

    /// As [`Unit::round`], for a number that is zero or at least the least normal number.
    pub fn round_normal(
        &mut self,
        rounding: Rounding,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
    ) -> Word {
        let cut = self.cut(significand);
        self.pack(rounding, sign, exponent, &cut)
    }

    /// The magnitude of the float for a number that has been shifted to where it is cut. If its leading bit is not set,
    /// the float is subnormal.
    pub fn pack(&mut self, rounding: Rounding, sign: Lit, exponent: &[Lit], cut: &Cut) -> Word {
        let format = self.format;
        let (fraction_bits, exponent_bits) = (precision(format) - 1, exponent_bits(format));
        let exponent = sign_extended(exponent, exponent.len().max(exponent_bits + 1));
        let (low, high) = exponent.split_at(exponent_bits);
        let leading = cut.kept[fraction_bits];
        let overflow = {
            let full = self.gates.and_all(low);
            let more = self.gates.or_all(&high[..high.len() - 1]);
            let large = self.gates.or(full, more);
            self.gates.and_all(&[large, !high[high.len() - 1], leading])
        };
        let up = goes_up(self.gates, rounding, sign, cut.kept[0], cut.half, cut.rest);
        let mut magnitude = cut.kept[..fraction_bits].to_vec();
        magnitude.extend(low.iter().map(|bit| self.gates.and(*bit, leading)));
        // A carry out of the fraction makes the next power of two, or the infinity.
        let zero = self.gates.word(magnitude.len() as u32, |_| false);
        let (rounded, _) = self.gates.add_with(&magnitude, &zero, up);
        let most = self.overflowed(rounding, sign, format);
        self.gates.ite_word(overflow, &most, &rounded)
    }

    /// The infinity or the largest number, as the rounding mode says.
    fn overflowed(&self, rounding: Rounding, sign: Lit, format: Format) -> Word {
        let infinite = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => self.gates.constant(true),
            Rounding::TowardPositive => !sign,
            Rounding::TowardNegative => sign,
            Rounding::TowardZero => self.gates.constant(false),
        };
        let mut magnitude = vec![!infinite; precision(format) - 1];
        magnitude.push(infinite);
        magnitude.resize(magnitude.len() + exponent_bits(format) - 1, self.gates.constant(true));
        magnitude
    }
}
