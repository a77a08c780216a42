//! The error of an operator that does not take its arguments.

use std::fmt;

use crate::op::Op;

/// Arguments that an operator does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    /// The operator.
    pub op: Op,
    /// The arguments that the operator takes instead, or the error in its parameters.
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.op, self.message)
    }
}

impl std::error::Error for SortError {}
