//! Sums and differences.

use rustsat::types::Lit;
use term::Rounding;

use super::encodings::Unit;
use super::format::exponent_bits;
use super::round::{Cut, cancelled_sign};
use super::shift::{filled_below, zero_extended};
use crate::gates::Gates;
use crate::words::Word;

/// The sum or difference of two significands; the significand of the greater number comes first. The result has four
/// bits more, one above and three below. The lowest bit says whether any of the bits further below is a one. This is
/// exact enough to round, since more than one leading bit is lost only if the distance is at most one.
pub(super) fn aligned_sum(
    gates: &mut Gates,
    great: &[Lit],
    small: &[Lit],
    distance: &[Lit],
    subtract: Lit,
) -> Word {
    let width = great.len() + 3;
    let small = filled_below(gates, small, width - 1);
    let (mut small, lost) = gates.shift_down(&small, distance);
    small.insert(0, lost);
    let great = filled_below(gates, great, width);
    let small: Word = small.iter().map(|bit| gates.xor(*bit, subtract)).collect();
    let (mut sum, carry) = gates.add_with(&great, &small, subtract);
    sum.push(gates.and(carry, !subtract));
    sum
}

impl Unit<'_> {
    pub fn subtract(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(word) = self.integer_sum(rounding, a, b, true) {
            return word;
        }
        let mut minus = b.to_vec();
        if let Some(sign) = minus.last_mut() {
            *sign = !*sign;
        }
        self.add(rounding, a, &minus)
    }

    /// A sum that is subnormal is exact, so it need not be shifted up to a leading one and down again: it is shifted up
    /// only as far as the exponent allows.
    pub fn add(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(word) = self.integer_sum(rounding, a, b, false) {
            return word;
        }
        // The operands are put in order, so that `a + b` and `b + a` share a circuit.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let top = a.len() - 1;
        let swap = self.gates.less(&a[..top], &b[..top]);
        let great = self.gates.ite_word(swap, b, a);
        let small = self.gates.ite_word(swap, a, b);
        let (great, small) = (self.parts(&great), self.parts(&small));
        let differ = self.gates.xor(great.sign, small.sign);
        let (exponent, great_significand) = self.plain(&great);
        let (small_exponent, small_significand) = self.plain(&small);
        let distance = self.gates.sub(&exponent, &small_exponent);
        let sum =
            aligned_sum(self.gates, &great_significand, &small_significand, &distance, differ);
        let nothing = !self.gates.or_all(&sum);
        let cancelled = self.gates.and(nothing, differ);
        let sign = {
            let zero = cancelled_sign(self.gates, rounding);
            self.gates.ite(cancelled, zero, great.sign)
        };
        let (exponent, sum) = self.bring_up(&exponent, &sum);
        let cut = Cut { kept: sum[4..].to_vec(), half: sum[3], rest: self.gates.or_all(&sum[..3]) };
        let magnitude = self.pack(rounding, sign, &exponent, &cut);
        // As numbers, the encodings of infinities are greater than those of finite floats, and that of NaN is the
        // greatest.
        let against = self.gates.and_all(&[great.special, small.special, differ]);
        let nan = self.gates.or(great.nan, against);
        self.assemble(sign, &magnitude, great.special, nan)
    }

    /// Shifts the sum up until its highest bit is set, or until the exponent of the highest bit is one. Before the
    /// shift, this exponent is one more than `exponent`.
    fn bring_up(&mut self, exponent: &[Lit], sum: &[Lit]) -> (Word, Word) {
        let zeros = self.gates.leading_zeros(sum);
        let width = exponent_bits(self.format).max(zeros.len()) + 2;
        let wide = zero_extended(self.gates, exponent, width);
        let minus = zero_extended(self.gates, &zeros, width);
        let below_it = self.gates.sub(&wide, &minus);
        let below = below_it[width - 1];
        let moved = self.moved(&below_it, 1, width);
        let distance = self.gates.ite_word(below, &wide[..zeros.len()], &zeros);
        let no = self.gates.constant(false);
        (moved, self.gates.shift(sum, &distance, true, no))
    }
}
