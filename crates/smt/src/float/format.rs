//! Encodings: their parts, what they say, and back from stored bits.

use rustsat::types::Lit;
use term::{Float, Format, Value};

use super::encodings::{Normal, Parts, Unit};
use super::shift::{sign_extended, zero_extended};
use crate::gates::Gates;
use crate::words::Word;

/// Bits of the exponent.
pub(super) fn exponent_bits(format: Format) -> usize {
    format.exponent_bits() as usize
}

/// Bits of the significand, with the leading one.
pub(super) fn precision(format: Format) -> usize {
    format.significand_bits() as usize
}

/// What is added to the exponent in the encoding.
pub(super) fn bias(format: Format) -> i64 {
    (1 << (format.exponent_bits() - 1)) - 1
}

/// Bits of an encoding here: without the leading bit that the x87 stores.
fn width(format: Format) -> usize {
    exponent_bits(format) + precision(format)
}

/// The encoding of a constant.
pub(crate) fn constant(gates: &Gates, value: Float) -> Word {
    let format = value.format();
    let (sign, exponent, fraction) = value.parts();
    let mut word = gates.word(format.significand_bits() - 1, |at| fraction >> at & 1 == 1);
    word.extend(gates.word(format.exponent_bits(), |at| exponent >> at & 1 == 1));
    word.push(gates.constant(sign));
    word
}

/// The value that the SAT model gives to an encoding.
pub(crate) fn value(gates: &Gates, format: Format, word: &[Lit]) -> Value {
    let number = |bits: &[Lit]| {
        bits.iter().rev().fold(0_u128, |sum, bit| sum << 1 | u128::from(gates.sat.value(*bit)))
    };
    let (fraction, exponent, sign) = split(format, word);
    let float =
        Float::from_parts(format, gates.sat.value(sign), number(exponent), number(fraction));
    Value::Float(float)
}

/// The value of an encoding that is constant.
pub(super) fn value_of(gates: &Gates, format: Format, word: &[Lit]) -> Option<Float> {
    let number = |bits: &[Lit]| {
        bits.iter()
            .rev()
            .try_fold(0_u128, |sum, bit| Some(sum << 1 | u128::from(gates.known(*bit)?)))
    };
    let (fraction, exponent, sign) = split(format, word);
    Some(Float::from_parts(format, gates.known(sign)?, number(exponent)?, number(fraction)?))
}

fn split(format: Format, word: &[Lit]) -> (&[Lit], &[Lit], Lit) {
    let (magnitude, sign) = word.split_at(word.len() - 1);
    let (fraction, exponent) = magnitude.split_at(precision(format) - 1);
    (fraction, exponent, sign[0])
}

