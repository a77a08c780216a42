//! Sets of signs.

use std::fmt;

use num_bigint::BigInt;
use term::{Bv, Op, TermId, Terms};

/// Some of the three signs, of a bit-vector that is read with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signs(u8);

impl Signs {
    pub(crate) const NEGATIVE: Self = Self(1);
    pub(crate) const ZERO: Self = Self(2);
    pub(crate) const POSITIVE: Self = Self(4);
    pub(crate) const ALL: Self = Self(7);
    /// All signs but that of zero.
    pub(crate) const NOT_ZERO: Self = Self(5);

    pub(crate) fn of(bits: &Bv) -> Self {
        match bits {
            bits if bits.is_zero() => Self::ZERO,
            bits if bits.sign() => Self::NEGATIVE,
            _ => Self::POSITIVE,
        }
    }

    pub(crate) const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn either(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The least and the greatest number with one of these signs.
    pub(crate) fn range(self, width: u32) -> (BigInt, BigInt) {
        let half = BigInt::from(1) << (width - 1);
        let low = match self {
            signs if signs.has(Self::NEGATIVE) => -&half,
            signs if signs.has(Self::ZERO) => BigInt::ZERO,
            _ => BigInt::from(1),
        };
        let high = match self {
            signs if signs.has(Self::POSITIVE) => half - 1,
            signs if signs.has(Self::ZERO) => BigInt::ZERO,
            _ => BigInt::from(-1),
        };
        (low, high)
    }

    /// The formula that a bit-vector has one of these signs.
    pub(crate) fn formula(self, terms: &mut Terms, number: TermId) -> TermId {
        let zero = terms.bv(terms.width(number), 0);
        let negative = terms.bv_slt(number, zero);
        let is_zero = terms.eq(number, zero);
        let positive = terms.bv_slt(zero, number);
        let all = [(Self::NEGATIVE, negative), (Self::ZERO, is_zero), (Self::POSITIVE, positive)];
        let allowed = all.into_iter().filter(|(sign, _)| self.has(*sign));
        let allowed: Vec<TermId> = allowed.map(|(_, formula)| formula).collect();
        terms.or(&allowed)
    }

    /// The signs of the numbers that are in a relation with a bound: `number op bound`, or the other way
    /// round.
    pub(crate) fn allowed(op: Op, bound: &Bv, turned: bool) -> Self {
        let width = bound.width();
        let bound_signed = bound.to_bigint_signed();
        let strict = matches!(op, Op::BvSlt | Op::BvUlt);
        match op {
            Op::BvSlt | Op::BvSle => {
                let fits = |sign: &Self| {
                    let (low, high) = sign.range(width);
                    match (turned, strict) {
                        (false, true) => low < bound_signed,
                        (false, false) => low <= bound_signed,
                        (true, true) => bound_signed < high,
                        (true, false) => bound_signed <= high,
                    }
                };
                let all = [Self::NEGATIVE, Self::ZERO, Self::POSITIVE];
                all.into_iter().filter(fits).fold(Self(0), Self::either)
            }
            // Numbers that are read without a sign are told apart from zero only: no number is below zero.
            Op::BvUlt if turned => Self::NOT_ZERO,
            Op::BvUle if turned && !bound.is_zero() => Self::NOT_ZERO,
            _ => Self::ALL,
        }
    }
}

impl fmt::Display for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NEGATIVE => "< 0",
            Self::POSITIVE => "> 0",
            Self::ZERO => "= 0",
            Self::NOT_ZERO => "!= 0",
            signs if signs.has(Self::NEGATIVE) => "<= 0",
            _ => ">= 0",
        })
    }
}
