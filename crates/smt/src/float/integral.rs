//! Rounding to integral values.

use rustsat::types::Lit;
use term::Rounding;

use super::encodings::Unit;
use super::format::{bias, exponent_bits, precision};
use super::shift::zero_extended;
use crate::words::Word;

impl Unit<'_> {
    /// The nearest integral value. On the encoding, rounding is adding at the unit's place and
    /// clearing what lies below: a carry moves into the exponent as it should.
    pub fn integral(&mut self, rounding: Rounding, a: &[Lit]) -> Word {
        if self.integer(a).is_some() {
            return a.to_vec();
        }
        let parts = self.parts(a);
        let (fraction_bits, exponent_bits) =
            (precision(self.format) - 1, exponent_bits(self.format));
        let zero_point = self.gates.integer(exponent_bits, bias(self.format));
        let (exponent, above) = self.gates.difference(&parts.exponent, &zero_point);
        let no = self.gates.constant(false);
        // The bits of the fraction that lie below the unit; an infinity or NaN has no such bits.
        let ones = self.gates.word(fraction_bits as u32, |_| true);
        let below = self.gates.shift(&ones, &exponent, false, no);
        let (addend, carry) = match rounding {
            Rounding::NearestEven => {
                let mut addend = below[1..].to_vec();
                addend.push(no);
                (addend, self.unit_bit(&below, &parts.fraction))
            }
            Rounding::NearestAway => {
                let mut half = Word::new();
                for (at, bit) in below.iter().enumerate() {
                    let next = below.get(at + 1).copied().unwrap_or(no);
                    half.push(self.gates.and(*bit, !next));
                }
                (half, no)
            }
            Rounding::TowardPositive | Rounding::TowardNegative => {
                let away =
                    if rounding == Rounding::TowardPositive { !parts.sign } else { parts.sign };
                (below.iter().map(|bit| self.gates.and(*bit, away)).collect(), no)
            }
            Rounding::TowardZero => (vec![no; fraction_bits], no),
        };
        let magnitude = &a[..a.len() - 1];
        let addend = zero_extended(self.gates, &addend, magnitude.len());
        let (mut rounded, _) = self.gates.add_with(magnitude, &addend, carry);
        for (bit, below) in rounded.iter_mut().zip(&below) {
            *bit = self.gates.and(*bit, !*below);
        }
        // A number below one has no unit's place: it is rounded to zero or one.
        let one = self.rounds_to_one(rounding, &parts);
        let mut small = vec![no; fraction_bits];
        let field = self.gates.integer(exponent_bits, bias(self.format));
        small.extend(field.iter().map(|bit| self.gates.and(*bit, one)));
        let mut word = self.gates.ite_word(above, &rounded, &small);
        word.push(parts.sign);
        word
    }

    /// The bit of the number just above the bits that lie below the unit, if there is such a bit.
    fn unit_bit(&mut self, below: &[Lit], fraction: &[Lit]) -> Lit {
        let mut found = vec![below[below.len() - 1]];
        for at in 1..below.len() {
            found.push(self.gates.and_all(&[below[at - 1], !below[at], fraction[at]]));
        }
        self.gates.or_all(&found)
    }

    /// Whether a number below one rounds to one.
    fn rounds_to_one(&mut self, rounding: Rounding, parts: &super::encodings::Parts) -> Lit {
        let width = exponent_bits(self.format);
        let half = self.gates.integer(width, bias(self.format) - 1);
        let half = self.gates.equal(&parts.exponent, &half);
        match rounding {
            Rounding::NearestEven => {
                let more = self.gates.or_all(&parts.fraction);
                self.gates.and(half, more)
            }
            Rounding::NearestAway => half,
            Rounding::TowardPositive => self.gates.and(!parts.sign, !parts.zero),
            Rounding::TowardNegative => self.gates.and(parts.sign, !parts.zero),
            Rounding::TowardZero => self.gates.constant(false),
        }
    }
}
