//! Loops by their rounds: k-induction.
//!
//! Executions are followed from the start of the program. At a loop, the first rounds are followed one by
//! one, as many as the claim says. All other rounds are followed at once: from a state in which
//! everything that rounds change is arbitrary and the formula of the claim holds, the checker follows `k`
//! rounds whose errors it passes over, and then one round whose errors count. Why this is enough: look at
//! the first error of an execution, or the first claim that fails. If this failure is in one of the
//! rounds that are followed one by one, it is found there. If not, the `k` rounds before it had no
//! failure, so they are among the rounds that were passed over, and the failure is found in the round
//! that counts.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{LocId, Scope};
use run::{LoopClaim, Place, StackId};
use term::{Sort, TermId};

use crate::address::Target;
use crate::check::{Checker, Stop, Walk};
use crate::execute::Taken;
use crate::memory::Base;
use crate::state::{State, Which};

/// The set of variables that a loop changes is computed at most this often, until it stays the same.
const MOST_TRIES: usize = 12;

/// A walk that follows one round of a loop.
pub(crate) struct Round {
    head: LocId,
    stack: StackId,
    /// Executions that are at the head again.
    back: Option<State>,
    /// Executions that have left the loop.
    out: Vec<(LocId, State)>,
}

/// What rounds of a loop change.
#[derive(Clone, PartialEq, Eq, Default)]
struct Changes {
    /// Variables, each with the object that it points into, if that is the same object before and after a round.
    values: BTreeMap<Which, Option<Base>>,
    /// Objects whose contents a round changes.
    contents: BTreeSet<Base>,
    /// Objects that may have ended.
    lives: BTreeSet<Base>,
}

