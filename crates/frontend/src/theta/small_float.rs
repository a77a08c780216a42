//! Floating-point formats that are narrower than those of machines.
//!
//! A value of such a format is kept as a double. An operation is done on doubles, where it is
//! exact or off by so little that rounding once more gives what rounding once would have given
//! (53 > 2 * 11 + 2 bits: Figueroa 1995, "When is double rounding innocuous?"), and is then
//! rounded to the format by terms: scaled by a power of two, made integral, scaled back.

use term::{Float, Format, Op, Rounding, TermId, Terms};

/// Sizes of exponent and significand, the latter with its leading bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SmallFormat {
    exponent: u32,
    significand: u32,
}

impl SmallFormat {
    /// The format, if it is small enough.
    pub fn new(exponent: u32, significand: u32) -> Option<Self> {
        let fits = (2..=5).contains(&exponent) && (2..=11).contains(&significand);
        fits.then_some(Self { exponent, significand })
    }

    /// Bits of the exponent.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Bits of the significand, the leading one included.
    pub fn significand(self) -> u32 {
        self.significand
    }

    fn greatest_exponent(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn least_exponent(self) -> i32 {
        1 - self.greatest_exponent()
    }

    fn fraction_bits(self) -> i32 {
        // The number is at most ten.
        self.significand as i32 - 1
    }

    /// The value that biased exponent and fraction stand for.
    pub fn literal(self, negative: bool, exponent: u32, fraction: u32) -> f64 {
        let fraction_bits = self.fraction_bits();
        let size = if exponent == (1 << self.exponent) - 1 {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else if exponent == 0 {
            f64::from(fraction) * power(self.least_exponent() - fraction_bits)
        } else {
            let scale = exponent as i32 - self.greatest_exponent() - fraction_bits;
            f64::from(fraction + (1 << fraction_bits)) * power(scale)
        };
        if negative { -size } else { size }
    }

    /// The double rounded to the format.
    pub fn round(self, terms: &mut Terms, rounding: Rounding, value: TermId) -> TermId {
        let beyond = power(self.greatest_exponent() + 1);
        let greatest = beyond - power(self.greatest_exponent() - self.fraction_bits());
        // NaN and the infinities are not below any bound and are kept by the last case.
        let mut result = self.overflow(terms, rounding, value, greatest);
        let size = terms.app(Op::FpAbs, &[value]);
        for exponent in (self.least_exponent()..=self.greatest_exponent()).rev() {
            let bound = double(terms, power(exponent + 1));
            let below = terms.app(Op::FpLt, &[size, bound]);
            let step = exponent - self.fraction_bits();
            let mut rounded = to_multiple(terms, rounding, value, step);
            if exponent == self.greatest_exponent() {
                let too_large = double(terms, beyond);
                let rounded_size = terms.app(Op::FpAbs, &[rounded]);
                let over = terms.app(Op::FpLe, &[too_large, rounded_size]);
                let infinity = signed(terms, value, f64::INFINITY, f64::NEG_INFINITY);
                rounded = terms.app(Op::Ite, &[over, infinity, rounded]);
            }
            result = terms.app(Op::Ite, &[below, rounded, result]);
        }
        result
    }

    /// Whether a double is a value of the format.
    pub fn contains(self, terms: &mut Terms, value: TermId) -> TermId {
        let rounded = self.round(terms, Rounding::NearestEven, value);
        terms.app(Op::Eq, &[value, rounded])
    }

    /// What becomes of a value that is no number, or that is larger than every number of the format.
    fn overflow(self, terms: &mut Terms, mode: Rounding, value: TermId, greatest: f64) -> TermId {
        let (above, below) = match mode {
            Rounding::NearestEven | Rounding::NearestAway => (f64::INFINITY, f64::NEG_INFINITY),
            Rounding::TowardPositive => (f64::INFINITY, -greatest),
            Rounding::TowardNegative => (greatest, f64::NEG_INFINITY),
            Rounding::TowardZero => (greatest, -greatest),
        };
        let finite = signed(terms, value, above, below);
        let infinite = terms.app(Op::FpIsInfinite, &[value]);
        let nan = terms.app(Op::FpIsNan, &[value]);
        let kept = terms.app(Op::Or, &[infinite, nan]);
        terms.app(Op::Ite, &[kept, value, finite])
    }
}

/// A power of two that a double can hold exactly, because formats are small.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

fn double(terms: &mut Terms, value: f64) -> TermId {
    terms.float(Float::from_f64(value))
}

/// One of two constants, depending on the sign of a value.
fn signed(terms: &mut Terms, value: TermId, positive: f64, negative: f64) -> TermId {
    let positive = double(terms, positive);
    let negative = double(terms, negative);
    let is_negative = terms.app(Op::FpIsNegative, &[value]);
    terms.app(Op::Ite, &[is_negative, negative, positive])
}

/// The value rounded to a multiple of two to the power of `step`. Scaling is exact, and so the
/// mode with which it is done does not matter.
fn to_multiple(terms: &mut Terms, rounding: Rounding, value: TermId, step: i32) -> TermId {
    let up = double(terms, power(-step));
    let down = double(terms, power(step));
    let scaled = terms.app(Op::FpMul(Rounding::NearestEven), &[value, up]);
    let whole = terms.app(Op::FpRound(rounding), &[scaled]);
    terms.app(Op::FpMul(Rounding::NearestEven), &[whole, down])
}

/// The format in which values of small formats are kept.
pub(super) const HOST: Format = Format::Double;
