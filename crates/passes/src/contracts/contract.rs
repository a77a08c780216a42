//! Contracts, and where they are in the program.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{EdgeId, FuncId, Program};
use term::{TermId, Var};

/// A program whose functions are under contracts, and the contracts.
pub struct Contracts {
    pub(super) program: Program,
    /// The original start, then the functions under contract.
    pub(super) starts: Vec<FuncId>,
    pub(super) contracts: BTreeMap<FuncId, Contract>,
    /// The functions whose bodies belong to each start.
    pub(super) parts: BTreeMap<FuncId, BTreeSet<FuncId>>,
    /// The variable that holds whether the formulas of the last check hold.
    pub(super) holds: Var,
}

/// The contract of a function, and where it is in the program.
pub(super) struct Contract {
    pub(super) spoken: Spoken,
    /// The global variables that the function may write.
    pub(super) written: BTreeSet<Var>,
    pub(super) requires: Vec<TermId>,
    pub(super) ensures: Vec<TermId>,
    /// The edge that begins the part of this function.
    pub(super) begin: EdgeId,
    /// The edge that computes whether `ensures` holds at the end.
    pub(super) end: EdgeId,
    /// The calls of the function.
    pub(super) sites: Vec<Site>,
}

/// The variables that a contract speaks of, in the rewritten program.
pub(super) struct Spoken {
    /// Stands for the parameters when the function is called.
    pub(super) parameters: Vec<Var>,
    /// Stands for the results when it has returned.
    pub(super) results: Vec<Var>,
    /// The global variables that the contract says something about, each with a variable that stands for its value
    /// before the call.
    pub(super) globals: Vec<(Var, Var)>,
}

/// A call of a function under contract.
pub(super) struct Site {
    /// The function that calls.
    pub(super) caller: FuncId,
    /// The edge that computes whether `requires` holds.
    pub(super) call: EdgeId,
    /// The edge that does what the contract says.
    pub(super) done: EdgeId,
}
