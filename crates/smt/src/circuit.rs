//! What a term is in a SAT instance: literals for its bits, or an unknown of linear arithmetic.

use rustsat::types::Lit;
use term::Format;

use crate::arithmetic::Number;
use crate::words::Word;

/// What a term has become.
#[derive(Clone)]
pub(crate) enum Circuit {
    Bool(Lit),
    Word(Word),
    /// The encoding as [`crate::float`] has it.
    Float(Format, Word),
    Number(Number),
}

/// A construct that has no circuit, in words.
pub(crate) type Missing = String;
