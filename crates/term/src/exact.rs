//! Floats as exact numbers, and exact numbers rounded to floats; with them the operations of floats
//! that `rustc_apfloat` lacks, or does not have for every width.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

use crate::bits::Bv;
use crate::float::Float;
use crate::sort::{Format, Rounding};

/// A finite number that is not zero: `± significand * 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    pub(crate) significand: BigUint,
    pub(crate) exponent: i64,
}

/// Exponent of the last bit of the smallest numbers.
fn least_exponent(format: Format) -> i64 {
    let bias = (1i64 << (format.exponent_bits() - 1)) - 1;
    1 - bias - (i64::from(format.significand_bits()) - 1)
}

impl Exact {
    /// The number that a float stands for; `None` for zero, infinity and NaN.
    pub(crate) fn of(float: Float) -> Option<Exact> {
        if float.is_nan() || float.is_infinite() || float.is_zero() {
            return None;
        }
        let format = float.format();
        let (negative, exponent, fraction) = float.parts();
        let leading = u128::from(exponent != 0) << (format.significand_bits() - 1);
        // The cast is exact: exponents have at most 15 bits.
        let exponent = least_exponent(format) + (exponent.max(1) as i64 - 1);
        Some(Exact { negative, significand: BigUint::from(leading | fraction), exponent })
    }

    /// The square root of a positive number.
    pub(crate) fn sqrt(&self, rounding: Rounding, format: Format) -> Float {
        // The significand gets so many bits that the root has at least two more than the format keeps, and the exponent
        // becomes even.
        let wanted = 2 * (i64::from(format.significand_bits()) + 2);
        let mut shift = (wanted - self.significand.bits() as i64).max(0);
        if (self.exponent - shift) % 2 != 0 {
            shift += 1;
        }
        let square = &self.significand << shift;
        let root = square.sqrt();
        let inexact = &root * &root != square;
        let exact =
            Exact { negative: false, significand: root, exponent: (self.exponent - shift) / 2 };
        exact.round(rounding, format, inexact)
    }

    /// The float for this number or, if `inexact`, for one that lies strictly between it and the
    /// next number with the same exponent in direction away from zero. In that case the
    /// significand must have at least two bits more than the format's.
    pub(crate) fn round(&self, rounding: Rounding, format: Format, inexact: bool) -> Float {
        let precision = i64::from(format.significand_bits());
        let negative = self.negative;
        let top = self.exponent + self.significand.bits() as i64;
        let mut last = (top - precision).max(least_exponent(format));
        let cut = last - self.exponent;
        let (mut kept, half, rest) = if cut <= 0 {
            debug_assert!(!inexact, "no room for what is cut off");
            (&self.significand << -cut, false, false)
        } else {
            let cut = cut as u64;
            let rest =
                inexact || self.significand.trailing_zeros().is_some_and(|zeros| zeros < cut - 1);
            (&self.significand >> cut, self.significand.bit(cut - 1), rest)
        };
        let up = match rounding {
            Rounding::NearestEven => half && (rest || kept.bit(0)),
            Rounding::NearestAway => half,
            Rounding::TowardPositive => !negative && (half || rest),
            Rounding::TowardNegative => negative && (half || rest),
            Rounding::TowardZero => false,
        };
        if up {
            kept += BigUint::one();
            if kept.bits() as i64 > precision {
                kept >>= 1;
                last += 1;
            }
        }
        let subnormal = (kept.bits() as i64) < precision;
        let exponent = if subnormal { 0 } else { last - least_exponent(format) + 1 };
        if exponent >= (1 << format.exponent_bits()) - 1 {
            let finite = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => false,
                Rounding::TowardPositive => negative,
                Rounding::TowardNegative => !negative,
                Rounding::TowardZero => true,
            };
            return if finite {
                Float::largest(format, negative)
            } else {
                Float::infinity(format, negative)
            };
        }
        let mut digits = kept.iter_u64_digits();
        let low = u128::from(digits.next().unwrap_or(0));
        let high = u128::from(digits.next().unwrap_or(0));
        Float::from_parts(format, negative, exponent as u128, high << 64 | low)
    }
}

/// The float for an integer; zero is positive.
pub(crate) fn from_bigint(rounding: Rounding, format: Format, number: &BigInt) -> Float {
    if number.is_zero() {
        return Float::zero(format, false);
    }
    let negative = number.sign() == Sign::Minus;
    Exact { negative, significand: number.magnitude().clone(), exponent: 0 }
        .round(rounding, format, false)
}

/// The integer that an integral float stands for; `None` for infinity and NaN.
pub(crate) fn to_bigint(float: Float) -> Option<BigInt> {
    if float.is_zero() {
        return Some(BigInt::zero());
    }
    let exact = Exact::of(float)?;
    let magnitude = if exact.exponent >= 0 {
        exact.significand << exact.exponent
    } else {
        exact.significand >> -exact.exponent
    };
    Some(BigInt::from_biguint(if exact.negative { Sign::Minus } else { Sign::Plus }, magnitude))
}