impl Checker<'_> {
    /// Takes executions that come to the head of a loop through the loop, and gives the executions that have left it.
    pub(crate) fn go_round(
        &mut self,
        head: LocId,
        entered: &State,
    ) -> Result<Vec<(LocId, State)>, Stop> {
        let claim = self.claim_at(head, entered.stack);
        let mut out = Vec::new();
        // The two ways through the loop exclude each other, so that they can be merged.
        let one_by_one = self.fresh(Sort::Bool);
        let at_once = self.terms.not(one_by_one);

        let mut here = self.given(entered, one_by_one);
        let last = claim.from.saturating_add(claim.k);
        let mut number = 0;
        while let Some(mut state) = here.take() {
            if number >= claim.from {
                self.must_hold(&claim, &mut state, entered)?;
            }
            if number == last {
                break;
            }
            // A loop that is followed round by round ends only where the conditions of the path cannot hold.
            if number > 0 && self.is_unsat(state.guard.conditions())?.is_ok() {
                break;
            }
            let round = self.round(head, state)?;
            out.extend(round.out);
            here = round.back;
            number += 1;
        }

        if self.terms.is_false(claim.formula) {
            return Ok(out);
        }
        let changes = self.changes(head, entered)?;
        let arbitrary = self.arbitrary(entered, &changes);
        let mut here = self.given(&arbitrary, at_once);
        let silent = self.silent;
        for number in 0..=claim.k {
            let Some(mut state) = here.take() else { break };
            let holds = self.meaning(&mut state, Some(entered), claim.formula);
            if let Taken::Blocked = self.restrict(&mut state, holds) {
                break;
            }
            let counts = number == claim.k;
            self.silent = silent || !counts;
            let mut round = self.round(head, state)?;
            if counts {
                out.extend(round.out);
                if let Some(back) = &mut round.back {
                    self.must_hold(&claim, back, entered)?;
                }
            }
            here = round.back;
        }
        self.silent = silent;
        Ok(out)
    }

    /// What is claimed of a loop.
    fn claim_at(&mut self, head: LocId, stack: StackId) -> LoopClaim {
        if let Some(claim) = self.loop_claims.get(&Place { location: head, stack }) {
            return claim.clone();
        }
        let most = self.rounds.unwrap_or_default();
        let formula = self.terms.bool(false);
        LoopClaim { head, calls: Vec::new(), formula, from: most.saturating_add(1), k: 0 }
    }

    /// The executions of a state for which a condition holds.
    fn given(&mut self, state: &State, condition: TermId) -> Option<State> {
        let mut state = state.clone();
        state.guard.add(&self.terms, condition).then_some(state)
    }

    /// Checks that a claim holds at the head of its loop.
    fn must_hold(
        &mut self,
        claim: &LoopClaim,
        state: &mut State,
        entered: &State,
    ) -> Result<(), Stop> {
        if self.silent {
            return Ok(());
        }
        let holds = self.meaning(state, Some(entered), claim.formula);
        self.oblige(state, holds, || {
            format!("what is claimed of the rounds of the loop at {}", claim.head)
        })
    }

    /// Follows one round of the loop at whose head the executions are.
    fn round(&mut self, head: LocId, state: State) -> Result<Round, Stop> {
        let place = Place { location: head, stack: state.stack };
        let round = Round { head, stack: state.stack, back: None, out: Vec::new() };
        let mut walk = Walk::new(self.map.key(place), Some(round));
        self.step(&mut walk, head, state)?;
        self.walk(&mut walk)?;
        walk.round.ok_or_else(|| Stop::Open("a round without an end".to_owned()))
    }

    /// Takes in executions of a round that get to a location: gives them back unless the round ends there.
    pub(crate) fn stay(
        &mut self,
        round: &mut Round,
        location: LocId,
        state: State,
    ) -> Option<State> {
        // Where there are more calls, executions have not returned to the loop yet.
        if state.stack != round.stack {
            return Some(state);
        }
        if location == round.head {
            round.back = match round.back.take() {
                Some(other) => self.merge(&other, &state),
                None => Some(state),
            };
            None
        } else if self.map.is_in_loop(round.head, location) {
            Some(state)
        } else {
            round.out.push((location, state));
            None
        }
    }

    /// What rounds of a loop change: everything that a round changes which begins with all of this arbitrary.
    fn changes(&mut self, head: LocId, entered: &State) -> Result<Changes, Stop> {
        let silent = std::mem::replace(&mut self.silent, true);
        let mut changes = Changes::default();
        for _ in 0..MOST_TRIES {
            let before = self.arbitrary(entered, &changes);
            let mut more = changes.clone();
            if let Some(after) = self.round(head, before.clone())?.back {
                self.add_changes(&mut more, &before, &after);
            }
            if more == changes {
                self.silent = silent;
                return Ok(changes);
            }
            changes = more;
        }
        Err(Stop::Open("what the rounds of a loop change was not found out".to_owned()))
    }

    fn add_changes(&mut self, changes: &mut Changes, before: &State, after: &State) {
        let all: BTreeSet<Which> =
            before.values.keys().chain(after.values.keys()).copied().collect();
        for which in all {
            let (old, new) = (self.read(before, which), self.read(after, which));
            if old != new {
                let base =
                    self.base_behind(old).filter(|base| self.base_behind(new) == Some(*base));
                let known = changes.values.entry(which).or_insert(base);
                *known = known.filter(|known| base == Some(*known));
            }
        }
        let bases: BTreeSet<Base> =
            before.memory.objects.keys().chain(after.memory.objects.keys()).copied().collect();
        for base in bases {
            // No value of the state before the round points to an object that began in the round.
            if matches!(base, Base::New(_)) && !before.memory.objects.contains_key(&base) {
                continue;
            }
            let (old, new) =
                (before.memory.get(self.program, base), after.memory.get(self.program, base));
            if old.cells != new.cells || old.background != new.background {
                changes.contents.insert(base);
            }
            if old.alive != new.alive {
                changes.lives.insert(base);
            }
        }
    }

    fn base_behind(&mut self, value: TermId) -> Option<Base> {
        if self.terms.sort(value) != Sort::Bv(self.program.cfa.address_width) {
            return None;
        }
        match self.target(value) {
            Target::Into(base, _) => Some(base),
            Target::Null | Target::Unknown => None,
        }
    }

    /// The executions before any round: what rounds change is arbitrary.
    fn arbitrary(&mut self, entered: &State, changes: &Changes) -> State {
        let mut state = entered.clone();
        for (which, base) in &changes.values {
            let sort = self.terms.var_sort(which.1);
            let any = self.fresh(sort);
            // A pointer that stays in its object may point anywhere in it: something arbitrary is added to the object's
            // address.
            let value = match base.and_then(|base| self.address_of(base)) {
                Some(address) => self.terms.bv_add(address, any),
                None => any,
            };
            state.assign(*which, value);
        }
        for base in &changes.contents {
            state.memory().get_mut(self.program, *base).forget();
        }
        for base in &changes.lives {
            state.memory().get_mut(self.program, *base).alive = None;
        }
        // The analysis that found the proof may know that the loop changes less.
        state.be_rough("what is known of values that a loop changes");
        state
    }

    fn address_of(&mut self, base: Base) -> Option<TermId> {
        let symbol = match base {
            Base::New(symbol) => symbol,
            Base::Initial(object) => {
                let mut all = self.program.cfa.variables.entries();
                all.find(|(_, known)| known.scope == Scope::Address(object))?.0
            }
        };
        Some(self.terms.var(symbol))
    }
}
