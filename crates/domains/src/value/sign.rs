//! Numbers of which only the sign is known: `x != 0`, `x < 0`, `x >= 0`.
//!
//! Drivers test twice whether a function has failed: in the function before it returns, and in its
//! caller. Signs remember the result of the first test. Signs are no part of the explicit values of the
//! paper, so only an analysis that asks for signs gets them.

use term::{Bv, Op, Sort, TermId, Value, Var, View};

use crate::value::Values;
use crate::value::cell::{Abstract, Cell};
use crate::value::sign_set::Signs;
use crate::value::state::{Contradiction, Learned, Work};

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
    // The width matters only if one of the two numbers is known. If both are unknown, signs decide only if they lie
    // apart, which they do at every width.
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

    /// Learns that a term has one of some signs.
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
            // If variables are known to be equal, their sign is kept with their base.
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

/// Whether a distance is zero.
pub(crate) fn is_zero(by: &Value) -> bool {
    matches!(by, Value::Bv(bits) if bits.is_zero())
}
