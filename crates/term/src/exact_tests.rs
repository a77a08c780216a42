//! The arithmetic of `rustc_apfloat` against that on exact numbers, in every format and mode:
//! two implementations that share no code.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use crate::bits::Bv;
use crate::exact::{self, Exact};
use crate::float::Float;
use crate::sort::{Format, Rounding};

fn format() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

fn rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(Rounding::ALL.to_vec())
}

/// Any encoding; and such with an exponent near the middle, near the ends, or few digits.
fn float(format: Format) -> impl Strategy<Value = Float> {
    let top = (1u128 << format.exponent_bits()) - 1;
    let fraction = prop_oneof![
        any::<u128>(),
        0..4u128,
        (0..4u128).prop_map(|n| u128::MAX - n),
        (0..128u32).prop_map(|n| 1 << n),
    ];
    let exponent = prop_oneof![
        any::<u128>(),
        (0..40u128).prop_map(move |n| (top / 2 + n).saturating_sub(20)),
        0..4u128,
        Just(top - 1),
        Just(top)
    ];
    (any::<bool>(), exponent, fraction)
        .prop_map(move |(sign, e, f)| Float::from_parts(format, sign, e, f))
}

fn two() -> impl Strategy<Value = (Float, Float)> {
    format().prop_flat_map(|f| (float(f), float(f)))
}

fn three() -> impl Strategy<Value = (Float, Float, Float)> {
    format().prop_flat_map(|f| (float(f), float(f), float(f)))
}

/// A number with its exponent, zero included: `number * 2^exponent`.
type Number = (BigInt, i64);

fn number(float: Float) -> Option<Number> {
    if float.is_zero() {
        return Some((BigInt::zero(), 0));
    }
    let exact = Exact::of(float)?;
    let sign = if exact.negative { Sign::Minus } else { Sign::Plus };
    Some((BigInt::from_biguint(sign, exact.significand), exact.exponent))
}

fn sum((a, e): Number, (b, f): Number) -> Number {
    let exponent = e.min(f);
    ((a << (e - exponent)) + (b << (f - exponent)), exponent)
}

