//! Exact rational numbers, small ones inline.
//!
//! Nearly all numbers in a simplex tableau of a program's constraints fit in a machine word. Only the few larger
//! numbers cost an allocation.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

/// A rational number.
///
/// The form is canonical, so that equality and hashing may compare representations: lowest terms,
/// a positive denominator, and `Small` whenever both parts fit (the numerator `i64::MIN` counts as
/// not fitting, so that every small number has a small negation).
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Rational {
    Small(i64, i64),
    Big(Box<BigRational>),
}

impl Rational {
    pub(crate) const ZERO: Rational = Rational::Small(0, 1);
    pub(crate) const ONE: Rational = Rational::Small(1, 1);

    pub(crate) fn from_big(value: BigRational) -> Rational {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            // BigRational keeps lowest terms and a positive denominator.
            (Some(numer), Some(denom)) if numer != i64::MIN => Rational::Small(numer, denom),
            _ => Rational::Big(Box::new(value)),
        }
    }

    pub(crate) fn to_big(&self) -> BigRational {
        match self {
            Rational::Small(n, d) => BigRational::new_raw(BigInt::from(*n), BigInt::from(*d)),
            Rational::Big(value) => (**value).clone(),
        }
    }

    /// `numer / denom` in lowest terms, for a positive denominator.
    fn reduced(numer: i128, denom: i128) -> Rational {
        debug_assert!(denom > 0, "denominators are positive");
        // Narrow operands have a much cheaper greatest common divisor.
        let divisor = match (u64::try_from(numer.unsigned_abs()), u64::try_from(denom)) {
            (Ok(n), Ok(d)) => i128::from(n.gcd(&d)),
            _ => numer.gcd(&denom),
        };
        let (numer, denom) = (numer / divisor, denom / divisor);
        match (i64::try_from(numer), i64::try_from(denom)) {
            (Ok(n), Ok(d)) if n != i64::MIN => Rational::Small(n, d),
            _ => Rational::Big(Box::new(BigRational::new_raw(numer.into(), denom.into()))),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Rational::Small(0, _))
    }

    pub(crate) fn is_positive(&self) -> bool {
        match self {
            Rational::Small(n, _) => *n > 0,
            Rational::Big(value) => value.is_positive(),
        }
    }

    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Rational::Small(n, _) => *n < 0,
            Rational::Big(value) => value.is_negative(),
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Rational::Small(_, d) => *d == 1,
            Rational::Big(value) => value.is_integer(),
        }
    }

    pub(crate) fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The reciprocal. The reciprocal of zero, which no caller asks for, is zero.
    pub(crate) fn recip(&self) -> Rational {
        debug_assert!(!self.is_zero(), "only non-zero numbers are inverted");
        match self {
            Rational::Small(0, _) => Rational::ZERO,
            Rational::Small(n, d) if *n < 0 => Rational::Small(-d, -n),
            Rational::Small(n, d) => Rational::Small(*d, *n),
            Rational::Big(value) => Rational::from_big(value.recip()),
        }
    }

    /// The greatest integer that is at most this number.
    pub(crate) fn floor(&self) -> Rational {
        match self {
            Rational::Small(n, d) => Rational::Small(n.div_euclid(*d), 1),
            Rational::Big(value) => Rational::from_big(value.floor()),
        }
    }

    /// The least integer that is at least this number.
    pub(crate) fn ceil(&self) -> Rational {
        -&(-self).floor()
    }

    /// This number minus its floor: at least zero, less than one.
    pub(crate) fn fraction(&self) -> Rational {
        self - &self.floor()
    }

    /// The greatest rational of which both numbers are integer multiples; zero if both are zero.
    pub(crate) fn gcd(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let lcm = i128::from(*b) / i128::from(b.gcd(d)) * i128::from(*d);
                Rational::reduced(i128::from(a.gcd(c)), lcm)
            }
            _ => {
                let (a, b) = (self.to_big(), other.to_big());
                let numer = a.numer().gcd(b.numer());
                Rational::from_big(BigRational::new(numer, a.denom().lcm(b.denom())))
            }
        }
    }

    /// How many bits the larger of numerator and denominator has.
    pub(crate) fn bits(&self) -> u64 {
        match self {
            Rational::Small(n, d) => {
                let widest = n.unsigned_abs().max(d.unsigned_abs());
                u64::from(u64::BITS - widest.leading_zeros())
            }
            Rational::Big(value) => value.numer().bits().max(value.denom().bits()),
        }
    }

    /// `self + factor * other`.
    pub(crate) fn plus(&self, factor: &Rational, other: &Rational) -> Rational {
        if let (Rational::Small(a, 1), Rational::Small(b, 1), Rational::Small(c, 1)) =
            (self, factor, other)
            && let Some(sum) = b.checked_mul(*c).and_then(|product| product.checked_add(*a))
            && sum != i64::MIN
        {
            return Rational::Small(sum, 1);
        }
        self + &(factor * other)
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        if value == i64::MIN {
            Rational::Big(Box::new(BigRational::new_raw(value.into(), BigInt::one())))
        } else {
            Rational::Small(value, 1)
        }
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                let (a, b) = (i128::from(*a), i128::from(*b));
                let (c, d) = (i128::from(*c), i128::from(*d));
                // Each product is below 2^126, so that nothing here overflows.
                if b == d {
                    Rational::reduced(a + c, b)
                } else {
                    Rational::reduced(a * d + c * b, b * d)
                }
            }
            (a, b) if a.is_zero() => b.clone(),
            (a, b) if b.is_zero() => a.clone(),
            (a, b) => Rational::from_big(a.to_big() + b.to_big()),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                Rational::reduced(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            (a, b) if a.is_zero() || b.is_zero() => Rational::ZERO,
            (a, b) => Rational::from_big(a.to_big() * b.to_big()),
        }
    }
}

