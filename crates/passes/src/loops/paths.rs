//! Rounds of a loop that all go the same way, with the same inputs in each of them.
//!
//! A round may choose its way by conditions that change irregularly, or by inputs. As long as rounds
//! follow each other that go one way and are given the same inputs, variables often have closed forms.

use cfa::{LocId, Loops, Program};
use interp::Site;
use std::collections::BTreeMap;
use term::{TermId, Terms, Var};

use super::guard::{self, Count};
use super::loose::{Effects, Input};
use super::phases::{oldest_choice, oldest_part, replaced};
use super::round::Round;
use super::solve::Solution;

/// How many ways of a loop are looked at.
const MOST_WAYS: usize = 12;

/// How many conditions may tell a way from others.
const MOST_CONDITIONS: usize = 12;

/// A way through the rounds of a loop. Terms are of a table that has grown from that of the program.
pub(super) struct Path {
    pub(super) head: LocId,
    /// How many rounds go this way, at most, if all are given the same inputs.
    pub(super) count: Count,
    /// A symbol for the number of rounds.
    pub(super) rounds: Var,
    /// The inputs that each round asks for, and the symbols for them.
    pub(super) inputs: Vec<(Var, Site)>,
    /// Symbols of inputs that no round asks for on this way.
    pub(super) others: Vec<Var>,
    /// The values after this number of rounds, each to be assigned before those that follow.
    pub(super) values: Vec<(Var, TermId)>,
}

/// The width of a number of rounds.
pub(super) const WIDTH: u32 = 32;

/// A way in the making: a round, when it asks for inputs, and the conditions that tell it from others.
#[derive(Clone)]
struct Way {
    leaves: Vec<TermId>,
    updates: BTreeMap<Var, TermId>,
    asks: Vec<TermId>,
    conditions: Vec<(TermId, bool)>,
}

impl Path {
    /// Ways through the rounds of the loop with a head that have closed forms.
    pub(super) fn all(
        program: &Program,
        loops: &Loops,
        effects: &Effects,
        head: LocId,
        terms: &mut Terms,
    ) -> Vec<Self> {
        let Some((round, loose)) = Round::loosely(program, loops, effects, head, terms) else {
            return Vec::new();
        };
        if loose.vague {
            return Vec::new();
        }
        let asks = loose.inputs.iter().map(|input| input.guard).collect();
        let Round { leaves, updates, .. } = round;
        let mut open = vec![Way { leaves, updates, asks, conditions: Vec::new() }];
        let mut found = Vec::new();
        let mut looked = 0;
        while let Some(way) = open.pop() {
            looked += 1;
            if looked > 4 * MOST_WAYS || found.len() == MOST_WAYS {
                break;
            }
            match way.choice(terms) {
                None => found.extend(way.path(terms, head, &loose.inputs)),
                Some(_) if way.conditions.len() == MOST_CONDITIONS => {}
                Some(condition) => {
                    open.extend([false, true].map(|value| way.part(terms, condition, value)));
                }
            }
        }
        found
    }
}

impl Way {
    /// A condition by which rounds on this way still choose.
    fn choice(&self, terms: &Terms) -> Option<TermId> {
        let updates: Vec<TermId> = self.updates.values().copied().collect();
        oldest_choice(terms, &updates).or_else(|| oldest_part(terms, &self.asks))
    }

    /// The part of the way on which a condition has a value.
    fn part(&self, terms: &mut Terms, condition: TermId, value: bool) -> Self {
        let (yes, no) = (terms.bool(value), terms.bool(!value));
        let known = BTreeMap::from([(condition, yes), (terms.not(condition), no)]);
        let mut conditions = self.conditions.clone();
        conditions.push((condition, value));
        let mut each = |list: &[TermId]| -> Vec<TermId> {
            list.iter().map(|term| replaced(terms, *term, &known)).collect()
        };
        let (leaves, asks) = (each(&self.leaves), each(&self.asks));
        let updates = self.updates.iter();
        let updates = updates.map(|(var, update)| (*var, each(&[*update])[0])).collect();
        Self { leaves, updates, asks, conditions }
    }

    /// The rounds that go this way, if they have closed forms.
    fn path(&self, terms: &mut Terms, head: LocId, inputs: &[Input]) -> Option<Path> {
        let mut updates = self.updates.clone();
        updates.retain(|var, update| terms.var(*var) != *update);
        let leaves: Vec<TermId> =
            self.leaves.iter().copied().filter(|leaves| !terms.is_false(*leaves)).collect();
        if updates.is_empty() || leaves.iter().any(|leaves| terms.is_true(*leaves)) {
            return None;
        }
        let solution = Solution::of(terms, &updates, &leaves, false)?;
        let count = guard::first_or_changes(terms, &solution, &leaves, &self.conditions)?;
        let rounds = terms.declare("rounds", term::Sort::Bv(WIDTH));
        let number = terms.var(rounds);
        let order = solution.order.iter().rev();
        let values = order.map(|var| (*var, solution.at(terms, *var, number))).collect();
        let mut path = Path { head, count, rounds, inputs: Vec::new(), others: Vec::new(), values };
        for (input, asks) in inputs.iter().zip(&self.asks) {
            if terms.is_true(*asks) {
                // Values are kept by operation, so each operation may ask only once in a round.
                if path.inputs.iter().any(|(_, site)| *site == input.site) {
                    return None;
                }
                path.inputs.push((input.symbol, input.site));
            } else {
                path.others.push(input.symbol);
            }
        }
        Some(path)
    }
}
