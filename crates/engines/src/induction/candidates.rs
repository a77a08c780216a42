//! Invariants of loops, guessed and proved (Houdini: Flanagan & Leino 2001).
//!
//! Guesses are the conditions that the function asks about, bounds by the values before the loop, and relations between
//! what the loop changes; `walks` adds guesses about variables that change in even steps. Guesses that do not hold
//! before the loop are dropped. Then a round is followed from a state in which all guesses hold, and guesses that the
//! round does not keep are dropped, until all are kept.

use std::collections::BTreeMap;

use cfa::{Op as Step, Scope};
use symbolic::{Changes, State};
use term::{Op, Sort, TermId, Terms, Var, View};

use super::{Guesses, Induction};
use crate::model::Model;
use run::Unknown;

/// How many variables are compared with each other.
pub(super) const COMPARED: usize = 10;

/// How many guesses are made at most.
const GUESSES: usize = 160;

/// How often guesses are dropped before giving up on all.
const DROPS: usize = 24;

impl Induction<'_, '_> {
    /// The arbitrary state with every invariant that was found, and the invariants; no state if it
    /// is clearly impossible.
    pub(super) fn strengthen(
        &mut self,
        entry: &State,
        arbitrary: State,
        changes: &Changes,
    ) -> Result<(Option<State>, Vec<TermId>), Unknown> {
        let steps = self.constant_steps(&arbitrary, changes)?;
        let mut guesses = self.guesses(entry, changes, &steps);
        let before = self.executor.conditions(entry.guard);
        self.drop_failing(entry, &before, &mut guesses)?;
        for _ in 0..DROPS {
            if guesses.is_empty() {
                return Ok((Some(arbitrary), guesses));
            }
            let Some(head) = self.assume_all(&arbitrary, &guesses) else {
                return Ok((None, Vec::new()));
            };
            let (back, open) = self.try_round(head.clone(), true)?;
            // Executions that are not followed may break every guess.
            self.excluded(open)?;
            let Some(back) = back else {
                return Ok((Some(head), guesses));
            };
            let conditions = self.executor.conditions(back.guard);
            if !self.drop_failing(&back, &conditions, &mut guesses)? {
                return Ok((Some(head), guesses));
            }
        }
        Ok((Some(arbitrary), Vec::new()))
    }

    /// Whether there are hints about what may hold.
    fn has_hints(&self) -> bool {
        matches!(self.guesses, Guesses::Made(hints) if !hints.formulas.is_empty())
    }

    fn assume_all(&mut self, state: &State, guesses: &[TermId]) -> Option<State> {
        let mut state = state.clone();
        for guess in guesses {
            let holds = self.executor.evaluate(&mut self.terms, &state, *guess);
            state = self.executor.assume(&mut self.terms, &state, holds)?;
        }
        Some(state)
    }

    /// Drops guesses that may fail in a state, and says whether there were any.
    fn drop_failing(
        &mut self,
        state: &State,
        conditions: &[TermId],
        guesses: &mut Vec<TermId>,
    ) -> Result<bool, Unknown> {
        let mut dropped = false;
        let mut values: Vec<TermId> = guesses
            .iter()
            .map(|guess| self.executor.evaluate(&mut self.terms, state, *guess))
            .collect();
        loop {
            let failing: Vec<TermId> = values.iter().map(|value| self.terms.not(*value)).collect();
            let some = self.terms.or(&failing);
            if self.terms.is_false(some) {
                return Ok(dropped);
            }
            let mut query = conditions.to_vec();
            query.push(some);
            if !self.is_satisfiable(&query)? {
                return Ok(dropped);
            }
            let mut model = Model::of(&mut *self.solver);
            let keep: Vec<bool> =
                values.iter().map(|value| model.holds(&self.terms, *value)).collect();
            let mut kept = keep.iter();
            guesses.retain(|_| kept.next() == Some(&true));
            let mut kept = keep.iter();
            values.retain(|_| kept.next() == Some(&true));
            dropped = true;
        }
    }

