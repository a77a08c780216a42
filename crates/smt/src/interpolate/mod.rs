//! Interpolants for a sequence of blocks: why no execution passes them all, cut by cut.
//!
//! A block is a list of definitions in static single assignment and a list of constraints, as the
//! edges of a path give them. For blocks `b0 … bn` that have no common model there are formulas
//! `i1 … in` such that `b0` implies `i1`, each `ik` and `bk` imply the next, and `in` contradicts
//! `bn`; and each `ik` only speaks of symbols that occur before and after its cut.
//!
//! There are two ways to find interpolants. If the core is linear, a Farkas certificate gives relations between the
//! symbols (`farkas`). Otherwise the weakest preconditions of the constraints in the unsatisfiable core are taken
//! backwards through the blocks (`newton`). The solver checks every sequence of interpolants, bit by bit, before it is
//! given to the caller.

mod eliminate;
mod farkas;
mod linearise;
mod newton;
mod work;

use term::{TermId, Terms};

use run::Budget;

use crate::{Cores, Models, Reason};
pub use work::Block;
use work::{Interpolants, Work};

/// Which interpolants are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Relations from certificates where that works, weakest preconditions otherwise.
    #[default]
    Auto,
    /// Relations from certificates only.
    Farkas,
    /// Weakest preconditions only.
    Newton,
}

/// The result of an interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Interpolation {
    /// The blocks have a common model: that of the solver's last check.
    Feasible,
    /// The blocks have no common model, and these formulas say why, one for each cut between two blocks.
    Interpolants(Vec<TermId>),
    /// Whether the blocks have a common model is not known, or no interpolants were found.
    Unknown(Reason),
}

/// A solver that can say why blocks have no common model.
pub trait Interpolate: Models + Cores {
    /// Interpolants for blocks, checked.
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        blocks: &[Block],
        style: Style,
        limits: &Budget,
    ) -> Interpolation;
}

impl<S: Models + Cores> Interpolate for S {
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        blocks: &[Block],
        style: Style,
        limits: &Budget,
    ) -> Interpolation {
        let mut work = match Work::start(self, terms, blocks, limits) {
            Ok(Some(work)) => work,
            Ok(None) => return Interpolation::Feasible,
            Err(reason) => return Interpolation::Unknown(reason),
        };
        let mut reason = Reason::Failed("no interpolants were found".to_owned());
        let ways: &[fn(&mut Work<'_, S>) -> Interpolants] = match style {
            Style::Auto => &[farkas::interpolants, newton::interpolants],
            Style::Farkas => &[farkas::interpolants],
            Style::Newton => &[newton::interpolants],
        };
        for way in ways {
            match way(&mut work).and_then(|found| work.checked(found)) {
                Ok(found) => return Interpolation::Interpolants(found),
                Err(why) => reason = why,
            }
            if let Some(why) = limits.exceeded() {
                return Interpolation::Unknown(why.into());
            }
        }
        Interpolation::Unknown(reason)
    }
}
