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
mod product;
mod quotient;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::gates::Gates;
use crate::words::Word;

/// What an operation computes of its two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// The product, in as many bits as both operands have together.
    Product,
    /// The first operand, shifted up by so many bits, over the second, which is not zero: the
    /// lowest bit of the result says whether there is a rest, the others are the quotient.
    Quotient(usize),
}

/// The place of an operation in [`Lazy`].
pub(crate) type Place = usize;

/// Two operands and the word that stands for the result.
#[derive(Clone)]
struct Operation {
    kind: Kind,
    a: Word,
    b: Word,
    result: Word,
    /// How many models were refuted by lemmas about this operation.
    refuted: u32,
    /// Whether the circuit has been built, so that no model can be wrong any more.
    built: bool,
}

/// The operations that were left open.
pub(crate) struct Lazy {
    /// An operation is left open if its circuit would have at least so many cells.
    pub cells: usize,
    /// So many models are refuted by lemmas about an operation before its circuit is built.
    pub patience: u32,
    operations: Vec<Operation>,
    places: FxHashMap<(Kind, Word, Word), Place>,
    /// Operations that were asked for since the last [`Lazy::take_asked`].
    asked: Vec<Place>,
}

/// Products of singles are left open, also with most constants; those of halves are not
/// (decision 25).
const CELLS: usize = 250;

/// A lemma costs a thousandth of a circuit, and most questions need few of them (decision 25).
const PATIENCE: u32 = 100;

impl Default for Lazy {
    fn default() -> Self {
        Self {
            cells: CELLS,
            patience: PATIENCE,
            operations: Vec::new(),
            places: FxHashMap::default(),
            asked: Vec::new(),
        }
    }
}

impl Lazy {
    /// Whether no operation was left open.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// The operations that were asked for since the last call of this function.
    pub fn take_asked(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.asked)
    }
}

impl Gates {
    /// Whether a circuit with a row for each bit of one word, of cells for those of the other, is
    /// large enough to wait with it. Zeros make no rows, and constants are folded.
    pub fn is_large(&self, a: &[Lit], b: &[Lit]) -> bool {
        let some =
            |word: &[Lit]| word.iter().filter(|bit| self.known(**bit) != Some(false)).count();
        let constant = |word: &[Lit]| word.iter().all(|bit| self.known(*bit).is_some());
        !(constant(a) && constant(b)) && some(a) * some(b) >= self.lazy.cells
    }

    /// The word for the result of an operation that is left open; `width` is its number of bits.
    pub fn open(&mut self, kind: Kind, a: &[Lit], b: &[Lit], width: usize) -> Word {
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

    /// Refutes the SAT model if it has a wrong result of an operation, by lemmas about it; tells
    /// whether it had.
    pub fn refute(&mut self, place: Place) -> bool {
        let operation = self.lazy.operations[place].clone();
        if operation.built {
            return false;
        }
        let a = self.number(&operation.a);
        let b = self.number(&operation.b);
        let found = self.number(&operation.result);
        let right = match operation.kind {
            // Zeros have quotients that nobody looks at.
            Kind::Quotient(_) if !(is_normal(&operation.a, &a) && is_normal(&operation.b, &b)) => {
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
            Kind::Product => self.refute_product(&operation, &a, &b, &found, &right),
            Kind::Quotient(_) => self.refute_quotient(&operation, &a, &b, &found, &right),
        }
        true
    }

    /// Builds the circuit of an operation.
    fn build(&mut self, operation: &Operation) {
        let Operation { a, b, result, .. } = operation;
        let circuit = match operation.kind {
            Kind::Product => {
                let widened = |gates: &Self, word: &[Lit]| {
                    let mut word = word.to_vec();
                    word.resize(result.len(), gates.constant(false));
                    word
                };
                let (a, b) = (widened(self, a), widened(self, b));
                self.mul_now(&a, &b)
            }
            Kind::Quotient(shift) => self.quotient_now(a, b, shift),
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

/// Whether the highest bit of a word is set in a number that it has.
fn is_normal(word: &[Lit], number: &BigUint) -> bool {
    number.bits() == word.len() as u64
}

impl Kind {
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
