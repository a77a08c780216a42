//! Lemmas about quotients: a greater dividend has a greater quotient, a greater divisor a smaller
//! one.

use num_bigint::BigUint;
use rustsat::types::Lit;

use super::lemmas::{lowered, most, raised};
use super::operations::{LazyKind, Operation};
use crate::gates::Gates;
use crate::words::Word;

impl Gates {
    /// The quotient of two significands that have their highest bits set or are zero. It has two bits more than the
    /// significands, and below these a bit that says whether there is a remainder. The quotient does not matter if one
    /// of the two is zero. A large quotient is left open.
    pub fn quotient(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let shift = a.len() + 1;
        if !self.is_large(b, b) && !self.is_large(a, a) {
            return self.quotient_now(a, b, shift);
        }
        let quotient = self.open(LazyKind::Quotient(shift), a, b, shift + 2);
        // The quotient is at least one unless the first operand is smaller; then it is at least one half.
        let below = self.less(a, b);
        let both = self.and(a[a.len() - 1], b[b.len() - 1]);
        let top = quotient[quotient.len() - 1];
        let next = quotient[quotient.len() - 2];
        self.sat.clause(&[!both, !top, !below]);
        self.sat.clause(&[!both, top, below]);
        self.sat.clause(&[!both, top, next]);
        quotient
    }

    /// The quotient, by subtracting the divisor for one digit after another.
    pub(super) fn quotient_now(&mut self, a: &[Lit], b: &[Lit], shift: usize) -> Word {
        let zero = self.constant(false);
        let widened = |word: &[Lit]| {
            let mut word = word.to_vec();
            word.push(zero);
            word
        };
        let (mut rest, divisor) = (widened(a), widened(b));
        let mut digits = Word::new();
        for _ in 0..=shift {
            let (difference, fits) = self.difference(&rest, &divisor);
            digits.push(fits);
            rest = self.ite_word(fits, &difference, &rest);
            // The remainder is less than the divisor, so that its highest bit is free.
            rest.rotate_right(1);
            rest[0] = zero;
        }
        digits.push(self.or_all(&rest));
        digits.reverse();
        digits
    }

    pub(super) fn refute_quotient(
        &mut self,
        operation: &Operation,
        a: &BigUint,
        b: &BigUint,
        found: &BigUint,
        right: &BigUint,
    ) {
        let Operation { a: x, b: y, result, kind, .. } = operation;
        self.say_value(operation, a, b, right);
        let quotient = |a: &BigUint, b: &BigUint| kind.result(a, b).unwrap_or_default();
        let (x_bits, y_bits) = (x.len() as u64 - 1, y.len() as u64 - 1);
        let bits = x_bits.min(y_bits);
        // The highest bits of the operands stay set, so that the quotients fit into the result.
        let normal = self.and(x[x.len() - 1], y[y.len() - 1]);
        if found > right {
            let fits = |a: &BigUint, b: &BigUint| quotient(a, b) < *found;
            let bits = most(bits, |k| fits(&raised(a, k), &lowered(b, k)));
            let (a, b) = (raised(a, bits), lowered(b, bits));
            let a = raised(&a, most(x_bits, |k| fits(&raised(&a, k), &b)));
            let b = lowered(&b, most(y_bits, |k| fits(&a, &lowered(&b, k))));
            let (is_a, is_b) = (self.is_at_most(x, &a), self.is_at_least(y, &b));
            let bound = self.is_at_most(result, &quotient(&a, &b));
            self.sat.clause(&[!normal, !is_a, !is_b, bound]);
        } else {
            let fits = |a: &BigUint, b: &BigUint| quotient(a, b) > *found;
            let bits = most(bits, |k| fits(&lowered(a, k), &raised(b, k)));
            let (a, b) = (lowered(a, bits), raised(b, bits));
            let a = lowered(&a, most(x_bits, |k| fits(&lowered(&a, k), &b)));
            let b = raised(&b, most(y_bits, |k| fits(&a, &raised(&b, k))));
            let (is_a, is_b) = (self.is_at_least(x, &a), self.is_at_most(y, &b));
            let bound = self.is_at_least(result, &quotient(&a, &b));
            self.sat.clause(&[!normal, !is_a, !is_b, bound]);
        }
    }
}
