//! Facts that hold at the head of a loop after any number of rounds, for loops that are not regular
//! enough for an exact summary.
//!
//! Facts relate the values at the head, the values before the first round, and the number of completed
//! rounds. Variables that change regularly have their closed forms ([`super::solve`]), conditions to
//! leave that read only these bound the number of rounds ([`super::guard`]), and of other variables there
//! are bounds and linear relations ([`super::relations`]).

use std::collections::BTreeMap;

use cfa::{LocId, Loops, Program};
use term::{Sort, TermId, Terms, Var};

use super::convex::Convex;
use super::guard;
use super::loose::Effects;
use super::relations::{self, Moving};
use super::round::Round;
use super::solve::Solution;

/// The width of the number of rounds. Values of polynomials in it are right for variables of up to 64
/// bits even if it wraps around.
pub(super) const COUNT: u32 = 68;

/// The widest variables that facts are about.
const MOST_WIDTH: u32 = 64;

/// Larger facts cost more than they are worth.
const MOST_TERMS: usize = 300;

/// Loops that change more variables than this are not looked at.
const MOST_VARIABLES: usize = 40;

/// What is known at the head of a loop. Terms are of a table that has grown from that of the program:
/// variables stand for their values before the first round.
pub(super) struct Facts {
    pub(super) head: LocId,
    /// A symbol for the number of completed rounds.
    pub(super) count: Var,
    /// Symbols for the values that variables have now. All variables that a round may change have one.
    pub(super) now: BTreeMap<Var, Var>,
    /// Variables and what they are now. A value reads no variable that comes later.
    pub(super) values: Vec<(Var, TermId)>,
    /// Other facts.
    pub(super) list: Vec<TermId>,
}

impl Facts {
    /// Facts about the loop with a head. `None` if there are none.
    pub(super) fn of(
        program: &Program,
        loops: &Loops,
        effects: &Effects,
        head: LocId,
        terms: &mut Terms,
    ) -> Option<Self> {
        let (round, loose) = Round::loosely(program, loops, effects, head, terms)?;
        if round.updates.len() > MOST_VARIABLES {
            return None;
        }
        let (solution, open) =
            Solution::partly(terms, &round.updates, &round.leaves, &loose.chosen);
        let symbol = |terms: &mut Terms, var: Var| {
            let sort = terms.var_sort(var);
            (var, terms.declare("now", sort))
        };
        let now = round.updates.keys().map(|var| symbol(terms, *var)).collect();
        let count = terms.declare("count", Sort::Bv(COUNT));
        let mut facts = Self { head, count, now, values: Vec::new(), list: Vec::new() };
        let bounded = facts.add_limits(terms, &solution, &round.leaves);
        facts.add_forms(terms, &solution, bounded);
        facts.add_moves(terms, &round.updates, &open, bounded);
        facts.list.retain(|fact| {
            terms.value(*fact).is_none() && terms.post_order(&[*fact]).len() <= MOST_TERMS
        });
        (!facts.list.is_empty() || !facts.values.is_empty()).then_some(facts)
    }

    /// Adds that a loop which is surely left in some round has not completed that round. Gives when
    /// there is such a round: then the number of rounds has not wrapped around.
    fn add_limits(&mut self, terms: &mut Terms, solution: &Solution, leaves: &[TermId]) -> TermId {
        let mut limits = Vec::new();
        for leaves in leaves {
            if let Some(convex) = Convex::of(terms, solution, *leaves) {
                let count = terms.var(self.count);
                self.list.push(convex.facts(terms, count));
                limits.push(convex.certain);
            }
            let Some(first) = guard::first(terms, solution, &[*leaves]) else { continue };
            let width = terms.width(first.rounds).max(COUNT);
            let limit = terms.and2(first.finite, first.certain);
            let count = terms.var(self.count);
            let count = terms.bv_zero_extend(width, count);
            let rounds = terms.bv_zero_extend(width, first.rounds);
            let within = terms.bv_ule(count, rounds);
            self.list.push(terms.implies(limit, within));
            // A number of rounds that is wider could be one that the count cannot hold.
            if terms.width(first.rounds) < COUNT {
                limits.push(limit);
            }
        }
        terms.or(&limits)
    }

    /// Adds the values of variables that have closed forms.
    fn add_forms(&mut self, terms: &mut Terms, solution: &Solution, bounded: TermId) {
        let count = terms.var(self.count);
        for var in &solution.order {
            if !matches!(terms.var_sort(*var), Sort::Bool | Sort::Bv(1..=MOST_WIDTH)) {
                continue;
            }
            let value = solution.at(terms, *var, count);
            if solution.is_steady(terms, *var) {
                self.values.push((*var, value));
                continue;
            }
            let now = terms.var(self.now[var]);
            let same = terms.eq(now, value);
            let fact = if solution.is_periodic(*var) { same } else { terms.implies(bounded, same) };
            self.list.push(fact);
        }
    }

    /// Adds bounds and relations of variables without closed forms.
    fn add_moves(
        &mut self,
        terms: &mut Terms,
        updates: &BTreeMap<Var, TermId>,
        open: &[Var],
        bounded: TermId,
    ) {
        let mut by_width: BTreeMap<u32, Vec<Moving>> = BTreeMap::new();
        for var in open {
            let Sort::Bv(width @ 1..=MOST_WIDTH) = terms.var_sort(*var) else { continue };
            let (first, now) = (terms.var(*var), terms.var(self.now[var]));
            let moved = terms.bv_sub(now, first);
            let moving = Moving { var: *var, first, update: updates[var], moved };
            by_width.entry(width).or_default().push(moving);
        }
        let count = terms.var(self.count);
        for (width, moving) in by_width {
            let (values, list) = relations::facts(terms, width, &moving, count, bounded);
            self.values.extend(values);
            self.list.extend(list);
        }
    }
}
