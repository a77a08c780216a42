//! The summary of a simple loop: how many rounds it completes, and the values of its variables after
//! them.

use cfa::{LocId, Loops, Program};
use interp::Shortcut;
use term::{TermId, Terms, Var};

use super::guard::Count;
use super::phases::{self, Phase};
use super::round::Round;

/// What all completed rounds of a loop do together.
pub(crate) struct Summary {
    pub(crate) head: LocId,
    /// The rounds that are completed, those of one phase after the other.
    pub(super) phases: Vec<Phase>,
    /// Under this condition on the values at the head, the loop is left after these rounds.
    pub(super) certain: TermId,
    /// Whether the round that is not completed is always left for the same reason.
    pub(super) single: bool,
    /// How many edges the shortest round has.
    pub(super) edges: u64,
}

impl Summary {
    /// The summary of the loop with a head, if it has one that is exact.
    pub(super) fn of(
        program: &Program,
        loops: &Loops,
        head: LocId,
        terms: &mut Terms,
    ) -> Option<Self> {
        let round = Round::of(program, loops, head, terms)?;
        let phases = phases::phases(terms, &round)?;
        // An execution that is stuck must not get out of the loop.
        let single = round.leaves.len() == 1 && !round.stuck;
        let certain = match &phases[..] {
            [only] => only.count.certain,
            _ => terms.bool(true),
        };
        Some(Self { head, phases, certain, single, edges: round.edges })
    }
}

impl Phase {
    /// The rounds of this phase as the interpreter takes them. `None` if that would need variables of
    /// summaries of inner loops, which the program does not have.
    pub(super) fn shortcut(
        &self,
        terms: &mut Terms,
        program: &Program,
        head: LocId,
        edges: u64,
    ) -> Option<Shortcut> {
        let Count { finite, rounds, .. } = self.count;
        let count = terms.declare(format!("{head}$count"), terms.sort(rounds));
        let number = terms.var(count);
        let mut values = self.values(terms, number);
        let is_there = |var: &Var| program.cfa.variables.get(*var).is_some();
        values.retain(|(var, _)| is_there(var));
        let read = values.iter().map(|(_, value)| *value).chain([finite, rounds]);
        let is_known =
            |term: TermId| terms.vars(term).iter().all(|var| *var == count || is_there(var));
        let mut read = read;
        read.all(is_known).then_some(Shortcut { finite, rounds, count, values, edges })
    }

    /// The values of variables after a number of rounds, such that each may be assigned before those
    /// that follow: none of them reads a variable that comes earlier.
    pub(super) fn values(&self, terms: &mut Terms, rounds: TermId) -> Vec<(Var, TermId)> {
        let order = self.solution.order.iter().rev();
        order.map(|var| (*var, self.solution.at(terms, *var, rounds))).collect()
    }
}
