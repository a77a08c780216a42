//! What a proof says of the rounds of loops, for another check: everything that was proved at the head of
//! a loop with the calls that have not returned, over variables and over what these were before the loop.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{EdgeId, LocId, Scope};
use rustc_hash::FxHashMap;
use symbolic::{Changes, State};
use term::{TermId, Var, View};

use super::Induction;
use run::{Certificate, LoopClaim, Rounds, Slot};

/// What was claimed so far.
#[derive(Default)]
pub(super) struct Claims {
    symbols: BTreeMap<Slot, Var>,
    /// What holds at each head in all of its contexts so far.
    loops: BTreeMap<(LocId, Vec<EdgeId>), Vec<TermId>>,
    /// Whether something that was proved cannot be said.
    has_more: bool,
}

impl Induction<'_, '_> {
    /// Notes what was proved at the head of a loop that executions enter with a state.
    pub(super) fn claim(&mut self, entry: &State, changes: &Changes, proved: &[TermId]) {
        let place = (entry.location, entry.calls());
        let names = if proved.is_empty() {
            FxHashMap::default()
        } else {
            self.names_for_claims(entry, changes)
        };
        let mut said = Vec::with_capacity(proved.len());
        for formula in proved {
            match self.say(*formula, entry, &names) {
                Some(formula) => said.push(formula),
                None => self.claims.has_more = true,
            }
        }
        match self.claims.loops.get_mut(&place) {
            Some(known) => {
                let count = known.len();
                known.retain(|formula| said.contains(formula));
                self.claims.has_more |= known.len() < count.max(said.len());
            }
            None => {
                self.claims.loops.insert(place, said);
            }
        }
    }

    /// The proof as it can be checked again.
    pub(super) fn certificate(&mut self, k: u32) -> Certificate {
        let claims = std::mem::take(&mut self.claims);
        let mut loops = Vec::with_capacity(claims.loops.len());
        for ((head, calls), formulas) in claims.loops {
            let formula = self.terms.and(&formulas);
            loops.push(LoopClaim { head, calls, formula, from: 0, k });
        }
        let mut certificate = Certificate::new(self.terms.clone());
        certificate.symbols = claims.symbols;
        certificate.rounds = Some(Rounds { loops, most: 0 });
        if claims.has_more {
            certificate.omit("what is known of values that no variable has");
        }
        certificate
    }

    fn slot(&mut self, slot: Slot) -> TermId {
        let terms = &mut self.terms;
        let symbol = *self.claims.symbols.entry(slot).or_insert_with(|| slot.declare(terms));
        terms.var(symbol)
    }

    /// A variable of the function where control is, as it is or as it was before the loop.
    fn named(&mut self, entry: &State, var: Var, before: bool) -> TermId {
        let is_local =
            self.program.cfa.variables.get(var).is_some_and(|known| known.scope != Scope::Global);
        // The cast is exact: there are far fewer activations than 2^32.
        let depth = if is_local { entry.depth() as u32 } else { 0 };
        match (before, is_local) {
            (true, _) => self.slot(Slot::Before { depth, var }),
            (false, true) => self.slot(Slot::Local { depth, var }),
            (false, false) => self.terms.var(var),
        }
    }

    /// Names for the values before the loop: a value is named after a variable that keeps it in the loop, or else after
    /// a variable that has it when the loop begins.
    fn names_for_claims(&mut self, entry: &State, changes: &Changes) -> FxHashMap<TermId, TermId> {
        let cfa = &self.program.cfa;
        let function = cfa.locations[entry.location].function;
        let changed: BTreeSet<Var> = changes.vars().collect();
        let mut names = FxHashMap::default();
        for before in [false, true] {
            for (var, known) in cfa.variables.entries() {
                let is_visible = match known.scope {
                    Scope::Global => true,
                    Scope::Local(owner) => owner == function,
                    Scope::Address(_) => false,
                };
                if !is_visible || changed.contains(&var) != before {
                    continue;
                }
                let term = self.terms.var(var);
                let value = self.executor.evaluate(&mut self.terms, entry, term);
                let is_plain = match self.terms.view(value) {
                    View::Const(_) => true,
                    View::Var(symbol) => cfa.variables.get(symbol).is_some(),
                    View::App(..) => false,
                };
                if !is_plain && !names.contains_key(&value) {
                    let name = self.named(entry, var, before);
                    names.insert(value, name);
                }
            }
        }
        names
    }

    /// A formula in the words of claims; `None` if the formula is about something that claims cannot name.
    fn say(
        &mut self,
        formula: TermId,
        entry: &State,
        names: &FxHashMap<TermId, TermId>,
    ) -> Option<TermId> {
        let mut said: FxHashMap<TermId, Option<TermId>> = FxHashMap::default();
        for term in self.terms.post_order(&[formula]) {
            let new = match (names.get(&term), self.terms.view(term)) {
                (Some(name), _) => Some(*name),
                (None, View::Const(_)) => Some(term),
                (None, View::Var(var)) => {
                    match self.program.cfa.variables.get(var).map(|known| known.scope) {
                        Some(Scope::Address(_)) => Some(term),
                        Some(_) => Some(self.named(entry, var, false)),
                        None => None,
                    }
                }
                (None, View::App(op, arguments)) => {
                    let new: Option<Vec<TermId>> =
                        arguments.iter().map(|each| said[each]).collect();
                    new.map(|new| self.terms.app(op, &new))
                }
            };
            said.insert(term, new);
        }
        said[&formula]
    }
}
