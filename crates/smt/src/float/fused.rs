//! A product and a sum, rounded once.

use rustsat::types::Lit;
use term::Rounding;

use super::add::aligned_sum;
use super::encodings::Unit;
use super::format::exponent_bits;
use super::round::cancelled_sign;
use super::shift::{filled_below, sign_extended, zero_extended};
use crate::words::Word;

impl Unit<'_> {
    /// `a * b + c`.
    pub fn fused(&mut self, rounding: Rounding, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let product = self.product(a, b);
        let addend = self.parts(c);
        let number = self.normal(c);
        let wide = exponent_bits(self.format) + 2;
        let width = product.significand.len();
        let product_key = self.key(product.zero, &product.exponent, &product.significand);
        let addend_key = {
            let significand = filled_below(self.gates, &number.significand, width);
            self.key(addend.zero, &sign_extended(&number.exponent, wide), &significand)
        };
        let swap = self.gates.less(&product_key, &addend_key);
        let great = self.gates.ite_word(swap, &addend_key, &product_key);
        let small = self.gates.ite_word(swap, &product_key, &addend_key);
        let differ = self.gates.xor(product.sign, addend.sign);
        let distance = self.gates.sub(&great[width..], &small[width..]);
        let sum = aligned_sum(self.gates, &great[..width], &small[..width], &distance, differ);
        let sign = {
            let greater = self.gates.ite(swap, addend.sign, product.sign);
            let any = self.gates.or_all(&sum);
            let cancelled = self.gates.and(differ, !any);
            let zero = cancelled_sign(self.gates, rounding);
            self.gates.ite(cancelled, zero, greater)
        };
        // The sum has one bit more on top than its parts.
        let mut exponent = great[width..].to_vec();
        exponent[wide - 1] = !exponent[wide - 1];
        let zeros = self.gates.leading_zeros(&sum);
        let wider = wide.max(zeros.len()) + 1;
        let exponent = self.moved(&exponent, 1, wider);
        let minus = zero_extended(self.gates, &zeros, wider);
        let exponent = self.gates.sub(&exponent, &minus);
        let no = self.gates.constant(false);
        let sum = self.gates.shift(&sum, &zeros, true, no);
        let magnitude = self.round(rounding, sign, &exponent, &sum);
        let infinite = self.gates.or(product.infinite, addend.infinite);
        let against = self.gates.and_all(&[product.infinite, addend.infinite, differ]);
        let nan = self.gates.or_all(&[product.nan, addend.nan, against]);
        let infinite_sign = self.gates.ite(product.infinite, product.sign, addend.sign);
        let sign = self.gates.ite(infinite, infinite_sign, sign);
        self.assemble(sign, &magnitude, infinite, nan)
    }

    /// Significand and exponent as one number without sign that orders magnitudes: zero has the
    /// least exponent, and the exponent's sign is flipped.
    fn key(&mut self, zero: Lit, exponent: &[Lit], significand: &[Lit]) -> Word {
        let mut key = significand.to_vec();
        let (top, low) = exponent.split_last().expect("an exponent has bits");
        key.extend(low.iter().map(|bit| self.gates.and(*bit, !zero)));
        key.push(self.gates.and(!*top, !zero));
        key
    }
}
