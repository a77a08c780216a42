//! The invariants that a proof hands over: what was proved at the head of a loop in every context
//! in which executions get there, over variables that have names.

use std::collections::{BTreeMap, BTreeSet};

use base::Id as _;
use cfa::{Cfa, LocId, Op as Step, Reading, Scope};
use rustc_hash::FxHashMap;
use smt::Answer;
use symbolic::{Changes, State};
use term::{Op, TermId, Var, View};

use super::Induction;
use run::{Invariant, Invariants};

/// How many conflicts of the solver the question is worth whether an invariant says anything new.
const CONFLICTS: u64 = 500;

/// What was proved so far.
#[derive(Default)]
pub(super) struct Record {
    /// For each head what holds there in all contexts so far.
    heads: BTreeMap<LocId, Vec<TermId>>,
    /// Heads that executions have passed without anything being proved.
    passed: BTreeSet<LocId>,
    /// Where executions were not followed further, since no error comes after.
    left: BTreeSet<LocId>,
}

impl Record {
    pub(super) fn pass(&mut self, head: LocId) {
        self.passed.insert(head);
    }

    pub(super) fn leave(&mut self, location: LocId) {
        self.left.insert(location);
    }
}

impl Induction<'_, '_> {
    /// Notes what holds at the head of a loop that executions enter with a state.
    pub(super) fn note(&mut self, entry: &State, changes: &Changes, proved: &[TermId]) {
        let names = if proved.iter().any(|formula| self.has_symbols(*formula)) {
            self.names(entry, changes)
        } else {
            FxHashMap::default()
        };
        let mut said = Vec::with_capacity(proved.len());
        for formula in proved {
            let formula = self.rename(*formula, &names);
            if self.can_be_said(formula) {
                said.push(formula);
            }
        }
        match self.record.heads.get_mut(&entry.location) {
            Some(known) => known.retain(|formula| said.contains(formula)),
            None => {
                self.record.heads.insert(entry.location, said);
            }
        }
    }

    fn has_symbols(&self, formula: TermId) -> bool {
        let known = &self.program.cfa.variables;
        self.terms.vars(formula).iter().any(|var| known.get(*var).is_none())
    }

    /// The formula with variables for the values that they have.
    fn rename(&mut self, formula: TermId, names: &FxHashMap<TermId, TermId>) -> TermId {
        if names.is_empty() {
            return formula;
        }
        let mut renamed: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.terms.post_order(&[formula]) {
            let new = match (names.get(&term), self.terms.view(term)) {
                (Some(name), _) => *name,
                (None, View::App(op, arguments)) => {
                    let new: Vec<TermId> = arguments.iter().map(|each| renamed[each]).collect();
                    if new == arguments { term } else { self.terms.app(op, &new) }
                }
                (None, _) => term,
            };
            renamed.insert(term, new);
        }
        renamed[&formula]
    }

    /// Variables that have the same value in every round, by that value.
    fn names(&mut self, entry: &State, changes: &Changes) -> FxHashMap<TermId, TermId> {
        let cfa = &self.program.cfa;
        let function = cfa.locations[entry.location].function;
        let changed: BTreeSet<Var> = changes.vars().collect();
        let mut names = FxHashMap::default();
        for (var, known) in cfa.variables.entries() {
            let visible = match known.scope {
                Scope::Global => true,
                Scope::Local(owner) => owner == function,
                Scope::Address(_) => false,
            };
            if !visible || known.source_name.is_none() || changed.contains(&var) {
                continue;
            }
            let term = self.terms.var(var);
            let value = self.executor.evaluate(&mut self.terms, entry, term);
            if self.terms.value(value).is_none() && value != term {
                names.entry(value).or_insert(term);
            }
        }
        names
    }

