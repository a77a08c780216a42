//! Taking the rounds of a loop at once, after its first rounds have been compared with what is said of them.

use cfa::LocId;
use term::{Bv, Environment, Sort, TermId, Terms, Value, Var};

use crate::machine::Machine;
use crate::shortcut::{Comparison, Shortcut};
use crate::store::Store;

/// A loop that has at least this many rounds left has most of them taken at once.
const MANY: u64 = 2_000;

/// A loop with fewer rounds than `MANY`, but at least this many, is compared with its shortcut, too: its rounds may
/// have loops in them.
const SEVERAL: u64 = 16;

/// The rounds of a loop between `SEVERAL` and `MANY` are taken at once if they would take at least this many steps.
const LONG: u64 = 20_000;

/// This many rounds are executed and compared before others are left out.
const COMPARED: u64 = 8;

/// This many rounds at the end are executed.
const LAST: u64 = 2;

/// The variables of the program, and one symbol more.
struct Extended<'a> {
    store: &'a Store,
    var: Var,
    value: Value,
}

impl Environment for Extended<'_> {
    fn get(&self, var: Var) -> Option<&Value> {
        if var == self.var { Some(&self.value) } else { self.store.get(var) }
    }
}

impl Machine<'_> {
    /// Leaves out rounds of the loop that begins here, if there are many.
    pub(crate) fn skip(&mut self, head: LocId, activation: u64) {
        let Some(shortcuts) = self.shortcuts() else { return };
        let Some(list) = shortcuts.loops.get(&head) else { return };
        let terms = &shortcuts.terms;
        let is_here = |known: &Comparison| known.head == head && known.activation == activation;
        match self.comparisons.iter().rposition(is_here) {
            Some(place) => {
                let mut known = self.comparisons.swap_remove(place);
                known.left -= 1;
                if known.left > 0 {
                    self.comparisons.push(known);
                    return;
                }
                let is_so = |(var, value): &(Var, Value)| self.store.get(*var) == Some(value);
                if !known.expected.iter().all(is_so) {
                    self.distrusted.insert(head);
                    return;
                }
                let shortcut = &list[known.kind];
                let Some(rounds) = self.rounds(terms, shortcut) else { return };
                let steps = (self.steps - known.begun) / COMPARED;
                if rounds < MANY && rounds.saturating_mul(steps) < LONG {
                    self.few.insert(head, rounds.saturating_sub(1));
                    return;
                }
                let Some(count) = rounds.checked_sub(LAST) else { return };
                let Some(values) = self.values_after(terms, shortcut, count) else { return };
                for (var, value) in values {
                    self.assign(var, value);
                }
                self.pass(head, count, count.saturating_mul(shortcut.edges));
            }
            None => {
                if self.distrusted.contains(&head) {
                    return;
                }
                if let Some(left) = self.few.get_mut(&head).filter(|left| **left > 0) {
                    *left -= 1;
                    return;
                }
                let rounds: Vec<Option<u64>> =
                    list.iter().map(|shortcut| self.rounds(terms, shortcut)).collect();
                let with = |least: u64| {
                    rounds.iter().position(|rounds| rounds.is_some_and(|rounds| rounds >= least))
                };
                let Some(kind) = with(MANY).or_else(|| with(SEVERAL)) else {
                    // A kind of rounds that ends may be followed by another one.
                    let least = rounds.into_iter().flatten().filter(|rounds| *rounds > 0).min();
                    self.few.insert(head, least.unwrap_or(1) - 1);
                    return;
                };
                if let Some(expected) = self.values_after(terms, &list[kind], COMPARED) {
                    let (left, begun) = (COMPARED, self.steps);
                    let comparison = Comparison { head, activation, kind, left, begun, expected };
                    self.comparisons.push(comparison);
                }
            }
        }
    }

    /// How many rounds the loop completes, if that is known without asking for inputs.
    fn rounds(&mut self, terms: &Terms, shortcut: &Shortcut) -> Option<u64> {
        let finite = self.summaries.eval(terms, shortcut.finite, &self.store).ok()?;
        if finite != Value::Bool(true) {
            return None;
        }
        match self.summaries.eval(terms, shortcut.rounds, &self.store).ok()? {
            Value::Bv(rounds) => rounds.to_u64(),
            Value::Int(rounds) => u64::try_from(rounds).ok(),
            _ => None,
        }
    }

    /// The values of variables after a number of rounds.
    fn values_after(
        &mut self,
        terms: &Terms,
        shortcut: &Shortcut,
        rounds: u64,
    ) -> Option<Vec<(Var, Value)>> {
        let value = match terms.var_sort(shortcut.count) {
            Sort::Bv(width) => Value::Bv(Bv::new(width, u128::from(rounds))),
            Sort::Int => Value::Int(rounds.into()),
            _ => return None,
        };
        let store = Extended { store: &self.store, var: shortcut.count, value };
        let evaluator = &mut self.summaries;
        let pair =
            |(var, term): &(Var, TermId)| Some((*var, evaluator.eval(terms, *term, &store).ok()?));
        shortcut.values.iter().map(pair).collect()
    }
}
