//! Floats that are known to be integers.
//!
//! Programs that count in doubles, or convert integers there and back, ask questions that are
//! easy of integers and hard of shifted significands. So an integer that became a float without
//! being rounded is remembered beside its encoding, and sums, products, comparisons and
//! conversions of such floats are done on the integers.

use rustsat::types::Lit;
use term::{Float, Format, Rounding};

use super::encodings::{Integer, Unit};
use super::format::{precision, value_of};
use super::shift::{sign_extended, zero_extended};
use crate::words::Word;

impl Unit<'_> {
    /// Whether each number of so many bits, in two's complement, is a float.
    fn holds(&self, width: usize) -> bool {
        width - 1 <= precision(self.format)
    }

    /// Remembers that a float is an integer.
    pub fn is_integer(&mut self, word: &[Lit], number: Word, minus_zero: bool) {
        if self.holds(number.len()) {
            self.known.integers.insert(word.to_vec(), Integer { number, minus_zero });
        }
    }

    /// The integer that a float is known to be, if there is one.
    pub fn integer(&mut self, word: &[Lit]) -> Option<Integer> {
        if let Some(integer) = self.known.integers.get(word) {
            return Some(integer.clone());
        }
        // A constant may be an integer, too; converting it back shows whether it is, and that the negative zero is not.
        let value = value_of(self.gates, self.format, word)?;
        let width = self.format.significand_bits() + 1;
        let bits = value.to_signed_bv(Rounding::TowardZero, width);
        if Float::from_signed_bv(Rounding::NearestEven, self.format, &bits) != value {
            return None;
        }
        let mut number = self.gates.word(width, |at| bits.bit(at));
        while number.len() > 1 && number[number.len() - 1] == number[number.len() - 2] {
            number.pop();
        }
        Some(Integer { number, minus_zero: false })
    }

    fn integers(&mut self, a: &[Lit], b: &[Lit]) -> Option<(Integer, Integer, usize)> {
        let (x, y) = (self.integer(a)?, self.integer(b)?);
        let width = x.number.len().max(y.number.len());
        Some((x, y, width))
    }

    /// `a + b` or `a - b`, where a difference of zero is the positive zero.
    pub fn integer_sum(
        &mut self,
        rounding: Rounding,
        a: &[Lit],
        b: &[Lit],
        minus: bool,
    ) -> Option<Word> {
        let (x, y, width) = self.integers(a, b)?;
        let negative_zero = x.minus_zero && (minus || y.minus_zero);
        if rounding == Rounding::TowardNegative || negative_zero || !self.holds(width + 1) {
            return None;
        }
        let x = sign_extended(&x.number, width + 1);
        let y = sign_extended(&y.number, width + 1);
        let sum = if minus { self.gates.sub(&x, &y) } else { self.gates.add(&x, &y) };
        Some(self.of_signed(rounding, &sum))
    }

    pub fn integer_product(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Option<Word> {
        let (x, y, _) = self.integers(a, b)?;
        let width = x.number.len() + y.number.len();
        if !self.holds(width) {
            return None;
        }
        let magnitude = {
            let (x, y) = (self.magnitude(&x.number), self.magnitude(&y.number));
            let x = zero_extended(self.gates, &x, width);
            let y = zero_extended(self.gates, &y, width);
            self.gates.mul(&x, &y)
        };
        // The sign comes from the signs of the floats, since a product that is zero has a sign, too.
        let sign = self.gates.xor(a[a.len() - 1], b[b.len() - 1]);
        let word = self.of_magnitude(rounding, sign, &magnitude);
        let minus = self.gates.neg(&magnitude);
        let number = self.gates.ite_word(sign, &minus, &magnitude);
        self.is_integer(&word, number, true);
        Some(word)
    }

    /// The magnitude of a number in two's complement, in as many bits.
    pub fn magnitude(&mut self, number: &[Lit]) -> Word {
        let minus = self.gates.neg(number);
        self.gates.ite_word(number[number.len() - 1], &minus, number)
    }

    pub fn integer_equals(&mut self, a: &[Lit], b: &[Lit]) -> Option<Lit> {
        let (x, y, width) = self.integers(a, b)?;
        let (x, y) = (sign_extended(&x.number, width), sign_extended(&y.number, width));
        Some(self.gates.equal(&x, &y))
    }

    pub fn integer_less(&mut self, a: &[Lit], b: &[Lit]) -> Option<Lit> {
        let (x, y, width) = self.integers(a, b)?;
        let (x, y) = (sign_extended(&x.number, width), sign_extended(&y.number, width));
        Some(self.gates.less_signed(&x, &y))
    }

    /// The float `a` if the condition holds, and `b` otherwise.
    pub fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let word = self.gates.ite_word(condition, a, b);
        if let Some((x, y, width)) = self.integers(a, b) {
            let minus_zero = x.minus_zero || y.minus_zero;
            let (x, y) = (sign_extended(&x.number, width), sign_extended(&y.number, width));
            let number = self.gates.ite_word(condition, &x, &y);
            self.is_integer(&word, number, minus_zero);
        }
        word
    }

    /// The integer in another format, if that format has every integer of this width.
    pub fn integer_convert(&mut self, rounding: Rounding, to: Format, a: &[Lit]) -> Option<Word> {
        let integer = self.integer(a)?;
        let mut other = self.at(to);
        if integer.minus_zero || !other.holds(integer.number.len()) {
            return None;
        }
        Some(other.of_signed(rounding, &integer.number))
    }

    /// The integer in a width, and whether it fits.
    pub fn integer_bits(&mut self, width: usize, signed: bool, a: &[Lit]) -> Option<(Word, Lit)> {
        let mut number = self.integer(a)?.number;
        number = sign_extended(&number, number.len().max(width + 1));
        let (low, high) = number.split_at(width);
        let above = if signed { low[width - 1] } else { self.gates.constant(false) };
        let above = vec![above; high.len()];
        Some((low.to_vec(), self.gates.equal(high, &above)))
    }
}