/// `a - b * n` with `n` the quotient rounded to nearest even or cut off. The result is exact in
/// either case, and a zero has the sign of `a`.
fn remainder(a: Float, b: Float, nearest: bool) -> Float {
    assert_eq!(a.format(), b.format(), "operands of one format");
    let format = a.format();
    if a.is_nan() || b.is_nan() || a.is_infinite() || b.is_zero() {
        return Float::nan(format);
    }
    let (Some(x), Some(y)) = (Exact::of(a), Exact::of(b)) else {
        // The only cases left are a zero dividend and an infinite divisor.
        return a;
    };
    let two = BigUint::from(2u8);
    let exponent = x.exponent.min(y.exponent);
    let divisor = &y.significand << (y.exponent - exponent);
    // Only the remainder and the last bit of the quotient matter: so compute modulo twice the divisor, and a great
    // power of two by repeated squaring.
    let modulus = &divisor * &two;
    let power = two.modpow(&BigUint::from((x.exponent - exponent) as u64), &modulus);
    let mut rest = &x.significand * power % &modulus;
    let odd = rest >= divisor;
    if odd {
        rest -= &divisor;
    }
    let mut negative = x.negative;
    if nearest {
        let twice = &rest * &two;
        if twice > divisor || (twice == divisor && odd) {
            rest = divisor - rest;
            negative = !negative;
        }
    }
    if rest.is_zero() {
        return Float::zero(format, x.negative);
    }
    Exact { negative, significand: rest, exponent }.round(Rounding::NearestEven, format, false)
}

#[expect(
    clippy::should_implement_trait,
    reason = "`neg` and `rem` stand beside `add(rounding, …)`, which is no operator"
)]
impl Float {
    /// The square root.
    #[must_use]
    pub fn sqrt(self, rounding: Rounding) -> Float {
        if self.is_nan() || self.is_zero() {
            return self;
        }
        if self.sign() {
            return Float::nan(self.format());
        }
        match Exact::of(self) {
            Some(exact) => exact.sqrt(rounding, self.format()),
            None => self,
        }
    }

    /// IEEE's remainder: `self - other * n`, where `n` is the integer nearest to the quotient, and the even integer if
    /// two are equally near.
    #[must_use]
    pub fn rem(self, other: Float) -> Float {
        remainder(self, other, true)
    }

    /// C's `fmod`: `self - other * n`, where `n` is the quotient with its fraction cut off. The
    /// result is exact and has the sign of the dividend.
    #[must_use]
    pub fn fmod(self, other: Float) -> Float {
        remainder(self, other, false)
    }

    /// The value of a signed bit-vector.
    #[must_use]
    pub fn from_signed_bv(rounding: Rounding, format: Format, bv: &Bv) -> Float {
        match bv.to_i128() {
            Some(number) => Float::from_i128(rounding, format, number),
            None => from_bigint(rounding, format, &bv.to_bigint_signed()),
        }
    }

    /// The value of an unsigned bit-vector.
    #[must_use]
    pub fn from_unsigned_bv(rounding: Rounding, format: Format, bv: &Bv) -> Float {
        match bv.to_u128() {
            Some(number) => Float::from_u128(rounding, format, number),
            None => from_bigint(rounding, format, &bv.to_bigint_unsigned()),
        }
    }

    /// The integer that an integral value stands for, if its magnitude is below 2^127. Most values are that small: this
    /// function spares big integers, and `rustc_apfloat` overflows in its own conversion.
    fn small_integer(self) -> Option<i128> {
        let (negative, exponent, fraction) = self.parts();
        let fraction_bits = i64::from(self.format().significand_bits()) - 1;
        let bias = (1i64 << (self.format().exponent_bits() - 1)) - 1;
        if self.is_zero() {
            return Some(0);
        }
        if self.exponent_is_full() {
            return None;
        }
        // The cast is exact: exponents have at most 15 bits.
        let exponent = exponent as i64 - bias;
        if !(0..127).contains(&exponent) {
            return None;
        }
        let significand = (1 << fraction_bits | fraction) as i128;
        let by = exponent - fraction_bits;
        let magnitude = if by >= 0 { significand << by } else { significand >> -by };
        Some(if negative { -magnitude } else { magnitude })
    }

    /// The value rounded to an integer, as a signed bit-vector; the least number of the width if the value is NaN or
    /// does not fit, as on x86.
    #[must_use]
    pub fn to_signed_bv(self, rounding: Rounding, width: u32) -> Bv {
        let integral = self.round_to_integral(rounding);
        if let Some(number) = integral.small_integer() {
            let bv = Bv::from_signed(width, number);
            return if bv.to_i128() == Some(number) { bv } else { Bv::signed_min(width) };
        }
        let Some(number) = to_bigint(integral) else {
            return Bv::signed_min(width);
        };
        let bv = Bv::from_bigint(width, &number);
        if bv.to_bigint_signed() == number { bv } else { Bv::signed_min(width) }
    }

    /// The value rounded to an integer, as an unsigned bit-vector; only the highest bit set if the value is NaN or does
    /// not fit, which is our choice: the same bits as for signed bit-vectors.
    #[must_use]
    pub fn to_unsigned_bv(self, rounding: Rounding, width: u32) -> Bv {
        let integral = self.round_to_integral(rounding);
        if let Some(number) = integral.small_integer() {
            let bv = Bv::from_signed(width, number);
            let same = number >= 0 && bv.to_u128() == Some(number.unsigned_abs());
            return if same { bv } else { Bv::signed_min(width) };
        }
        let Some(number) = to_bigint(integral) else {
            return Bv::signed_min(width);
        };
        let bv = Bv::from_bigint(width, &number);
        if bv.to_bigint_unsigned() == number { bv } else { Bv::signed_min(width) }
    }
}
