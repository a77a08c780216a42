//! Remainders: one subtraction for each exponent that the operands may lie apart.

use rustsat::types::Lit;
use term::{Format, Rounding};

use super::encodings::Unit;
use super::format::{exponent_bits, precision};
use super::shift::{filled_below, sign_extended, zero_extended};
use crate::circuit::Missing;
use crate::words::Word;

impl Unit<'_> {
    /// `a - b * n` with `n` the quotient rounded to nearest even, or cut off.
    pub fn remainder(&mut self, a: &[Lit], b: &[Lit], nearest: bool) -> Result<Word, Missing> {
        // For a double, the circuit has two thousand steps; the wider formats have longer exponents, and need even more
        // steps.
        if !matches!(self.format, Format::Half | Format::Single | Format::Double) {
            return Err(format!("the floating-point remainder of {:?}", self.format));
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let (m, n) = (self.normal(a), self.normal(b));
        let wide = exponent_bits(self.format) + 2;
        let distance = {
            let m = sign_extended(&m.exponent, wide);
            let n = sign_extended(&n.exponent, wide);
            self.gates.sub(&m, &n)
        };
        let below = distance[wide - 1];
        let (rest, odd) = self.reduced(&m.significand, &n.significand, &distance);
        let no = self.gates.constant(false);
        let width = precision(self.format) + 1;
        // One bit is added below, so that a dividend whose exponent is one less than the divisor's fits as well.
        let mut rest = filled_below(self.gates, &rest, width);
        let mut flip = no;
        let mut alone = below;
        if nearest {
            let just_below = self.gates.and_all(&distance);
            alone = self.gates.and(below, !just_below);
            let dividend = zero_extended(self.gates, &m.significand, width);
            rest = self.gates.ite_word(just_below, &dividend, &rest);
            let odd = self.gates.and(odd, !just_below);
            let half = zero_extended(self.gates, &n.significand, width);
            let more = self.gates.less(&half, &rest);
            let tie = self.gates.equal(&half, &rest);
            let tie = self.gates.and(tie, odd);
            flip = self.gates.or(more, tie);
            let divisor = filled_below(self.gates, &n.significand, width);
            let other = self.gates.sub(&divisor, &rest);
            rest = self.gates.ite_word(flip, &other, &rest);
        }
        let zeros = self.gates.leading_zeros(&rest);
        let wider = wide.max(zeros.len() + 1);
        let exponent = {
            let n = sign_extended(&n.exponent, wider);
            let zeros = zero_extended(self.gates, &zeros, wider);
            self.gates.sub(&n, &zeros)
        };
        let significand = self.gates.shift(&rest, &zeros, true, no);
        let sign = self.gates.xor(x.sign, flip);
        // The remainder is exact, so the rounding mode does not matter.
        let mut reduced = self.round(Rounding::TowardZero, sign, &exponent, &significand);
        reduced.push(sign);
        let unchanged = self.gates.or_all(&[alone, x.zero, y.infinite]);
        let word = self.gates.ite_word(unchanged, a, &reduced);
        let nan = self.gates.or_all(&[x.nan, y.nan, x.infinite, y.zero]);
        let (magnitude, sign) = word.split_at(word.len() - 1);
        Ok(self.assemble(sign[0], magnitude, no, nan))
    }

    /// `a * 2^distance` modulo `b`, and whether the quotient is odd, if the distance is not
    /// negative. The operands have their highest bits set.
    fn reduced(&mut self, a: &[Lit], b: &[Lit], distance: &[Lit]) -> (Word, Lit) {
        let width = a.len() + 1;
        let divisor = zero_extended(self.gates, b, width);
        let rest = zero_extended(self.gates, a, width);
        let (difference, mut odd) = self.gates.difference(&rest, &divisor);
        let mut rest = self.gates.ite_word(odd, &difference, &rest);
        for step in 0..self.most_apart() {
            if self.gates.over().is_some() {
                break;
            }
            let here = self.gates.integer(distance.len(), step);
            let active = self.gates.less_signed(&here, distance);
            let mut doubled = rest.clone();
            doubled.rotate_right(1);
            doubled[0] = self.gates.constant(false);
            // A remainder that is not doubled any more is less than the divisor and stays as it is.
            let next = self.gates.ite_word(active, &doubled, &rest);
            let (difference, fits) = self.gates.difference(&next, &divisor);
            rest = self.gates.ite_word(fits, &difference, &next);
            odd = self.gates.ite(active, fits, odd);
        }
        rest.truncate(a.len());
        (rest, odd)
    }

    /// How far apart the exponents of two numbers can lie.
    fn most_apart(&self) -> i64 {
        (1 << exponent_bits(self.format)) - 4 + precision(self.format) as i64
    }
}
