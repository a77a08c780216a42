//! Floating-point numbers as digits, exactly as glibc prints them.
//!
//! A finite float is a whole number times a power of two, so every digit can be had by arithmetic
//! on big integers; the last one is rounded to nearest, and of two equally near to the even one.

use num_bigint::BigUint;
use num_integer::Integer;
use term::{Float, Format};

/// Sign and magnitude of a float.
pub(super) struct Parts {
    /// Whether the sign bit is set. A NaN has none.
    pub(super) negative: bool,
    /// The magnitude.
    pub(super) magnitude: Magnitude,
}

/// A float without its sign.
#[derive(Clone, Copy)]
pub(super) enum Magnitude {
    /// Not a number.
    Nan,
    /// Infinity.
    Infinite,
    /// A number.
    Finite(Finite),
}

/// `significand * 2^exponent`; of a normal number the significand has its full length.
#[derive(Clone, Copy)]
pub(super) struct Finite {
    significand: u128,
    exponent: i64,
    format: Format,
}

impl Parts {
    /// Takes a float apart.
    pub(super) fn of(float: Float) -> Self {
        let format = float.format();
        let magnitude = if float.is_nan() {
            Magnitude::Nan
        } else if float.is_infinite() {
            Magnitude::Infinite
        } else {
            let (_, exponent, fraction) = float.parts();
            let bits = i64::from(format.significand_bits());
            let leading = u128::from(exponent != 0) << (bits - 1);
            let bias = (1i64 << (format.exponent_bits() - 1)) - 1;
            // The cast is exact: exponents have at most 15 bits.
            let exponent = exponent.max(1) as i64 - bias - (bits - 1);
            Magnitude::Finite(Finite { significand: leading | fraction, exponent, format })
        };
        Self { negative: float.is_negative(), magnitude }
    }
}

impl Finite {
    /// `%f` without the sign: `12.500`. The point stands without digits only if `point`.
    pub(super) fn fixed(self, precision: usize, point: bool) -> String {
        let mut digits = self.scaled(precision as i64).to_string();
        if digits.len() <= precision {
            digits.insert_str(0, &"0".repeat(precision + 1 - digits.len()));
        }
        if precision > 0 || point {
            digits.insert(digits.len() - precision, '.');
        }
        digits
    }

    /// `%e` without the sign: `1.250e+01`.
    pub(super) fn scientific(self, precision: usize, point: bool) -> String {
        let (digits, exponent) = self.digits(precision);
        with_exponent(digits, exponent, point)
    }

    /// `%g` without the sign: the shorter of the two, with `precision` digits that count;
    /// trailing zeros go unless `keep`.
    pub(super) fn general(self, precision: usize, keep: bool) -> String {
        let precision = precision.max(1);
        let (mut digits, exponent) = self.digits(precision - 1);
        if exponent < -4 || exponent >= precision as i64 {
            if !keep {
                digits.truncate(digits.trim_end_matches('0').len().max(1));
            }
            return with_exponent(digits, exponent, keep);
        }
        // The cast is exact: the exponent lies between -4 and the precision.
        let after = (precision as i64 - 1 - exponent) as usize;
        let text = self.fixed(after, keep);
        if keep || after == 0 {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// `%a` without the sign: `0x1.9p+3`. Without a precision as many digits as are needed.
    pub(super) fn hexadecimal(self, precision: Option<usize>, point: bool) -> String {
        // The x87 format shows four bits before the point, the others one.
        let before = if self.format == Format::X87 { 4 } else { 1 };
        let fraction_bits = i64::from(self.format.significand_bits()) - before;
        let mut exponent = if self.significand == 0 { 0 } else { self.exponent + fraction_bits };
        // Whole hexadecimal digits after the point.
        let digits = (fraction_bits as usize).div_ceil(4);
        let mut number = self.significand << (4 * digits as i64 - fraction_bits);
        let mut shown = digits;
        match precision {
            Some(precision) if precision < digits => {
                let cut = 4 * (digits - precision);
                let half = 1u128 << (cut - 1);
                let rest = number & ((half << 1) - 1);
                number >>= cut;
                if rest > half || (rest == half && number & 1 == 1) {
                    number += 1;
                }
                shown = precision;
            }
            Some(_) => {}
            None => {
                while shown > 0 && number & 0xf == 0 {
                    number >>= 4;
                    shown -= 1;
                }
            }
        }
        // Rounding may carry past the one digit before the point.
        if number >> (4 * shown) > 0xf {
            number >>= 4;
            exponent += 4;
        }
        let mut text = format!("{number:0width$x}", width = shown + 1);
        if let Some(precision) = precision {
            text.push_str(&"0".repeat(precision.saturating_sub(shown)));
        }
        if text.len() > 1 || point {
            text.insert(1, '.');
        }
        format!("0x{text}p{exponent:+}")
    }

    /// The first `precision + 1` digits, rounded, and the power of ten of the first one.
    fn digits(self, precision: usize) -> (String, i64) {
        if self.significand == 0 {
            return ("0".repeat(precision + 1), 0);
        }
        let bits = i64::from(u128::BITS - self.significand.leading_zeros());
        // Close to the logarithm; the loop corrects it by the number of digits that come out.
        let mut power =
            ((bits - 1 + self.exponent) as f64 * std::f64::consts::LOG10_2).floor() as i64;
        loop {
            let digits = self.scaled(precision as i64 - power).to_string();
            match digits.len().cmp(&(precision + 1)) {
                std::cmp::Ordering::Less => power -= 1,
                std::cmp::Ordering::Equal => return (digits, power),
                std::cmp::Ordering::Greater => power += 1,
            }
        }
    }

    /// The number times ten to `power`, rounded to a whole number.
    fn scaled(self, power: i64) -> BigUint {
        let ten = |power: i64| BigUint::from(10u8).pow(u32::try_from(power).unwrap_or(0));
        let mut above = BigUint::from(self.significand) << self.exponent.max(0);
        let mut below = BigUint::from(1u8);
        if power >= 0 {
            above *= ten(power);
        } else {
            below = ten(-power);
        }
        below <<= (-self.exponent).max(0);
        let (mut quotient, rest) = above.div_rem(&below);
        let twice = rest << 1;
        if twice > below || (twice == below && quotient.is_odd()) {
            quotient += 1u8;
        }
        quotient
    }
}

fn with_exponent(mut digits: String, exponent: i64, point: bool) -> String {
    if digits.len() > 1 || point {
        digits.insert(1, '.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
