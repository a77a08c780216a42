//! Numbers whose steps grow by a constant, and that a loop keeps below a bound.
//!
//! Such a number may go down at first, as long as its steps are negative, and then goes up until it
//! passes the bound. If it starts neither too low nor with too large a step, it does not wrap around on
//! the way, and there are few rounds: their number is about the square root of the greatest number.
//! Numbers whose steps shrink and that are kept above a bound behave in this way with all signs turned.
//!
//! Let `w` be the width, `h` half of `w - 2` rounded down, `x` the number before the first round, `d` its
//! first step, and `c` what steps grow by. The steps are `d + j * c`. If `x >= -2^(w-2)`, the bound
//! is `2^(w-2)` at most, `-2^h <= d <= 2^(w-4)` and `1 <= c <= 2^(w-h-6)`, then:
//!
//! - The number never gets below `-2^(w-1)`: at most `2^h` steps are negative, none below `-2^h`.
//! - After `j >= 2^(h+3)` rounds it would be above the bound: it is at least `x + j * (c * (j - 1) / 2 -
//!   2^h)`, which is `2^(2h+4) - 2^(w-2)` or more. So at most `2^(h+3)` rounds are completed.
//! - The last of their steps is at most `2^(w-4) + 2^(w-3)` and leads from below the bound to a number
//!   below `2^(w-1)`.

use term::{Bv, Op, TermId, Terms, View};

use super::poly::Poly;
use super::solve::{Solution, bits};

/// What is known of a number of this kind.
pub(super) struct Convex {
    /// Under this condition on the values before the first round the rest holds.
    pub(super) certain: TermId,
    /// The greatest number of rounds that are completed.
    pub(super) most: u64,
    /// The number before the first round.
    pub(super) first: TermId,
    /// The number in the round at hand.
    pub(super) value: Poly,
    /// What the round at hand adds to the number.
    pub(super) step: Poly,
    /// What each round adds to the step.
    pub(super) growth: Bv,
}

impl Convex {
    /// The number that a condition to leave is about, if the number is of this kind.
    pub(super) fn of(terms: &mut Terms, solution: &Solution, leaves: TermId) -> Option<Self> {
        let (op, one, other, wanted) = comparison(terms, leaves)?;
        if !matches!(op, Op::BvSlt | Op::BvSle) {
            return None;
        }
        // Rounds are completed where the first is less than the second.
        let (less, greater) = if wanted { (other, one) } else { (one, other) };
        let below = solution.is_invariant(terms, greater);
        let (moving, bound) = if below { (less, greater) } else { (greater, less) };
        if !solution.is_invariant(terms, bound) {
            return None;
        }
        let value = solution.poly(terms, moving)?;
        let (first, step, growth) = value.as_quadratic()?;
        let growth = bits(terms, growth)?;
        let width = growth.width();
        let half = width.checked_sub(2)? / 2;
        let size = if below { growth.clone() } else { growth.neg() };
        let most_growth = 1_u64.checked_shl(width.checked_sub(half + 6)?)?;
        if size.sign() || size.to_u64()? > most_growth || width > 64 {
            return None;
        }
        let power = |terms: &mut Terms, exponent: u32| {
            let power = Bv::new(width, 1_u128 << exponent);
            terms.bv_value(power)
        };
        let (quarter, fast, slow) =
            (power(terms, width - 2), power(terms, width - 4), power(terms, half));
        let [low, negative_fast, negative_slow] =
            [quarter, fast, slow].map(|term| terms.bv_neg(term));
        let certain = if below {
            [
                terms.bv_sle(low, first),
                terms.bv_sle(bound, quarter),
                terms.bv_sle(negative_slow, step),
                terms.bv_sle(step, fast),
            ]
        } else {
            [
                terms.bv_sle(first, quarter),
                terms.bv_sle(low, bound),
                terms.bv_sle(step, slow),
                terms.bv_sle(negative_fast, step),
            ]
        };
        let certain = terms.and(&certain);
        let more = terms.bv_value(growth.clone());
        let step = Poly::constant(terms, more).summed(terms, step)?;
        Some(Self { certain, most: 1 << (half + 3), first, value, step, growth })
    }

    /// What is known after a number of completed rounds: if the last step did not lead towards the bound, no step
    /// before it did; if the first step did not lead away from the bound, no other step did.
    pub(super) fn facts(&self, terms: &mut Terms, count: TermId) -> TermId {
        let limit = terms.bv(terms.width(count), u128::from(self.most));
        let few = terms.bv_ule(count, limit);
        let growth = terms.bv_value(self.growth.clone());
        let none = terms.bv(self.growth.width(), 0);
        let (value, step) = (self.value.at(terms, count), self.step.at(terms, count));
        let zero = terms.bv(terms.width(count), 0);
        let first_step = self.step.at(terms, zero);
        let (away, towards, less, more) = if self.growth.sign() {
            let (away, towards) = (terms.bv_sle(growth, step), terms.bv_sle(first_step, none));
            (away, towards, terms.bv_sle(self.first, value), terms.bv_sle(value, self.first))
        } else {
            let (away, towards) = (terms.bv_sle(step, growth), terms.bv_sle(none, first_step));
            (away, towards, terms.bv_sle(value, self.first), terms.bv_sle(self.first, value))
        };
        let (down, up) = (terms.implies(away, less), terms.implies(towards, more));
        let all = terms.and(&[few, down, up]);
        terms.implies(self.certain, all)
    }
}

/// A comparison that may be negated.
fn comparison(terms: &Terms, term: TermId) -> Option<(Op, TermId, TermId, bool)> {
    match terms.view(term) {
        View::App(Op::Not, [negated]) => match terms.view(*negated) {
            View::App(op, [one, other]) => Some((op, *one, *other, false)),
            _ => None,
        },
        View::App(op, [one, other]) => Some((op, *one, *other, true)),
        _ => None,
    }
}