    /// Formulas that may be invariants of the loop.
    fn guesses(
        &mut self,
        entry: &State,
        changes: &Changes,
        steps: &BTreeMap<Var, TermId>,
    ) -> Vec<TermId> {
        let cfa = &self.program.cfa;
        let function = cfa.locations[entry.location].function;
        let visible = |var: &Var| match cfa.variables.get(*var).map(|known| known.scope) {
            Some(Scope::Global | Scope::Address(_)) => true,
            Some(Scope::Local(owner)) => owner == function,
            None => false,
        };
        let changed: Vec<Var> = changes.vars().filter(visible).collect();
        let mut guesses = Vec::new();
        // Conditions that the function asks about.
        for edge in &cfa.edges {
            if cfa.locations[edge.source].function != function {
                continue;
            }
            for op in &edge.ops {
                let Step::Assume(condition) = op else { continue };
                for atom in atoms(&self.terms, *condition) {
                    let vars = self.terms.vars(atom);
                    if vars.iter().all(visible) && vars.iter().any(|var| changed.contains(var)) {
                        add_atom(&mut self.terms, atom, &mut guesses);
                    }
                }
            }
        }
        self.guess_pointers(entry, changes, &changed, &mut guesses);
        // How variables that change compare with their values before the loop, and with each other.
        let numbers = changed.iter().filter(|var| is_number(self.terms.var_sort(**var)));
        let numbers: Vec<Var> = numbers.take(COMPARED).copied().collect();
        let compared: Vec<(TermId, TermId)> = numbers
            .into_iter()
            .map(|var| {
                let term = self.terms.var(var);
                let value = self.executor.evaluate(&mut self.terms, entry, term);
                (term, value)
            })
            .collect();
        for (index, (a, first)) in compared.iter().enumerate() {
            bounds(&mut self.terms, *a, *first, &mut guesses);
            if self.has_hints() {
                continue;
            }
            for (b, second) in &compared[..index] {
                relations(&mut self.terms, (*a, *first), (*b, *second), &mut guesses);
            }
        }
        self.guess_multiples(entry, steps, &changed, &mut guesses);
        let mut seen = rustc_hash::FxHashSet::default();
        guesses.retain(|guess| seen.insert(*guess) && self.terms.value(*guess).is_none());
        guesses.truncate(GUESSES);
        let Guesses::Made(hints) = self.guesses else { return guesses };
        let mut first: BTreeMap<Var, TermId> = BTreeMap::new();
        for (var, term) in &hints.first {
            first.insert(*var, self.executor.evaluate(&mut self.terms, entry, *term));
        }
        for hint in &hints.formulas {
            let vars = self.terms.vars(*hint);
            if !vars.iter().all(visible) || !vars.iter().any(|var| changed.contains(var)) {
                continue;
            }
            let hint = self.terms.substitute(*hint, &mut |var| first.get(&var).copied());
            if seen.insert(hint) && self.terms.value(hint).is_none() {
                guesses.push(hint);
            }
        }
        guesses
    }
}

pub(super) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(8..=64) | Sort::Int)
}

/// The comparisons and truth values that a condition is made of.
fn atoms(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for term in terms.post_order(&[condition]) {
        if terms.sort(term) == Sort::Bool
            && !matches!(
                terms.view(term),
                View::Const(_) | View::App(Op::And | Op::Or | Op::Not | Op::Ite, _)
            )
        {
            found.push(term);
        }
    }
    found
}

/// Adds a condition and its opposite as guesses; for an order also what holds until just after the condition has
/// failed: `x <= y` for `x < y`.
fn add_atom(terms: &mut Terms, atom: TermId, guesses: &mut Vec<TermId>) {
    guesses.push(atom);
    guesses.push(terms.not(atom));
    if let View::App(op, &[a, b]) = terms.view(atom) {
        let weak = match op {
            Op::BvSlt => Op::BvSle,
            Op::BvUlt => Op::BvUle,
            Op::Lt => Op::Le,
            // Until two numbers are equal, one of them is less.
            Op::Eq if is_number(terms.sort(a)) => {
                for (x, y) in [(a, b), (b, a)] {
                    let orders: &[Op] = match terms.sort(a) {
                        Sort::Int => &[Op::Le],
                        _ => &[Op::BvSle, Op::BvUle],
                    };
                    for order in orders {
                        guesses.push(terms.app(*order, &[x, y]));
                    }
                }
                return;
            }
            _ => return,
        };
        guesses.push(terms.app(weak, &[a, b]));
        guesses.push(terms.app(weak, &[b, a]));
    }
}

fn bounds(terms: &mut Terms, a: TermId, first: TermId, guesses: &mut Vec<TermId>) {
    if terms.sort(a) == Sort::Int {
        guesses.push(terms.le(first, a));
        guesses.push(terms.le(a, first));
        return;
    }
    guesses.push(terms.bv_sle(first, a));
    guesses.push(terms.bv_sle(a, first));
    guesses.push(terms.bv_ule(first, a));
    guesses.push(terms.bv_ule(a, first));
    let one = terms.bv(terms.width(a), 1);
    let (low, low_first) = (terms.bv_and(a, one), terms.bv_and(first, one));
    guesses.push(terms.eq(low, low_first));
}

fn relations(
    terms: &mut Terms,
    (a, a_first): (TermId, TermId),
    (b, b_first): (TermId, TermId),
    guesses: &mut Vec<TermId>,
) {
    if terms.sort(a) != terms.sort(b) {
        return;
    }
    let (add, sub, orders): (Op, Op, &[Op]) = match terms.sort(a) {
        Sort::Int => (Op::Add, Op::Sub, &[Op::Le]),
        _ => (Op::BvAdd, Op::BvSub, &[Op::BvSle, Op::BvUle]),
    };
    guesses.push(terms.eq(a, b));
    for order in orders {
        guesses.push(terms.app(*order, &[a, b]));
        guesses.push(terms.app(*order, &[b, a]));
    }
    for op in [sub, add] {
        let first = terms.app(op, &[a_first, b_first]);
        let now = terms.app(op, &[a, b]);
        guesses.push(terms.eq(now, first));
    }
}
