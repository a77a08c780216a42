//! What an engine answers.

use std::sync::Arc;

use cfa::{EdgeId, LocId};
use term::Terms;

use crate::budget::Exceeded;
use crate::certificate::{Certificate, Rounds};
use crate::decision::Drawn;
use crate::invariant::Invariants;

/// The answer of an engine.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches an error, and this is why.
    Safe(Proof),
    /// This execution reaches an error; the interpreter has repeated it.
    Unsafe(Box<Counterexample>),
    /// It is not known whether an execution reaches an error, for this reason.
    Unknown(Unknown),
}

/// Why a program is safe.
#[derive(Clone, Debug)]
pub enum Proof {
    /// No path leads to an error location.
    NoPath,
    /// The program has one execution, which was run to its end.
    Executed {
        /// How many steps the execution has.
        steps: u64,
    },
    /// Every execution was followed to its end.
    Unrolled {
        /// The most rounds of a loop that any execution makes.
        rounds: u32,
    },
    /// No error is reached in the first `k` rounds, and none in the round after any `k` rounds that reach none.
    Inductive {
        /// The number of rounds.
        k: u32,
        /// What holds at the heads of loops.
        invariants: Arc<Invariants>,
        /// What was proved of the rounds of loops, for the proof checker; none where the proof is about
        /// a rewritten program.
        certificate: Option<Arc<Certificate>>,
    },
    /// The abstract states that executions can be in were all found, and none is an error.
    Explored {
        /// How many nodes the abstract reachability graph has.
        nodes: usize,
    },
    /// Contracts of functions exclude errors, and each function keeps its own.
    Contracts {
        /// How many functions have contracts.
        functions: usize,
    },
    /// An abstract fixpoint over predicates has no error.
    Abstraction {
        /// How often the predicates were refined.
        refinements: u32,
    },
}

impl Proof {
    /// The certificate of the proof, for the proof checker; `terms` are the terms of the program that was analysed.
    /// None if a certificate needs more than this proof has, such as the graph of an exploration.
    #[must_use]
    pub fn certificate(&self, terms: &Terms) -> Option<Certificate> {
        match self {
            Proof::NoPath => Some(Certificate::new(terms.clone())),
            // No loop has more rounds than the whole execution has steps.
            Proof::Executed { steps } => Some(unrolled(terms, *steps)),
            Proof::Unrolled { rounds } => Some(unrolled(terms, u64::from(*rounds))),
            Proof::Inductive { certificate, .. } => certificate.as_deref().cloned(),
            Proof::Explored { .. } | Proof::Contracts { .. } | Proof::Abstraction { .. } => None,
        }
    }
}

/// The claim that no loop has more than `most` rounds.
fn unrolled(terms: &Terms, most: u64) -> Certificate {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let rounds = Some(Rounds { loops: Vec::new(), most });
    Certificate { rounds, ..Certificate::new(terms.clone()) }
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
        /// What is not modelled.
        reason: String,
        /// The edge with this operation, if it is in the program.
        edge: Option<EdgeId>,
    },
    /// The solver gave no answer.
    Solver(String),
    /// An execution was found that the interpreter does not confirm.
    NotReplayed(String),
    /// The analysis has done all that it can, and has no answer, for this reason.
    Exhausted(String),
    /// The property, here by its name, is of a class that no analysis decides.
    Property(String),
    /// Something went wrong inside Proviso itself.
    Internal,
    /// A proof was found, and either the proof checker or an error that another stage has found says that the proof is
    /// wrong: so something went wrong inside Proviso itself, too.
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

impl From<Exceeded> for Unknown {
    fn from(limit: Exceeded) -> Self {
        match limit {
            Exceeded::Time => Unknown::TimeLimit,
            Exceeded::Memory => Unknown::MemoryLimit,
            Exceeded::Interrupted => Unknown::Interrupted,
        }
    }
}

/// An execution that reaches an error.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What was decided on the way, in order; with these decisions the interpreter repeats the
    /// execution.
    pub drawn: Vec<Drawn>,
    /// How many edges the execution takes, or fewer where rounds of loops were taken at once.
    pub steps: u64,
    /// How many rounds of loops were taken at once when it was replayed, by summaries that are exact.
    pub skipped: u64,
    /// The error location.
    pub error: LocId,
}

/// What came of a replay.
#[derive(Clone, Debug)]
pub enum Replayed {
    /// The error is reached.
    Error(Counterexample),
    /// The error is not reached; this text says what happens instead.
    Not(String),
}

/// What is known of a path.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// An execution takes the path; this is the result of replaying its inputs with the interpreter.
    Feasible(Replayed),
    /// No execution takes the path.
    Infeasible,
    /// It is not known whether an execution reaches an error, for this reason.
    Unknown(Unknown),
}

/// How far bounded model checking followed executions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bound {
    /// Every execution with at most this many rounds of each loop, and at most this many activations of a function at a
    /// time, was followed up to the first edge of `cuts` that it takes, and none reaches an error.
    pub rounds: Option<u32>,
    /// The edges of the program that was analysed on which executions may meet something that is not modelled, in
    /// order. Nothing is known of executions that take such an edge.
    pub cuts: Vec<EdgeId>,
    /// The locations at which executions that go on beyond the bound were stopped. If the list is empty, all executions
    /// were followed to their ends.
    pub frontier: Vec<LocId>,
    /// The decisions of one execution that was stopped at such a location, if an execution was kept: with these
    /// decisions the interpreter reaches that location.
    pub example: Vec<Drawn>,
}
