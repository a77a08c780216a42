//! The state of the search for integral solutions: the simplex with derived bounds, and what each
//! bound rests on.

use std::collections::BTreeSet;

use super::rational::{Delta, Rational};
use super::simplex::{Conflict, Side, Simplex, Solved, Why};
use super::tableau::Column;
use crate::Reason;
use run::Budget;

/// What a contradiction or a derived bound rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cause {
    Tag(u32),
    Branch(u32),
}

/// A set of causes.
pub(super) type Causes = BTreeSet<Cause>;

/// Why a step of the search cannot go on.
pub(super) enum Halt {
    /// The present bounds contradict each other because of these causes.
    Contradiction(Causes),
    Stopped(Reason),
}

/// A split of the search on a column.
pub(super) struct Frame {
    pub(super) mark: usize,
    pub(super) column: Column,
    /// The bound of the side that is tried second.
    pub(super) second: (Side, Delta),
    /// The number of the branch of the side that is open.
    pub(super) branch: u32,
    /// The causes of the contradiction on the first side, once this side is closed.
    pub(super) first: Option<Causes>,
}

/// The state of the search.
pub(super) struct Search<'a> {
    pub(super) simplex: Simplex,
    /// The causes of derived bounds.
    pub(super) derived: Vec<Causes>,
    pub(super) branches: u32,
    pub(super) frames: Vec<Frame>,
    pub(super) limits: &'a Budget,
}

impl Search<'_> {
    /// Finds rational values within the present bounds.
    pub(super) fn solve(&mut self) -> Result<(), Halt> {
        match self.simplex.solve(self.limits) {
            Solved::Feasible => Ok(()),
            Solved::Infeasible(conflict) => Err(self.contradiction(conflict)),
            Solved::Stopped(reason) => Err(Halt::Stopped(reason)),
        }
    }

    /// Restricts a column for a reason.
    pub(super) fn restrict(
        &mut self,
        column: Column,
        side: Side,
        value: Rational,
        why: Why,
    ) -> Result<(), Halt> {
        let restricted = self.simplex.restrict(column, side, Delta::new(value), why);
        restricted.map_err(|conflict| self.contradiction(conflict))
    }

    /// A reason that stands for a set of causes.
    pub(super) fn derive(&mut self, causes: Causes) -> Why {
        self.derived.push(causes);
        Why::Derived((self.derived.len() - 1) as u32)
    }

    /// Adds the causes of a bound, if there is a bound on this side.
    pub(super) fn blame(&self, column: Column, side: Side, causes: &mut Causes) {
        if let Some(bound) = self.simplex.bound(column, side) {
            self.blame_why(&bound.why, causes);
        }
    }

    fn blame_why(&self, why: &Why, causes: &mut Causes) {
        match why {
            Why::Asserted { tag, .. } => {
                causes.insert(Cause::Tag(*tag));
            }
            Why::Branch(branch) => {
                causes.insert(Cause::Branch(*branch));
            }
            Why::Derived(index) => causes.extend(&self.derived[*index as usize]),
        }
    }

    fn contradiction(&self, conflict: Conflict) -> Halt {
        let mut causes = Causes::new();
        for (why, _) in &conflict {
            self.blame_why(why, &mut causes);
        }
        Halt::Contradiction(causes)
    }
}
