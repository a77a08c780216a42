//! Many rounds of a loop at once.
//!
//! An analysis that has found out what all rounds of a loop do together can tell the interpreter, so that a run of a
//! billion rounds does not take a billion steps. The interpreter does not rely on the analysis alone: the first
//! rounds are executed and compared with the shortcut, and the last rounds are executed, too.

use std::collections::BTreeMap;

use cfa::LocId;
use term::{TermId, Terms, Value, Var};

/// What all rounds of some loops do together.
#[derive(Default)]
pub struct Shortcuts {
    /// The program's table of terms, extended by symbols that the program does not have.
    pub terms: Terms,
    /// The loops, by their heads. Each may have rounds of several kinds that follow each other.
    pub loops: BTreeMap<LocId, Vec<Shortcut>>,
}

impl std::fmt::Debug for Shortcuts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.loops.keys()).finish()
    }
}

/// What completed rounds of a loop of one kind do together, over the values of variables at its head.
/// None of them asks for inputs, touches memory or chooses between edges.
pub struct Shortcut {
    /// Whether there are finitely many such rounds.
    pub finite: TermId,
    /// The number of rounds of this kind until a round of another kind or the end of the loop: an unsigned
    /// bit-vector or an integer.
    pub rounds: TermId,
    /// A symbol of the same sort for the number of rounds that are taken, which is at most `rounds`.
    pub count: Var,
    /// The values of the variables that change, after that many rounds.
    pub values: Vec<(Var, TermId)>,
    /// How many edges a round has, or fewer if that is not always the same.
    pub edges: u64,
}

/// A loop whose first rounds are being compared.
pub(crate) struct Comparison {
    pub(crate) head: LocId,
    /// The number of the activation.
    pub(crate) activation: u64,
    /// The place of the shortcut among those of the loop.
    pub(crate) kind: usize,
    pub(crate) left: u64,
    /// How many steps the run had when the comparison began.
    pub(crate) begun: u64,
    pub(crate) expected: Vec<(Var, Value)>,
}