impl Unit<'_> {
    /// A float about which nothing is known but that its encoding is canonical.
    pub fn fresh(&mut self) -> Word {
        let word = self.gates.fresh_word(width(self.format) as u32);
        let parts = self.parts(&word);
        let (quiet, payload) = parts.fraction.split_last().expect("a fraction has bits");
        for bit in payload {
            self.gates.sat.clause(&[!parts.special, !*bit]);
        }
        self.gates.sat.clause(&[!parts.special, !*quiet, !parts.sign]);
        word
    }

    /// The parts of a canonical encoding; the sign of NaN does not matter.
    pub fn parts(&mut self, word: &[Lit]) -> Parts {
        if let Some(parts) = self.known.parts.get(word) {
            return parts.clone();
        }
        let (fraction, exponent, sign) = split(self.format, word);
        let special = self.gates.and_all(exponent);
        let tiny = !self.gates.or_all(exponent);
        let quiet = fraction[fraction.len() - 1];
        let parts = Parts {
            sign,
            special,
            tiny,
            nan: self.gates.and(special, quiet),
            infinite: self.gates.and(special, !quiet),
            zero: !self.gates.or_all(&word[..word.len() - 1]),
            exponent: exponent.to_vec(),
            fraction: fraction.to_vec(),
        };
        self.known.parts.insert(word.to_vec(), parts.clone());
        parts
    }

    /// The exponent of a number's leading bit, whether this bit is set or, in a subnormal number, not; and the
    /// significand with that bit.
    pub fn plain(&mut self, parts: &Parts) -> (Word, Word) {
        let mut exponent = parts.exponent.clone();
        exponent[0] = self.gates.or(exponent[0], parts.tiny);
        let mut significand = parts.fraction.clone();
        significand.push(!parts.tiny);
        (exponent, significand)
    }

    /// The number with its leading bit set.
    pub fn normal(&mut self, word: &[Lit]) -> Normal {
        if let Some(normal) = self.known.normal.get(word) {
            return normal.clone();
        }
        let parts = self.parts(word);
        let (exponent, significand) = self.plain(&parts);
        let zeros = self.gates.leading_zeros(&significand);
        let no = self.gates.constant(false);
        let normal = Normal {
            significand: self.gates.shift(&significand, &zeros, true, no),
            exponent: {
                let width = exponent.len() + 1;
                let exponent = zero_extended(self.gates, &exponent, width);
                let zeros = zero_extended(self.gates, &zeros, width);
                self.gates.sub(&exponent, &zeros)
            },
        };
        self.known.normal.insert(word.to_vec(), normal.clone());
        normal
    }

    /// The encoding with this sign and magnitude, unless it is an infinity or NaN.
    pub fn assemble(&mut self, sign: Lit, magnitude: &[Lit], infinite: Lit, nan: Lit) -> Word {
        let special = self.gates.or(infinite, nan);
        let quiet = precision(self.format) - 2;
        let mut word: Word = Word::with_capacity(magnitude.len() + 1);
        for (at, bit) in magnitude.iter().enumerate() {
            word.push(match at.cmp(&quiet) {
                std::cmp::Ordering::Less => self.gates.and(*bit, !special),
                std::cmp::Ordering::Equal => {
                    let kept = self.gates.and(*bit, !special);
                    self.gates.or(kept, nan)
                }
                std::cmp::Ordering::Greater => self.gates.or(*bit, special),
            });
        }
        word.push(self.gates.and(sign, !nan));
        word
    }

    /// The float that stored bits encode. An x87 pseudo-denormal is the normal number that the processor reads; an
    /// encoding that the processor calls invalid is NaN.
    pub fn decode(&mut self, bits: &[Lit]) -> Word {
        let (fraction_bits, exponent_bits) =
            (precision(self.format) - 1, exponent_bits(self.format));
        let (fraction, above) = bits.split_at(fraction_bits);
        let stored = above.len() - exponent_bits - 1;
        let (exponent, sign) = (&above[stored..above.len() - 1], above[above.len() - 1]);
        let full = self.gates.and_all(exponent);
        let some = self.gates.or_all(fraction);
        let mut nan = self.gates.and(full, some);
        let mut magnitude = fraction.to_vec();
        magnitude.extend(exponent);
        if stored == 1 {
            let leading = above[0];
            let any = self.gates.or_all(exponent);
            let invalid = self.gates.and(any, !leading);
            nan = self.gates.or(nan, invalid);
            let pseudo = self.gates.and(!any, leading);
            magnitude[fraction_bits] = self.gates.or(exponent[0], pseudo);
        }
        let infinite = self.gates.and(full, !nan);
        self.assemble(sign, &magnitude, infinite, nan)
    }

    /// The stored bits.
    pub fn encode(&mut self, word: &[Lit]) -> Word {
        let mut bits = word.to_vec();
        if self.format == Format::X87 {
            let parts = self.parts(word);
            bits.insert(precision(self.format) - 1, !parts.tiny);
        }
        bits
    }

    /// An exponent in two's complement with a constant added, in a number of bits that holds it.
    pub fn moved(&mut self, exponent: &[Lit], by: i64, width: usize) -> Word {
        let exponent = sign_extended(exponent, width);
        let by = self.gates.integer(width, by);
        self.gates.add(&exponent, &by)
    }
}