    /// Whether a formula is about variables that the source has names for.
    fn can_be_said(&self, formula: TermId) -> bool {
        let vars = self.terms.vars(formula);
        let known = |var: &Var| self.program.cfa.variables.get(*var);
        let named = |var: &Var| {
            known(var).is_some_and(|known| {
                known.source_name.is_some() && !matches!(known.scope, Scope::Address(_))
            })
        };
        if vars.is_empty() || !vars.iter().all(named) {
            return false;
        }
        // An unsigned comparison of signed variables, or a signed comparison of unsigned ones, was worth a guess, and
        // is not what a reader would say.
        let order = self.terms.post_order(&[formula]).into_iter().find_map(|term| {
            match self.terms.view(term) {
                View::App(Op::BvUle | Op::BvUlt, _) => Some(Reading::Signed),
                View::App(Op::BvSle | Op::BvSlt, _) => Some(Reading::Plain),
                _ => None,
            }
        });
        order.is_none_or(|odd| {
            vars.iter().any(|var| known(var).map(|known| known.reading) != Some(odd))
        })
    }

    /// Hands over what was found out, when the proof is complete.
    pub(super) fn invariants(mut self) -> Invariants {
        let heads = std::mem::take(&mut self.record.heads);
        let unseen = after(&self.program.cfa, &self.record.left);
        let mut list = Vec::new();
        for (location, mut formulas) in heads {
            if unseen.contains(&location) || self.record.passed.contains(&location) {
                continue;
            }
            self.drop_implied(&mut formulas);
            let known = formulas.clone();
            for formula in formulas {
                let exact = self.exact(formula, &known);
                list.push(Invariant { location, formula, exact });
            }
        }
        Invariants { terms: self.terms, list }
    }

    /// Drops what follows from the rest, the later ones first.
    fn drop_implied(&mut self, formulas: &mut Vec<TermId>) {
        for index in (0..formulas.len()).rev() {
            let formula = formulas.remove(index);
            if !self.follows(formula, formulas) {
                formulas.insert(index, formula);
            }
        }
    }

    /// Whether a formula is easily seen to follow from others.
    fn follows(&mut self, formula: TermId, others: &[TermId]) -> bool {
        let mut all = others.to_vec();
        all.push(self.terms.not(formula));
        let limits = self.budget.with_conflicts(CONFLICTS);
        matches!(self.solver.check(&self.terms, &all, &limits), Answer::Unsat)
    }

    /// The results in a formula that surely fit their width, as signed numbers.
    fn exact(&mut self, formula: TermId, known: &[TermId]) -> Vec<TermId> {
        let parts = self.terms.post_order(&[formula]);
        parts.into_iter().filter(|part| self.is_exact(*part, known)).collect()
    }

    fn is_exact(&mut self, term: TermId, known: &[TermId]) -> bool {
        let View::App(op @ (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg), arguments) =
            self.terms.view(term)
        else {
            return false;
        };
        let arguments = arguments.to_vec();
        let width = self.terms.width(term);
        let wide = 2 * width;
        let arguments: Vec<TermId> =
            arguments.iter().map(|each| self.terms.bv_sign_extend(wide, *each)).collect();
        // With more than two arguments, each partial result would have to fit as well.
        if arguments.len() > 2 {
            return false;
        }
        let result = self.terms.app(op, &arguments);
        let fitted = self.terms.bv_sign_extend(wide, term);
        let equal = self.terms.eq(result, fitted);
        self.follows(equal, known)
    }
}

/// The locations that executions may get to from some, into calls and out of them.
fn after(cfa: &Cfa, from: &BTreeSet<LocId>) -> BTreeSet<LocId> {
    let mut callers: BTreeMap<_, Vec<LocId>> = BTreeMap::new();
    for edge in &cfa.edges {
        for op in &edge.ops {
            if let Step::Call { callee, .. } = op {
                callers.entry(callee.index()).or_default().push(edge.target);
            }
        }
    }
    let mut found = from.clone();
    let mut work: Vec<LocId> = from.iter().copied().collect();
    while let Some(here) = work.pop() {
        let mut next = Vec::new();
        let function = cfa.locations[here].function;
        if cfa.functions[function].exit == here {
            next.extend(callers.get(&function.index()).into_iter().flatten());
        }
        for edge in &cfa.locations[here].edges {
            let edge = &cfa.edges[*edge];
            next.push(edge.target);
            for op in &edge.ops {
                if let Step::Call { callee, .. } = op {
                    next.push(cfa.functions[*callee].entry);
                }
            }
        }
        work.extend(next.into_iter().filter(|location| found.insert(*location)));
    }
    found
}
