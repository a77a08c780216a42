//! Quotients and square roots, digit by digit.

use rustsat::types::Lit;
use term::Rounding;

use super::encodings::Unit;
use super::format::{bias, exponent_bits, precision};
use super::shift::{filled_below, sign_extended, zero_extended};
use crate::words::Word;

impl Unit<'_> {
    pub fn divide(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(reciprocal) = self.reciprocal(b) {
            return self.multiply(rounding, a, &reciprocal);
        }
        let (x, y) = (self.parts(a), self.parts(b));
        let (m, n) = (self.normal(a), self.normal(b));
        let significand = self.gates.quotient(&m.significand, &n.significand);
        // The quotient is between one half and two; if its top bit is not set, it is doubled.
        let top = significand[significand.len() - 1];
        let mut doubled = significand.clone();
        doubled.rotate_right(1);
        doubled[0] = self.gates.constant(false);
        let significand = self.gates.ite_word(top, &significand, &doubled);
        let wide = exponent_bits(self.format) + 2;
        let exponent = {
            let minus = self.gates.not_word(&sign_extended(&n.exponent, wide));
            let m = sign_extended(&m.exponent, wide);
            let (difference, _) = self.gates.add_with(&m, &minus, top);
            self.moved(&difference, bias(self.format), wide)
        };
        let sign = self.gates.xor(x.sign, y.sign);
        let magnitude = self.round(rounding, sign, &exponent, &significand);
        // The quotient is zero if the dividend is zero or the divisor is infinite; zero over zero and an infinity over
        // an infinity are NaN.
        let nothing = self.gates.or(x.zero, y.infinite);
        let magnitude: Word = magnitude.iter().map(|bit| self.gates.and(*bit, !nothing)).collect();
        let infinite = self.gates.or(x.infinite, y.zero);
        let both = self.gates.and(nothing, infinite);
        let nan = self.gates.or_all(&[x.nan, y.nan, both]);
        self.assemble(sign, &magnitude, infinite, nan)
    }

    /// The inverse of a constant that is a power of two, if this inverse is a normal number as well. Multiplying by the
    /// inverse gives the same result and costs no division.
    fn reciprocal(&mut self, b: &[Lit]) -> Option<Word> {
        let parts = self.parts(b);
        if parts.fraction.iter().any(|bit| self.gates.known(*bit) != Some(false)) {
            return None;
        }
        let mut exponent = 0;
        for bit in parts.exponent.iter().rev() {
            exponent = exponent << 1 | i64::from(self.gates.known(*bit)?);
        }
        let inverse = 2 * bias(self.format) - exponent;
        let normal = 1..2 * bias(self.format);
        if !normal.contains(&exponent) || !normal.contains(&inverse) {
            return None;
        }
        let mut word = parts.fraction;
        word.extend(self.gates.integer(exponent_bits(self.format), inverse));
        word.push(parts.sign);
        Some(word)
    }

    /// The root of a number that is not zero is a normal number.
    pub fn sqrt(&mut self, rounding: Rounding, a: &[Lit]) -> Word {
        let parts = self.parts(a);
        let number = self.normal(a);
        // The bias is odd, so an exponent is odd if it is even together with the bias.
        let odd = !number.exponent[0];
        let wide = exponent_bits(self.format) + 2;
        let doubled = self.moved(&number.exponent, bias(self.format), wide);
        let significand = self.root(&number.significand, odd);
        let magnitude = self.round_normal(rounding, parts.sign, &doubled[1..], &significand);
        let negative = self.gates.and(parts.sign, !parts.zero);
        let nan = self.gates.or(parts.nan, negative);
        self.assemble(parts.sign, &magnitude, parts.infinite, nan)
    }

    /// The root of a significand between one and two, or of twice this significand: one bit more than the precision,
    /// and below these bits one that says whether there is a remainder.
    fn root(&mut self, significand: &[Lit], odd: Lit) -> Word {
        let no = self.gates.constant(false);
        let count = precision(self.format) + 1;
        let mut once = significand.to_vec();
        once.push(no);
        let mut twice = significand.to_vec();
        twice.insert(0, no);
        let square = self.gates.ite_word(odd, &twice, &once);
        let square = filled_below(self.gates, &square, 2 * count);
        let (mut root, mut rest) = (Word::new(), Word::new());
        for step in (0..count).rev() {
            rest.splice(0..0, square[2 * step..2 * step + 2].iter().copied());
            // What is subtracted for the next digit: the root so far, followed by 01.
            let mut trial = vec![self.gates.constant(true), no];
            trial.extend(&root);
            let width = rest.len().max(trial.len());
            let (old, trial) =
                (zero_extended(self.gates, &rest, width), zero_extended(self.gates, &trial, width));
            let (difference, fits) = self.gates.difference(&old, &trial);
            rest = self.gates.ite_word(fits, &difference, &old);
            root.insert(0, fits);
            // The remainder is at most twice the root.
            rest.truncate(root.len() + 1);
        }
        root.insert(0, self.gates.or_all(&rest));
        root
    }
}
