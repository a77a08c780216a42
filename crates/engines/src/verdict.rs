//! What an engine answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use cfa::EdgeId;

use crate::invariant::Invariants;
use crate::replay::Counterexample;

/// The answer of an engine.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches an error, and this is why.
    Safe(Proof),
    /// This execution does; it was replayed.
    Unsafe(Box<Counterexample>),
    /// Neither is known.
    Unknown(Unknown),
}

/// Why a program is safe.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No path leads to an error location.
    NoPath,
    /// Every execution was followed to its end.
    Unrolled {
        /// The most rounds of a loop that any execution makes.
        rounds: u32,
    },
    /// The error is unreachable after any `k` rounds of which none reached it, and so it is in the
    /// first `k`.
    Inductive {
        /// The number of rounds.
        k: u32,
        /// What holds at the heads of loops.
        invariants: Arc<Invariants>,
    },
    /// The abstract states that executions can be in were all found, and none is an error.
    Explored {
        /// How many nodes the abstract reachability graph has.
        nodes: usize,
    },
    /// An abstract fixpoint over predicates has no error.
    Abstraction {
        /// How often the predicates were refined.
        refinements: u32,
    },
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// Time is up.
    TimeLimit,
    /// The memory that was granted is used up.
    MemoryLimit,
    /// The run was told to stop.
    Interrupted,
    /// An execution may reach something that is not modelled.
    Unsupported {
        /// What.
        reason: String,
        /// Where, if it is in the program.
        edge: Option<EdgeId>,
    },
    /// The solver gave no answer.
    Solver(String),
    /// An execution was found that the interpreter does not confirm.
    NotReplayed(String),
    /// What this analysis can do is done.
    Exhausted(String),
    /// The property, here by its name, is of a class that no analysis decides.
    Property(String),
    /// Something went wrong inside the program itself.
    Internal,
    /// A proof was found, and another check says that it is wrong: so something went wrong, too.
    Refuted(String),
}

impl Unknown {
    /// Every reason by name. The list is closed: scripts may rely on it, and the guide says what
    /// each means.
    pub const NAMES: [&str; 9] = [
        "time limit",
        "memory limit",
        "interrupted",
        "unsupported",
        "solver",
        "not replayed",
        "exhausted",
        "property",
        "internal error",
    ];

    /// The reason by name, one of [`Unknown::NAMES`].
    #[must_use]
    pub const fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Unknown::TimeLimit => 0,
            Unknown::MemoryLimit => 1,
            Unknown::Interrupted => 2,
            Unknown::Unsupported { .. } => 3,
            Unknown::Solver(_) => 4,
            Unknown::NotReplayed(_) => 5,
            Unknown::Exhausted(_) => 6,
            Unknown::Property(_) => 7,
            Unknown::Internal | Unknown::Refuted(_) => 8,
        }]
    }
}

/// How far a run is, for whoever watches from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    rounds: AtomicU32,
    states: AtomicU64,
    refinements: AtomicU64,
}

impl Progress {
    /// Rounds so far: of unrolling, or of refinement.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds.load(Ordering::Relaxed)
    }

    pub(crate) fn set_rounds(&self, rounds: u32) {
        self.rounds.store(rounds, Ordering::Relaxed);
    }

    /// How many abstract states have been found, and how often the precision was refined.
    #[must_use]
    pub fn explored(&self) -> (u64, u64) {
        (self.states.load(Ordering::Relaxed), self.refinements.load(Ordering::Relaxed))
    }

    /// Says how many abstract states have been found, and how often the precision was refined.
    pub fn set_explored(&self, states: u64, refinements: u64) {
        self.states.store(states, Ordering::Relaxed);
        self.refinements.store(refinements, Ordering::Relaxed);
    }
}

/// Makes a solver. Every run of an engine has a table of terms of its own, and a solver knows the
/// terms of one table only.
pub type NewSolver<'a> = &'a dyn Fn() -> Box<dyn smt::FullSolver>;

/// What a run may spend.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When it must end.
    pub deadline: Option<Instant>,
    /// How many bytes it may take.
    pub memory: Option<u64>,
    /// Set from outside to end it.
    pub stop: Option<Arc<AtomicBool>>,
    /// Where the run says how far it is.
    pub progress: Arc<Progress>,
}

impl Budget {
    /// The limits for a call of the solver.
    #[must_use]
    pub fn solver(&self) -> smt::Limits {
        smt::Limits {
            deadline: self.deadline,
            memory: self.memory.and_then(|bytes| usize::try_from(bytes).ok()),
            stop: self.stop.clone(),
            ..smt::Limits::default()
        }
    }

    /// Why the run must end now, if it must.
    #[must_use]
    pub fn exceeded(&self) -> Option<Unknown> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Unknown::Interrupted);
        }
        self.deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Unknown::TimeLimit)
    }
}

impl From<smt::Reason> for Unknown {
    fn from(reason: smt::Reason) -> Self {
        match reason {
            smt::Reason::Time => Unknown::TimeLimit,
            smt::Reason::Memory => Unknown::MemoryLimit,
            smt::Reason::Stopped => Unknown::Interrupted,
            other => Unknown::Solver(other.to_string()),
        }
    }
}
