//! Products and quotients whose circuits are built only when they are needed.
//!
//! The circuit of a multiplication is large, and a question rarely depends on every bit of it. So
//! a wide product or quotient is at first a word of which nothing is known. When SAT finds a model
//! in which that word is wrong, lemmas say so: general ones first (where the result lies), then
//! ones about the values of the model. An operation that has had many lemmas gets its circuit
//! after all. Every lemma holds of the operation, so an Unsat needs no more; a Sat counts only
//! when every operation that the model rests on has its true result.
//!
//! The scheme is that of Niemetz, Preiner & Zohar, "Scalable Bit-Blasting with Abstractions"
//! (CAV 2024); the lemmas are others, since the operands of floats are normalised.

mod lemmas;
mod operations;
mod product;
mod quotient;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use rustsat::types::Lit;

use crate::gates::Gates;
use crate::words::Word;
pub(crate) use operations::{Lazy, LazyId};
use operations::{LazyKind, Operation};

impl Gates {
    /// Whether a circuit with a row for each bit of one word, and in each row a cell for each bit of the other word, is
    /// so large that it is better built later. Zeros make no rows, and constants are folded.
    pub fn is_large(&self, a: &[Lit], b: &[Lit]) -> bool {
        let some =
            |word: &[Lit]| word.iter().filter(|bit| self.known(**bit) != Some(false)).count();
        let constant = |word: &[Lit]| word.iter().all(|bit| self.known(*bit).is_some());
        !(constant(a) && constant(b)) && some(a) * some(b) >= self.lazy.cells
    }

    /// The word for the result of an operation that is left open; `width` is its number of bits.
    pub fn open(&mut self, kind: LazyKind, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let key = (kind, a.to_vec(), b.to_vec());
        if let Some(place) = self.lazy.places.get(&key).copied() {
            self.lazy.asked.push(place);
            return self.lazy.operations[place].result.clone();
        }
        let result = self.fresh_word(width as u32);
        let place = self.lazy.operations.len();
        self.lazy.operations.push(Operation {
            kind,
            a: a.to_vec(),
            b: b.to_vec(),
            result: result.clone(),
            refuted: 0,
            built: false,
        });
        self.lazy.places.insert(key, place);
        self.lazy.asked.push(place);
        result
    }

    /// Refutes the SAT model by lemmas about an operation if the result of the operation is wrong in it; says whether
    /// it was wrong.
    pub fn refute(&mut self, place: LazyId) -> bool {
        let operation = self.lazy.operations[place].clone();
        if operation.built {
            return false;
        }
        let a = self.number(&operation.a);
        let b = self.number(&operation.b);
        let found = self.number(&operation.result);
        let right = match operation.kind {
            // The quotient does not matter if an operand is zero, which is the only way in which its highest bit may be
            // clear.
            LazyKind::Quotient(_)
                if !(is_normal(&operation.a, &a) && is_normal(&operation.b, &b)) =>
            {
                return false;
            }
            kind => kind.result(&a, &b),
        };
        let Some(right) = right.filter(|right| *right != found) else { return false };
        self.lazy.operations[place].refuted += 1;
        if operation.refuted == self.lazy.patience {
            self.lazy.operations[place].built = true;
            self.build(&operation);
            return true;
        }
        match operation.kind {
            LazyKind::Product => self.refute_product(&operation, &a, &b, &found, &right),
            LazyKind::Quotient(_) => self.refute_quotient(&operation, &a, &b, &found, &right),
        }
        true
    }

    /// Builds the circuit of an operation.
    fn build(&mut self, operation: &Operation) {
        let Operation { a, b, result, .. } = operation;
        let circuit = match operation.kind {
            LazyKind::Product => {
                let widened = |gates: &Self, word: &[Lit]| {
                    let mut word = word.to_vec();
                    word.resize(result.len(), gates.constant(false));
                    word
                };
                let (a, b) = (widened(self, a), widened(self, b));
                self.mul_now(&a, &b)
            }
            LazyKind::Quotient(shift) => self.quotient_now(a, b, shift),
        };
        for (bit, other) in result.iter().zip(&circuit) {
            self.sat.clause(&[!*bit, *other]);
            self.sat.clause(&[*bit, !*other]);
        }
    }

    /// The number that the SAT model has for a word.
    pub fn number(&self, word: &[Lit]) -> BigUint {
        let mut bytes = vec![0_u8; word.len().div_ceil(8)];
        for (index, bit) in word.iter().enumerate() {
            bytes[index / 8] |= u8::from(self.sat.value(*bit)) << (index % 8);
        }
        BigUint::from_bytes_le(&bytes)
    }
}

/// Whether the highest bit of a word is set if the word has the value `number`.
fn is_normal(word: &[Lit], number: &BigUint) -> bool {
    number.bits() == word.len() as u64
}

impl LazyKind {
    /// The true result, unless it is a division by zero.
    fn result(self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        let zero = BigUint::ZERO;
        match self {
            Self::Product => Some(a * b),
            Self::Quotient(_) if *b == zero => None,
            Self::Quotient(shift) => {
                let dividend: BigUint = a << shift;
                let (quotient, rest) = (&dividend / b, &dividend % b);
                Some((quotient << 1_u32) + u32::from(rest != zero))
            }
        }
    }
}
