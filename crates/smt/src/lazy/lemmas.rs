//! What lemmas about operations are made of.

use num_bigint::BigUint;
use rustsat::types::Lit;

use super::Operation;
use crate::gates::Gates;
use crate::words::Word;

/// A number with its lowest bits zero.
pub(super) fn lowered(number: &BigUint, bits: u64) -> BigUint {
    (number >> bits) << bits
}

/// A number with its lowest bits one.
pub(super) fn raised(number: &BigUint, bits: u64) -> BigUint {
    number | ((BigUint::from(1_u32) << bits) - 1_u32)
}

/// The greatest number up to `bits` for which `holds` is true. The condition must be true for zero and, once it is
/// false for a number, false for all greater numbers.
pub(super) fn most(bits: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, bits);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

impl Gates {
    fn constant_word(&self, width: usize, number: &BigUint) -> Word {
        self.word(width as u32, |at| number.bit(u64::from(at)))
    }

    /// Whether a word is at most a number that fits into it.
    pub(super) fn is_at_most(&mut self, word: &[Lit], number: &BigUint) -> Lit {
        let number = self.constant_word(word.len(), number);
        !self.less(&number, word)
    }

    /// Whether a word is at least a number that fits into it.
    pub(super) fn is_at_least(&mut self, word: &[Lit], number: &BigUint) -> Lit {
        let number = self.constant_word(word.len(), number);
        !self.less(word, &number)
    }

    /// Says what the result is for two values of the operands.
    pub(super) fn say_value(
        &mut self,
        operation: &Operation,
        a: &BigUint,
        b: &BigUint,
        right: &BigUint,
    ) {
        let mut values = Word::new();
        for (word, number) in [(&operation.a, a), (&operation.b, b)] {
            let bits = word.iter().enumerate();
            values.extend(bits.map(|(at, bit)| if number.bit(at as u64) { *bit } else { !*bit }));
        }
        let values = self.and_all(&values);
        for (at, bit) in operation.result.iter().enumerate() {
            let bit = if right.bit(at as u64) { *bit } else { !*bit };
            self.sat.clause(&[!values, bit]);
        }
    }
}
