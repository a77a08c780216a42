//! Floating-point values. The arithmetic is that of `rustc_apfloat`; operations that it lacks are
//! in `exact.rs`, done on exact numbers.

use std::cmp::Ordering;
use std::fmt;

use rustc_apfloat::{Float as _, FloatConvert as _, Round, ieee};

use crate::bits::Bv;
use crate::sort::{Format, Rounding};

/// A floating-point value: a format and its bits.
///
/// There is one NaN in each format, quiet and positive: any other NaN becomes this one on construction. `Eq` and `Ord`
/// compare format and bits, so that NaN equals itself and the zeros differ; what IEEE means by equality and order is
/// [`Float::ieee_eq`], [`Float::ieee_lt`], [`Float::ieee_le`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    format: Format,
    bits: u128,
}

/// Runs the body with `$type` standing for apfloat's type of the format.
macro_rules! with_format {
    ($format:expr, $type:ident => $body:expr) => {
        match $format {
            Format::Half => {
                type $type = ieee::Half;
                $body
            }
            Format::Single => {
                type $type = ieee::Single;
                $body
            }
            Format::Double => {
                type $type = ieee::Double;
                $body
            }
            Format::X87 => {
                type $type = ieee::X87DoubleExtended;
                $body
            }
            Format::Quad => {
                type $type = ieee::Quad;
                $body
            }
        }
    };
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::TowardPositive => Round::TowardPositive,
        Rounding::TowardNegative => Round::TowardNegative,
        Rounding::TowardZero => Round::TowardZero,
    }
}

/// An operation on two values of one format, with a rounding mode.
macro_rules! rounded_binary {
    ($($(#[$doc:meta])* $name:ident = $method:ident;)*) => { $(
        $(#[$doc])*
        #[must_use]
        pub fn $name(self, rounding: Rounding, other: Float) -> Float {
            assert_eq!(self.format, other.format, "operands of one format");
            with_format!(self.format, F => {
                let (a, b) = (F::from_bits(self.bits), F::from_bits(other.bits));
                Float::from_bits(self.format, a.$method(b, round(rounding)).value.to_bits())
            })
        }
    )* };
}

#[expect(
    clippy::should_implement_trait,
    reason = "`neg` and `rem` stand beside `add(rounding, …)`, which is no operator"
)]
impl Float {
    /// The value that these bits encode; bits past the format's width are ignored.
    ///
    /// For the x87 format, a pseudo-denormal becomes the normal number that the processor reads
    /// it as, and an encoding that the processor calls invalid becomes NaN.
    #[must_use]
    pub fn from_bits(format: Format, bits: u128) -> Float {
        let fraction_bits = format.significand_bits() - 1;
        let exponent_mask = (1u128 << format.exponent_bits()) - 1;
        let fraction_mask = (1u128 << fraction_bits) - 1;
        if format == Format::X87 {
            let bits = bits & ((1 << 80) - 1);
            let exponent = bits >> 64 & exponent_mask;
            let leading = bits >> 63 & 1 == 1;
            let fraction = bits & fraction_mask;
            return match (exponent, leading) {
                (0, true) => Float { format, bits: bits | 1 << 64 },
                (0, false) => Float { format, bits },
                (_, false) => Float::nan(format),
                (0x7fff, true) if fraction != 0 => Float::nan(format),
                _ => Float { format, bits },
            };
        }
        let bits = if format.width() == 128 { bits } else { bits & ((1 << format.width()) - 1) };
        let exponent = bits >> fraction_bits & exponent_mask;
        if exponent == exponent_mask && bits & fraction_mask != 0 {
            Float::nan(format)
        } else {
            Float { format, bits }
        }
    }

    /// The value with this sign, biased exponent and fraction without the leading bit: the three
    /// parts of SMT-LIB's `fp`. Bits past the parts' widths are ignored.
    #[must_use]
    pub fn from_parts(format: Format, sign: bool, exponent: u128, fraction: u128) -> Float {
        let fraction_bits = format.significand_bits() - 1;
        let exponent = exponent & ((1 << format.exponent_bits()) - 1);
        let fraction = fraction & ((1 << fraction_bits) - 1);
        let leading = format == Format::X87 && exponent != 0;
        let low =
            if format == Format::X87 { u128::from(leading) << 63 | fraction } else { fraction };
        let stored = if format == Format::X87 { 64 } else { fraction_bits };
        let sign = u128::from(sign) << (format.width() - 1);
        Float::from_bits(format, sign | exponent << stored | low)
    }