/// The float of a number that is not zero.
fn rounded(rounding: Rounding, format: Format, (n, exponent): Number, inexact: bool) -> Float {
    let exact = Exact { negative: n.is_negative(), significand: n.magnitude().clone(), exponent };
    exact.round(rounding, format, inexact)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn sums((a, b) in two(), r in rounding()) {
        let Some((x, y)) = number(a).zip(number(b)) else { return Ok(()) };
        let exact = sum(x, y);
        if !exact.0.is_zero() {
            prop_assert_eq!(a.add(r, b), rounded(r, a.format(), exact, false));
        } else if !a.is_zero() {
            // Numbers that cancel give +0, and -0 only when rounding down.
            prop_assert_eq!(a.add(r, b), Float::zero(a.format(), r == Rounding::TowardNegative));
        }
        prop_assert_eq!(a.sub(r, b), a.add(r, b.neg()));
        prop_assert_eq!(a.add(r, b), b.add(r, a));
    }

    #[test]
    fn products((a, b) in two(), r in rounding()) {
        let negative = a.is_negative() != b.is_negative();
        match number(a).zip(number(b)) {
            Some(((x, e), (y, f))) if !x.is_zero() && !y.is_zero() => {
                prop_assert_eq!(a.mul(r, b), rounded(r, a.format(), (x * y, e + f), false));
            }
            Some(_) => prop_assert_eq!(a.mul(r, b), Float::zero(a.format(), negative)),
            None if a.is_nan() || b.is_nan() || a.is_zero() || b.is_zero() => prop_assert!(a.mul(r, b).is_nan()),
            None => prop_assert_eq!(a.mul(r, b), Float::infinity(a.format(), negative)),
        }
        prop_assert_eq!(a.mul(r, b), b.mul(r, a));
    }

    #[test]
    fn quotients((a, b) in two(), r in rounding()) {
        let Some(((x, e), (y, f))) = number(a).zip(number(b)) else { return Ok(()) };
        if x.is_zero() || y.is_zero() {
            return Ok(());
        }
        let shift = 300i64;
        let scaled: BigInt = x << shift;
        let (quotient, rest) = (&scaled / &y, &scaled % &y);
        let expected = rounded(r, a.format(), (quotient, e - f - shift), !rest.is_zero());
        prop_assert_eq!(a.div(r, b), expected);
    }

    #[test]
    fn fused((a, b, c) in three(), r in rounding()) {
        let Some(((x, e), (y, f))) = number(a).zip(number(b)) else { return Ok(()) };
        let Some(z) = number(c) else { return Ok(()) };
        let product = (x * y, e + f);
        let cancels = !product.0.is_zero();
        let exact = sum(product, z);
        if !exact.0.is_zero() {
            prop_assert_eq!(a.fma(r, b, c), rounded(r, a.format(), exact, false));
        } else if cancels {
            prop_assert_eq!(a.fma(r, b, c), Float::zero(a.format(), r == Rounding::TowardNegative));
        } else {
            // A zero product plus a zero is as the sum of the two zeros.
            let product = Float::zero(a.format(), a.is_negative() != b.is_negative());
            prop_assert_eq!(a.fma(r, b, c), product.add(r, c));
        }
    }

    #[test]
    fn roots(a in format().prop_flat_map(float), r in rounding()) {
        let root = a.sqrt(r);
        let Some(exact) = Exact::of(a) else {
            prop_assert_eq!(root, if a == Float::infinity(a.format(), true) { Float::nan(a.format()) } else { a });
            return Ok(());
        };
        if exact.negative {
            prop_assert!(root.is_nan());
            return Ok(());
        }
        // The root of a finite number is normal: neither too great nor too small.
        prop_assert!(root.is_normal());
        let next = |by: i128| {
            let (_, exponent, fraction) = root.parts();
            let bits = a.format().significand_bits() - 1;
            let place = ((exponent << bits | fraction) as i128 + by) as u128;
            Float::from_parts(a.format(), false, place >> bits, place)
        };
        let square = |float: Float| number(float).map(|(n, e)| (&n * &n, 2 * e));
        let minus = (-BigInt::from(exact.significand.clone()), exact.exponent);
        let excess = |float: Float| square(float).map(|square| sum(square, minus.clone()).0);
        let Some(off) = excess(root) else { return Err(TestCaseError::fail("a finite root")) };
        match r {
            Rounding::TowardPositive => {
                prop_assert!(!off.is_negative() && excess(next(-1)).is_some_and(|off| off.is_negative()));
            }
            Rounding::TowardNegative | Rounding::TowardZero => {
                prop_assert!(!off.is_positive() && excess(next(1)).is_none_or(|off| off.is_positive()));
            }
            // A root is never half-way between two floats.
            Rounding::NearestEven | Rounding::NearestAway => {
                let half = |x: Float, y: Float| {
                    number(x).zip(number(y)).map(|(x, y)| sum(x, y)).map(|(n, e)| (&n * &n, 2 * (e - 1)))
                };
                let below = half(root, next(-1)).map(|square| sum(square, minus.clone()).0);
                let above = half(root, next(1)).map(|square| sum(square, minus.clone()).0);
                prop_assert!(below.is_none_or(|off| off.is_negative()));
                prop_assert!(above.is_none_or(|off| off.is_positive()));
            }
        }
    }

    #[test]
    fn remainders((a, b) in two()) {
        let Some((x, y)) = number(a).zip(number(b)) else { return Ok(()) };
        // Exact division by integers would not end for exponents that are far apart.
        if y.0.is_zero() || x.1 - y.1 > 2000 || y.1 - x.1 > 2000 {
            return Ok(());
        }
        let exponent = x.1.min(y.1);
        let (n, d) = (x.0 << (x.1 - exponent), y.0 << (y.1 - exponent));
        let cut = &n % &d;
        let check = |rest: &BigInt, float: Float| match number(float) {
            Some(number) => sum(number, (-rest, exponent)).0.is_zero() && (!rest.is_zero() || float.is_negative() == a.is_negative()),
            None => false,
        };
        prop_assert!(check(&cut, a.fmod(b)));
        let quotient = &n / &d;
        let away = if n.is_negative() == d.is_negative() { BigInt::one() } else { -BigInt::one() };
        let other = &n - (&quotient + &away) * &d;
        let odd = quotient.magnitude() % 2u32 == BigUint::one();
        let nearest = match cut.magnitude().cmp(other.magnitude()) {
            std::cmp::Ordering::Less => cut,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => if odd { other } else { cut },
        };
        prop_assert!(check(&nearest, a.rem(b)));
    }

    #[test]
    fn conversions(a in format().prop_flat_map(float), to in format(), r in rounding()) {
        let converted = a.convert(r, to);
        match Exact::of(a) {
            Some(exact) => prop_assert_eq!(converted, exact.round(r, to, false)),
            None if a.is_nan() => prop_assert!(converted.is_nan()),
            None if a.is_zero() => prop_assert_eq!(converted, Float::zero(to, a.is_negative())),
            None => prop_assert_eq!(converted, Float::infinity(to, a.is_negative())),
        }
    }

    #[test]
    fn integers(words in prop::array::uniform4(any::<u64>()), width in 1..220u32, to in format(), r in rounding()) {
        let bits = words.into_iter().fold(BigUint::zero(), |n, word| n << 64 | BigUint::from(word));
        let bv = Bv::from_biguint(width, &bits);
        prop_assert_eq!(Float::from_signed_bv(r, to, &bv), exact::from_bigint(r, to, &bv.to_bigint_signed()));
        prop_assert_eq!(Float::from_unsigned_bv(r, to, &bv), exact::from_bigint(r, to, &bv.to_bigint_unsigned()));
    }

    #[test]
    fn to_integers(a in format().prop_flat_map(float), width in 1..220u32, r in rounding()) {
        let integral = a.round_to_integral(r);
        let exact = number(a).map(|(n, e)| {
            if e >= 0 {
                return n << e;
            }
            let one = BigInt::one() << -e;
            let floor = &n >> -e;
            let rest = &n - (&floor << -e);
            let twice = &rest * 2;
            let up = match r {
                Rounding::TowardNegative => false,
                Rounding::TowardPositive => !rest.is_zero(),
                Rounding::TowardZero => n.is_negative() && !rest.is_zero(),
                Rounding::NearestAway => twice > one || (twice == one && !n.is_negative()),
                Rounding::NearestEven => twice > one || (twice == one && floor.bit(0)),
            };
            if up { floor + 1 } else { floor }
        });
        prop_assert_eq!(exact::to_bigint(integral), exact.clone());
        let modulus = BigInt::one() << width;
        let half: BigInt = &modulus / 2;
        let signed = exact.clone().filter(|n| *n >= -&half && *n < half).unwrap_or(-&half);
        prop_assert_eq!(a.to_signed_bv(r, width), Bv::from_bigint(width, &signed));
        let unsigned = exact.filter(|n| !n.is_negative() && *n < modulus).unwrap_or(half);
        prop_assert_eq!(a.to_unsigned_bv(r, width), Bv::from_bigint(width, &unsigned));
    }
}
