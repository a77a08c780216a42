//! What a solver answers.

use std::fmt;

use run::{Exceeded, Unknown};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Answer {
    /// The formulas have a model.
    Sat,
    /// The formulas have no model.
    Unsat,
    /// Whether the formulas have a model is not known.
    Unknown(Reason),
}

/// Why it is not known whether formulas have a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The number of conflicts that was allowed is used up.
    Conflicts,
    /// A limit of the run is passed.
    Exceeded(Exceeded),
    /// The formula uses something that the solver does not know.
    Unsupported(String),
    /// The solver failed, in its own words.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Conflicts => f.write_str("conflict limit"),
            Reason::Exceeded(limit) => limit.fmt(f),
            Reason::Unsupported(what) => write!(f, "{what} is not supported by the solver"),
            Reason::Failed(why) => write!(f, "the solver failed: {why}"),
        }
    }
}

impl From<Exceeded> for Reason {
    fn from(limit: Exceeded) -> Self {
        Reason::Exceeded(limit)
    }
}

impl From<Reason> for Unknown {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Exceeded(limit) => limit.into(),
            other => Unknown::Solver(other.to_string()),
        }
    }
}