    /// Sign, biased exponent and fraction without the leading bit.
    #[must_use]
    pub fn parts(self) -> (bool, u128, u128) {
        let fraction_bits = self.format.significand_bits() - 1;
        let stored = if self.format == Format::X87 { 64 } else { fraction_bits };
        let exponent = self.bits >> stored & ((1 << self.format.exponent_bits()) - 1);
        (self.sign(), exponent, self.bits & ((1 << fraction_bits) - 1))
    }

    /// The value of a Rust `f32`.
    #[must_use]
    pub fn from_f32(value: f32) -> Float {
        Float::from_bits(Format::Single, u128::from(value.to_bits()))
    }

    /// The value of a Rust `f64`.
    #[must_use]
    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(Format::Double, u128::from(value.to_bits()))
    }

    /// The nearest `f64`.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(Rounding::NearestEven, Format::Double).bits as u64)
    }

    /// The nearest `f32`.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.convert(Rounding::NearestEven, Format::Single).bits as u32)
    }

    /// The NaN of a format.
    #[must_use]
    pub fn nan(format: Format) -> Float {
        let fraction_bits = format.significand_bits() - 1;
        // The x87 stores the leading bit, which lies above the quiet bit.
        let ones = format.exponent_bits() + 1 + u32::from(format == Format::X87);
        Float { format, bits: ((1 << ones) - 1) << (fraction_bits - 1) }
    }

    /// Zero of a sign.
    #[must_use]
    pub fn zero(format: Format, negative: bool) -> Float {
        Float::from_parts(format, negative, 0, 0)
    }

    /// Infinity of a sign.
    #[must_use]
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float::from_parts(format, negative, u128::MAX, 0)
    }

    /// The finite number of the greatest magnitude.
    #[must_use]
    pub fn largest(format: Format, negative: bool) -> Float {
        Float::from_parts(format, negative, u128::MAX - 1, u128::MAX)
    }

    /// The format.
    #[must_use]
    pub fn format(self) -> Format {
        self.format
    }

    /// The encoding.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.bits
    }

    /// The encoding as a bit-vector of the format's width.
    #[must_use]
    pub fn to_bv(self) -> Bv {
        Bv::new(self.format.width(), self.bits)
    }

    pub(crate) fn sign(self) -> bool {
        self.bits >> (self.format.width() - 1) & 1 == 1
    }

    pub(crate) fn exponent_is_full(self) -> bool {
        self.parts().1 == (1 << self.format.exponent_bits()) - 1
    }

    /// Whether the value is NaN.
    #[must_use]
    pub fn is_nan(self) -> bool {
        self == Float::nan(self.format)
    }

    /// Whether the value is one of the infinities.
    #[must_use]
    pub fn is_infinite(self) -> bool {
        self.exponent_is_full() && !self.is_nan()
    }

    /// Whether the value is one of the zeros.
    #[must_use]
    pub fn is_zero(self) -> bool {
        let (_, exponent, fraction) = self.parts();
        exponent == 0 && fraction == 0
    }

    /// Whether the value is finite, not zero, and has the full precision.
    #[must_use]
    pub fn is_normal(self) -> bool {
        self.parts().1 != 0 && !self.exponent_is_full()
    }

    /// Whether the value is finite, not zero, and too small for the full precision.
    #[must_use]
    pub fn is_subnormal(self) -> bool {
        let (_, exponent, fraction) = self.parts();
        exponent == 0 && fraction != 0
    }

    /// Whether the value is a number (zero and infinity included) with the sign bit.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.sign() && !self.is_nan()
    }

    /// Whether the value is a number (zero and infinity included) without the sign bit.
    #[must_use]
    pub fn is_positive(self) -> bool {
        !self.sign() && !self.is_nan()
    }

    rounded_binary! {
        /// The sum.
        add = add_r;
        /// The difference.
        sub = sub_r;
        /// The product.
        mul = mul_r;
        /// The quotient.
        div = div_r;
    }

    /// `self * factor + addend`, rounded once.
    #[must_use]
    pub fn fma(self, rounding: Rounding, factor: Float, addend: Float) -> Float {
        assert!(
            self.format == factor.format && self.format == addend.format,
            "operands of one format"
        );
        with_format!(self.format, F => {
            let (a, b, c) = (F::from_bits(self.bits), F::from_bits(factor.bits), F::from_bits(addend.bits));
            Float::from_bits(self.format, a.mul_add_r(b, c, round(rounding)).value.to_bits())
        })
    }

    /// The nearest integral value in the direction of rounding.
    #[must_use]
    pub fn round_to_integral(self, rounding: Rounding) -> Float {
        with_format!(self.format, F => {
            let value = F::from_bits(self.bits).round_to_integral(round(rounding)).value;
            Float::from_bits(self.format, value.to_bits())
        })
    }

    /// The value without its sign.
    #[must_use]
    pub fn abs(self) -> Float {
        if self.is_negative() { self.neg() } else { self }
    }

    /// The value with the other sign; NaN stays.
    #[must_use]
    pub fn neg(self) -> Float {
        Float::from_bits(self.format, self.bits ^ 1 << (self.format.width() - 1))
    }

    /// The lesser value; if one of the two is NaN, the other one. If both are zeros, `-0` if one of them is `-0`:
    /// SMT-LIB leaves this case open, and IEEE 754-2019 (minimumNumber) decides it in this way.
    #[must_use]
    pub fn min(self, other: Float) -> Float {
        match self.compare(other) {
            None => {
                if self.is_nan() {
                    other
                } else {
                    self
                }
            }
            Some(Ordering::Less) => self,
            Some(Ordering::Greater) => other,
            Some(Ordering::Equal) => {
                if self.sign() {
                    self
                } else {
                    other
                }
            }
        }
    }

    /// The greater value; if one of the two is NaN, the other one. If both are zeros, `+0` if one of them is `+0`.
    #[must_use]
    pub fn max(self, other: Float) -> Float {
        match self.compare(other) {
            None => {
                if self.is_nan() {
                    other
                } else {
                    self
                }
            }
            Some(Ordering::Greater) => self,
            Some(Ordering::Less) => other,
            Some(Ordering::Equal) => {
                if self.sign() {
                    other
                } else {
                    self
                }
            }
        }
    }

    fn compare(self, other: Float) -> Option<Ordering> {
        assert_eq!(self.format, other.format, "operands of one format");
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        // The encodings of floats without the sign bit are ordered as their numbers are.
        Some(match (self.sign(), other.sign()) {
            (false, false) => self.bits.cmp(&other.bits),
            (true, true) => other.bits.cmp(&self.bits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// IEEE equality: false with NaN, true of the two zeros.
    #[must_use]
    pub fn ieee_eq(self, other: Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// IEEE order: false with NaN.
    #[must_use]
    pub fn ieee_lt(self, other: Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// IEEE order or equality: false with NaN.
    #[must_use]
    pub fn ieee_le(self, other: Float) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// The value in another format.
    #[must_use]
    pub fn convert(self, rounding: Rounding, format: Format) -> Float {
        if format == self.format {
            return self;
        }
        with_format!(self.format, F => with_format!(format, T => {
            let mut loses_info = false;
            let value: T = F::from_bits(self.bits).convert_r(round(rounding), &mut loses_info).value;
            Float::from_bits(format, value.to_bits())
        }))
    }

    /// The value of a signed number.
    pub(crate) fn from_i128(rounding: Rounding, format: Format, number: i128) -> Float {
        with_format!(format, F => {
            Float::from_bits(format, F::from_i128_r(number, round(rounding)).value.to_bits())
        })
    }

    /// The value of an unsigned number.
    pub(crate) fn from_u128(rounding: Rounding, format: Format, number: u128) -> Float {
        with_format!(format, F => {
            Float::from_bits(format, F::from_u128_r(number, round(rounding)).value.to_bits())
        })
    }
}

/// As SMT-LIB writes it: `(fp #b0 #b01111111 #b000…)`, and `(_ NaN 8 24)` and the like.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (eb, sb) = (self.format.exponent_bits(), self.format.significand_bits());
        let (sign, exponent, fraction) = self.parts();
        let mark = if sign { '-' } else { '+' };
        if self.is_nan() {
            write!(f, "(_ NaN {eb} {sb})")
        } else if self.is_infinite() {
            write!(f, "(_ {mark}oo {eb} {sb})")
        } else if self.is_zero() {
            write!(f, "(_ {mark}zero {eb} {sb})")
        } else {
            let (eb, fb) = (eb as usize, sb as usize - 1);
            write!(f, "(fp #b{} #b{exponent:0eb$b} #b{fraction:0fb$b})", u8::from(sign))
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
