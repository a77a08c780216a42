//! The error of a text that cannot be read.

use std::fmt;

/// Text that is not a term, or not a well-sorted one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where the error is, in bytes from the start.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ParseError {}
