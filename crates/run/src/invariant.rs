//! What holds whenever executions pass a place, as terms.

use std::collections::BTreeMap;
use std::fmt;

use cfa::LocId;
use term::{TermId, Terms, Var};

/// What was proved about places of a program.
#[derive(Clone, Default)]
pub struct Invariants {
    /// The table that the formulas are in: that of the program, which has grown.
    pub terms: Terms,
    /// The formulas, by place.
    pub list: Vec<Invariant>,
}

/// Something that holds whenever executions pass a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The place, usually the head of a loop.
    pub location: LocId,
    /// A formula over variables of the program that have a name in the source.
    pub formula: TermId,
    /// The sums, differences and products of the formula that, as signed numbers, never exceed
    /// their width there.
    pub exact: Vec<TermId>,
}

impl fmt::Debug for Invariants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

/// Formulas of a program that may hold at the heads of its loops, as candidates for a search for invariants.
#[derive(Clone, Default, Debug)]
pub struct Hints {
    /// The formulas.
    pub formulas: Vec<TermId>,
    /// Variables in them that stand for the values of these terms when the loop is entered; nothing else in
    /// the program mentions them.
    pub first: BTreeMap<Var, TermId>,
}

/// A formula that ought to hold whenever executions pass a place. A caller with several such formulas can learn of each
/// whether it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The place: no head of a loop, and one from which an error can be reached.
    pub location: LocId,
    /// The formula, over variables of the program.
    pub formula: TermId,
}
