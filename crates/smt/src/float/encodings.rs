//! What is known of the encodings of floats, and the unit that builds circuits on them.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::Format;

use crate::gates::Gates;
use crate::words::Word;

/// What an encoding says.
#[derive(Clone)]
pub(crate) struct Parts {
    pub sign: Lit,
    pub exponent: Word,
    pub fraction: Word,
    /// The exponent is all ones: NaN or an infinity.
    pub special: Lit,
    /// The exponent is zero: zero or subnormal.
    pub tiny: Lit,
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
}

/// A finite number, or zero, as `significand * 2^exponent` up to constants.
#[derive(Clone)]
pub(crate) struct Normal {
    /// The exponent with the bias, in two's complement, with one bit more than in the format: the exponents of
    /// subnormal numbers go below zero.
    pub exponent: Word,
    /// The significand, whose highest bit is set unless the number is zero.
    pub significand: Word,
}

/// The integer that a float is.
#[derive(Clone)]
pub(crate) struct Integer {
    /// The integer in two's complement.
    pub number: Word,
    /// Whether the float may be the negative zero.
    pub minus_zero: bool,
}

/// What has been found out about encodings. Formats differ in width, so the word alone tells the format, too.
#[derive(Default)]
pub(crate) struct Encodings {
    pub(super) parts: FxHashMap<Word, Parts>,
    pub(super) normal: FxHashMap<Word, Normal>,
    pub(super) integers: FxHashMap<Word, Integer>,
}

/// Builds circuits on floats of one format.
pub(crate) struct Unit<'a> {
    pub gates: &'a mut Gates,
    pub known: &'a mut Encodings,
    pub format: Format,
}
