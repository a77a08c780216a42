//! Answers, and the limits within which they are sought.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Neither is known.
    Unknown(Reason),
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The number of conflicts that was allowed is used up.
    Conflicts,
    /// The time that was allowed is used up.
    Time,
    /// The memory that was allowed is used up.
    Memory,
    /// Somebody asked to stop.
    Stopped,
    /// The formula uses something that the solver does not know.
    Unsupported(String),
    /// The solver failed, in its own words.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Conflicts => f.write_str("conflict limit"),
            Reason::Time => f.write_str("time limit"),
            Reason::Memory => f.write_str("memory limit"),
            Reason::Stopped => f.write_str("stopped"),
            Reason::Unsupported(what) => write!(f, "{what} is not supported by the solver"),
            Reason::Failed(why) => write!(f, "the solver failed: {why}"),
        }
    }
}

/// How long a check may go on. Conflicts are counted, so that a run with only that limit is the
/// same every time; time is the backstop.
#[derive(Clone, Default)]
pub struct Limits {
    /// At most this many conflicts of the SAT solver.
    pub conflicts: Option<u64>,
    /// Not past this moment.
    pub deadline: Option<Instant>,
    /// At most about this many bytes for clauses.
    pub memory: Option<usize>,
    /// Set from outside to end the check.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether time is up or somebody asked to stop.
    #[must_use]
    pub fn exceeded(&self) -> Option<Reason> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Reason::Time);
        }
        None
    }
}
