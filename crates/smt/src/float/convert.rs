//! Conversions between formats, and from and to integers.

use rustsat::types::Lit;
use term::{Format, Rounding};

use super::encodings::Unit;
use super::format::{bias, exponent_bits, precision};
use super::round::goes_up;
use super::shift::{filled_below, zero_extended};
use crate::words::Word;

impl Unit<'_> {
    /// The value in another format.
    pub fn convert(&mut self, rounding: Rounding, to: Format, a: &[Lit]) -> Word {
        let from = self.format;
        if from == to {
            return a.to_vec();
        }
        if let Some(word) = self.integer_convert(rounding, to, a) {
            return word;
        }
        let parts = self.parts(a);
        let wide = exponent_bits(from).max(exponent_bits(to)) + 2;
        let by = bias(to) - bias(from);
        let magnitude = if precision(to) < precision(from) {
            // A float that is subnormal in this format is subnormal in the other one as well, or so small that only
            // rounding matters.
            let (exponent, significand) = self.plain(&parts);
            let exponent = zero_extended(self.gates, &exponent, wide);
            let exponent = self.moved(&exponent, by, wide);
            self.at(to).round(rounding, parts.sign, &exponent, &significand)
        } else if exponent_bits(to) == exponent_bits(from) {
            let mut fraction = filled_below(self.gates, &parts.fraction, precision(to) - 1);
            fraction.extend(&parts.exponent);
            fraction
        } else {
            // A float that is subnormal in the narrow format is normal in the wide one.
            let number = self.normal(a);
            let exponent = self.moved(&number.exponent, by, wide);
            self.at(to).round_normal(rounding, parts.sign, &exponent, &number.significand)
        };
        self.at(to).assemble(parts.sign, &magnitude, parts.infinite, parts.nan)
    }

    pub fn of_unsigned(&mut self, rounding: Rounding, word: &[Lit]) -> Word {
        let sign = self.gates.constant(false);
        let float = self.of_magnitude(rounding, sign, word);
        let number = zero_extended(self.gates, word, word.len() + 1);
        self.is_integer(&float, number, false);
        float
    }

    pub fn of_signed(&mut self, rounding: Rounding, word: &[Lit]) -> Word {
        let sign = word[word.len() - 1];
        let minus = self.gates.neg(word);
        let magnitude = self.gates.ite_word(sign, &minus, word);
        let float = self.of_magnitude(rounding, sign, &magnitude);
        self.is_integer(&float, word.to_vec(), false);
        float
    }

    pub fn of_magnitude(&mut self, rounding: Rounding, sign: Lit, word: &[Lit]) -> Word {
        let zeros = self.gates.leading_zeros(word);
        let no = self.gates.constant(false);
        let significand = self.gates.shift(word, &zeros, true, no);
        let width = exponent_bits(self.format).max(zeros.len()) + 2;
        let most = self.gates.integer(width, bias(self.format) + word.len() as i64 - 1);
        let zeros = zero_extended(self.gates, &zeros, width);
        let exponent = self.gates.sub(&most, &zeros);
        let mut word = self.round_normal(rounding, sign, &exponent, &significand);
        word.push(sign);
        word
    }

    /// The float rounded to an integer; only the highest bit set if the float is NaN or does not fit. This is also the
    /// least number, so the least number need not be told apart from floats that do not fit.
    pub fn signed_integer(&mut self, rounding: Rounding, width: u32, a: &[Lit]) -> Word {
        let least = self.gates.word(width, |at| at == width - 1);
        if let Some((number, fits)) = self.integer_bits(width as usize, true, a) {
            return self.gates.ite_word(fits, &number, &least);
        }
        let (magnitude, fits) = self.integer_magnitude(rounding, width as usize - 1, a);
        let magnitude = zero_extended(self.gates, &magnitude, width as usize);
        let sign = a[a.len() - 1];
        let minus = self.gates.neg(&magnitude);
        let number = self.gates.ite_word(sign, &minus, &magnitude);
        self.gates.ite_word(fits, &number, &least)
    }

    /// The float rounded to an integer; only the highest bit set if the float is NaN or does not fit.
    pub fn unsigned_integer(&mut self, rounding: Rounding, width: u32, a: &[Lit]) -> Word {
        let other = self.gates.word(width, |at| at == width - 1);
        if let Some((number, fits)) = self.integer_bits(width as usize, false, a) {
            return self.gates.ite_word(fits, &number, &other);
        }
        let (number, fits) = self.integer_magnitude(rounding, width as usize, a);
        let sign = a[a.len() - 1];
        let any = self.gates.or_all(&number);
        let negative = self.gates.and(sign, any);
        let fits = self.gates.and(fits, !negative);
        self.gates.ite_word(fits, &number, &other)
    }

    /// The magnitude rounded to an integer of `width` bits, and whether it fits.
    fn integer_magnitude(&mut self, rounding: Rounding, width: usize, a: &[Lit]) -> (Word, Lit) {
        let parts = self.parts(a);
        let (exponent, significand) = self.plain(&parts);
        // The significand is put so that its leading bit is the top bit of the integer, with one more bit below for one
        // half.
        let missing = (width + 1).saturating_sub(significand.len());
        let significand = filled_below(self.gates, &significand, significand.len() + missing);
        let (low, number) = significand.split_at(significand.len() - width - 1);
        let low = self.gates.or_all(low);
        // The number has to be moved down by (width - 1 + bias) - exponent; a number that would have to be moved up is
        // too large.
        let top = width as i64 - 1 + bias(self.format);
        let bits = exponent.len().max(64 - top.leading_zeros() as usize);
        let top = self.gates.integer(bits, top);
        let exponent = zero_extended(self.gates, &exponent, bits);
        let (distance, fits) = self.gates.difference(&top, &exponent);
        let (number, lost) = self.gates.shift_down(number, &distance);
        let rest = self.gates.or(low, lost);
        let no = self.gates.constant(false);
        let last = number.get(1).copied().unwrap_or(no);
        let up = goes_up(self.gates, rounding, parts.sign, last, number[0], rest);
        let zero = vec![no; width];
        let (number, carry) = self.gates.add_with(&number[1..], &zero, up);
        (number, self.gates.and_all(&[fits, !carry, !parts.special]))
    }
}