impl Div for &Rational {
    type Output = Rational;
    #[expect(clippy::suspicious_arithmetic_impl, reason = "division is by the reciprocal")]
    fn div(self, other: &Rational) -> Rational {
        self * &other.recip()
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match self {
            Rational::Small(n, d) => Rational::Small(-n, *d),
            Rational::Big(value) => Rational::from_big(-&**value),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (self, other) {
            (Rational::Small(a, b), Rational::Small(c, d)) if b == d => a.cmp(c),
            (Rational::Small(a, b), Rational::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            (a, b) => a.to_big().cmp(&b.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Debug for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_big())
    }
}

/// A number plus a multiple of an infinitely small positive one, which stands for strictness:
/// `x < 3` is `x <= 3 - δ` (Dutertre & de Moura 2006, §3.3). The order is lexicographic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Delta {
    pub(crate) real: Rational,
    pub(crate) delta: Rational,
}

impl Delta {
    pub(crate) const ZERO: Delta = Delta { real: Rational::ZERO, delta: Rational::ZERO };

    pub(crate) fn new(real: Rational) -> Delta {
        Delta { real, delta: Rational::ZERO }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }

    /// The greatest integer that is at most this number.
    pub(crate) fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.delta.is_negative() && floor == self.real { &floor - &Rational::ONE } else { floor }
    }

    /// The least integer that is at least this number.
    pub(crate) fn ceil(&self) -> Rational {
        let ceil = self.real.ceil();
        if self.delta.is_positive() && ceil == self.real { &ceil + &Rational::ONE } else { ceil }
    }

    /// `self + factor * other`.
    pub(crate) fn plus(&self, factor: &Rational, other: &Delta) -> Delta {
        let real = self.real.plus(factor, &other.real);
        let delta = if other.delta.is_zero() {
            self.delta.clone()
        } else {
            self.delta.plus(factor, &other.delta)
        };
        Delta { real, delta }
    }

    pub(crate) fn minus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }

    pub(crate) fn scaled(&self, factor: &Rational) -> Delta {
        Delta { real: &self.real * factor, delta: &self.delta * factor }
    }
}
