//! Products.

use rustsat::types::Lit;
use term::Rounding;

use super::encodings::Unit;
use super::format::{bias, exponent_bits, precision};
use super::shift::{sign_extended, zero_extended};
use crate::words::Word;

/// A product before it is rounded.
pub(crate) struct Product {
    pub sign: Lit,
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    /// The exponent of the highest bit, with the bias.
    pub exponent: Word,
    /// The significand, with twice as many bits as the precision; its highest bit is set, unless the product is zero.
    pub significand: Word,
}

impl Unit<'_> {
    pub fn multiply(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(word) = self.integer_product(rounding, a, b) {
            return word;
        }
        let product = self.product(a, b);
        let Product { sign, exponent, significand, .. } = &product;
        let magnitude = self.round(rounding, *sign, exponent, significand);
        self.assemble(*sign, &magnitude, product.infinite, product.nan)
    }

    /// The exact product.
    pub fn product(&mut self, a: &[Lit], b: &[Lit]) -> Product {
        // The operands are put in order, so that `a * b` and `b * a` share a circuit.
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let (x, y) = (self.parts(a), self.parts(b));
        let (m, n) = (self.normal(a), self.normal(b));
        let width = 2 * precision(self.format);
        let significand = {
            let m = zero_extended(self.gates, &m.significand, width);
            let n = zero_extended(self.gates, &n.significand, width);
            self.gates.mul(&m, &n)
        };
        // The product of the significands is between one and four; if its top bit is not set, it is doubled.
        let top = significand[width - 1];
        let mut doubled = significand.clone();
        doubled.rotate_right(1);
        doubled[0] = self.gates.constant(false);
        let wide = exponent_bits(self.format) + 2;
        let moved = self.moved(&m.exponent, -bias(self.format), wide);
        let (exponent, _) = self.gates.add_with(&moved, &sign_extended(&n.exponent, wide), top);
        let lost = self.gates.and(x.infinite, y.zero);
        let found = self.gates.and(x.zero, y.infinite);
        Product {
            sign: self.gates.xor(x.sign, y.sign),
            nan: self.gates.or_all(&[x.nan, y.nan, lost, found]),
            infinite: self.gates.or(x.infinite, y.infinite),
            zero: self.gates.or(x.zero, y.zero),
            exponent,
            significand: self.gates.ite_word(top, &significand, &doubled),
        }
    }
}
