//! Numbers of which only the sign is known: `x != 0`, `x < 0`, `x >= 0`.
//!
//! Drivers ask twice whether a function has failed, where it returns and where it is called. Signs keep
//! the first answer. They are no part of the explicit values of the paper: an analysis asks for them.

use std::fmt;

use num_bigint::BigInt;
use term::{Bv, Op, Sort, TermId, Value, Var, View};

use crate::value::Values;
use crate::value::assume::{Contradiction, Learned};
use crate::value::cell::Cell;
use crate::value::eval::Abstract;
use crate::value::state::Work;

/// Some of the three signs, of a bit-vector that is read with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signs(u8);

impl Signs {
    const NEGATIVE: Self = Self(1);
    const ZERO: Self = Self(2);
    const POSITIVE: Self = Self(4);
    const ALL: Self = Self(7);
    /// All but that of zero.
    pub(crate) const NOT_ZERO: Self = Self(5);

    fn of(bits: &Bv) -> Self {
        match bits {
            bits if bits.is_zero() => Self::ZERO,
            bits if bits.sign() => Self::NEGATIVE,
            _ => Self::POSITIVE,
        }
    }

    const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    const fn either(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The least and the greatest number with one of these signs.
    fn range(self, width: u32) -> (BigInt, BigInt) {
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

    /// The signs of the numbers that are in a relation with a bound: `number op bound`, or the other way
    /// round.
    fn allowed(op: Op, bound: &Bv, turned: bool) -> Self {
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
            // Without a sign, only zero is told apart: nothing is below it.
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

/// The signs that a value may have, and the value itself if it is known.
fn signs(value: &Abstract) -> Option<(Signs, Option<&Bv>)> {
    match value {
        Abstract::Signs(signs) => Some((*signs, None)),
        Abstract::Known(Value::Bv(bits)) => Some((Signs::of(bits), Some(bits))),
        _ => None,
    }
}

/// What a comparison gives, if signs decide it.
pub(crate) fn compare(op: Op, a: &Abstract, b: &Abstract) -> Option<bool> {
    let ((a, x), (b, y)) = (signs(a)?, signs(b)?);
    if op == Op::Eq {
        return a.both(b).is_empty().then_some(false);
    }
    // One of them is known: otherwise, only signs that lie apart say something.
    let width = x.or(y).map_or(64, |bits| bits.width());
    let range = |signs: Signs, known: Option<&Bv>| match known {
        Some(bits) => (bits.to_bigint_signed(), bits.to_bigint_signed()),
        None => signs.range(width),
    };
    let ((low, high), (least, greatest)) = (range(a, x), range(b, y));
    match op {
        Op::BvSlt if high < least => Some(true),
        Op::BvSlt if low >= greatest => Some(false),
        Op::BvSle if high <= least => Some(true),
        Op::BvSle if low > greatest => Some(false),
        _ => None,
    }
}

/// The signs of what an operator makes of a number.
pub(crate) fn image(op: Op, signs: Signs) -> Abstract {
    let signs = match op {
        Op::BvSignExtend(_) => signs,
        Op::BvZeroExtend(_) => widened(signs),
        _ => return Abstract::Unknown,
    };
    if signs == Signs::ALL { Abstract::Unknown } else { Abstract::Signs(signs) }
}

/// The signs of a number that got zeros in front.
fn widened(signs: Signs) -> Signs {
    match signs.both(Signs::NOT_ZERO).is_empty() {
        true => Signs::ZERO,
        false => signs.both(Signs::ZERO).either(Signs::POSITIVE),
    }
}

impl Values<'_> {
    /// Learns the signs of a term that is compared with a number: `term op bound`, or the other way
    /// round.
    pub(crate) fn learn_order(
        &mut self,
        work: &mut Work,
        (term, op, bound): (TermId, Op, &Bv),
        turned: bool,
    ) -> Learned {
        self.limit(work, term, Signs::allowed(op, bound, turned))
    }

    /// A term has one of some signs.
    pub(crate) fn limit(&mut self, work: &mut Work, term: TermId, signs: Signs) -> Learned {
        if !self.deduces || signs == Signs::ALL {
            return Ok(());
        }
        match self.program.terms.view(term) {
            View::Var(var) => self.limit_variable(work, var, signs),
            View::App(Op::BvSignExtend(_), [inner]) => self.limit(work, *inner, signs),
            View::App(Op::BvZeroExtend(_), [inner]) => {
                let inner = *inner;
                let not_zero = signs.both(Signs::POSITIVE);
                let not_zero = if not_zero.is_empty() { not_zero } else { Signs::NOT_ZERO };
                self.limit(work, inner, signs.both(Signs::ZERO).either(not_zero))
            }
            // A choice between two numbers, as C makes of conditions.
            View::App(Op::Ite, [condition, then, other]) => {
                let (condition, then, other) = (*condition, *then, *other);
                for (part, truth) in [(then, false), (other, true)] {
                    if let Abstract::Known(Value::Bv(bits)) = self.eval(work, part)
                        && Signs::of(&bits).both(signs).is_empty()
                    {
                        self.learn(work, condition, truth)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn limit_variable(&mut self, work: &mut Work, var: Var, signs: Signs) -> Learned {
        let Sort::Bv(width) = self.program.terms.var_sort(var) else { return Ok(()) };
        let known = match self.value_of(work, var) {
            Abstract::Unknown => Signs::ALL,
            Abstract::Signs(known) => known,
            Abstract::Known(Value::Bv(bits)) if Signs::of(&bits).both(signs).is_empty() => {
                return Err(Contradiction);
            }
            _ => return Ok(()),
        };
        let left = known.both(signs);
        if left.is_empty() {
            return Err(Contradiction);
        }
        if left == Signs::ZERO {
            self.settle(work, var, Abstract::Known(Value::Bv(Bv::zero(width))));
        } else if left != known {
            // Of variables that are equal, the base knows the sign.
            let holder = match self.distance_of(work, var) {
                Some(distance) if is_zero(&distance.by) => distance.base,
                Some(_) => return Ok(()),
                None => var,
            };
            let id = self.cells.id(Cell::Signs(left));
            self.set_variable(work, holder, id);
        }
        Ok(())
    }
}

/// Whether a distance is none.
pub(crate) fn is_zero(by: &Value) -> bool {
    matches!(by, Value::Bv(bits) if bits.is_zero())
}
