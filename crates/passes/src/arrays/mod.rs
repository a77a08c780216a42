//! Arrays by one distinguished element (after Monniaux & Gonnord 2016): a program in which "for all
//! elements" is a question about scalars.
//!
//! Each error of a program is reached from some loads of elements. Let `K` be the values that the
//! variables in the indices of these loads have when the error is reached. Nobody knows these values
//! before, so the rewritten program chooses them arbitrarily at the start and never changes them, and an
//! error counts only where the variables have the values `K`. (In `for (…) if (a[i]) bad = 1; if (bad)
//! error();` the error depends on the flag `bad`: `i` had its value of `K` when the flag was last set.)
//! In place of an array the program has variables for its elements at the indices that belong to `K`: a
//! store changes one of them if the index is the same, a load reads it if the index is the same, and
//! anything otherwise.
//!
//! Every execution of the original has a counterpart for every choice of `K`, in which variables hold the
//! same. If the execution reaches an error, its counterpart for the right choice of `K` does. So a proof for
//! the rewritten program is one for the original. Which loads, variables and indices are chosen is a matter of
//! taste: the wrong ones prove less.

mod again;
mod bases;
mod cell;
mod element;
mod hints;
mod prophecy;
mod rewrite;

use cfa::{Op, Points, Program};
use domains::survey::Survey;
use run::{Budget, Hints};

pub(crate) use element::is_made_once;
pub(crate) use hints::conditions;
pub(crate) use prophecy::Before;

use crate::Rewritten;

/// A program with variables for some elements of its arrays.
pub struct Elements {
    /// The program.
    pub rewritten: Rewritten,
    /// What may hold at heads of loops: simple guesses, and others that are added where those are not enough.
    pub hints: [Hints; 2],
}

/// The program with variables for some elements in place of its arrays. `None` if it has calls, no arrays
/// that are accessed at indices, no loads of elements before errors, or something that reads memory in a
/// way that is not understood; and if looking for that takes long.
#[must_use]
pub fn arrays(program: &Program, budget: &Budget) -> Option<Elements> {
    let cfa = &program.cfa;
    let is_strange = |op: &Op| matches!(op, Op::Call { .. } | Op::HavocReachable { .. });
    if cfa.shadow != 0
        || program.terms.var_count() != cfa.variables.len()
        || cfa.edges.iter().flat_map(|edge| &edge.ops).any(is_strange)
    {
        return None;
    }
    let survey = Survey::of(program, budget)?;
    let mut terms = program.terms.clone();
    let points = Points::of(program);
    let arrays = element::Arrays::of(&survey, &points, &mut terms)?;
    let chosen = prophecy::Chosen::of(program, &arrays, &mut terms)?;
    let (rewritten, hints) = rewrite::rewrite(&survey, points, terms, &arrays, &chosen);
    Some(Elements { rewritten, hints })
}
