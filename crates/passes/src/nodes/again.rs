//! Loads whose result is known already: an earlier load gave this value, or an earlier store wrote it.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{EdgeId, Op, Program};
use term::{Sort, TermId, Terms, Var};

use super::targets::{Set, Target, Targets, overlaps};
use crate::dataflow;
use crate::op_place::OpPlace;

/// What is known at a place.
#[derive(Clone, PartialEq, Default)]
struct KnownContents {
    /// The terms that variables are equal to.
    values: BTreeMap<Var, TermId>,
    /// What memory holds, by address.
    held: BTreeMap<(TermId, Sort), TermId>,
}

/// For loads a term that has the value which is loaded, whichever way executions have taken there. The term is over the
/// values that variables have at the load. Where something may have been freed, any store may change everything.
pub(super) fn again(
    program: &Program,
    targets: &Targets<'_>,
    terms: &mut Terms,
    freed: &BTreeSet<EdgeId>,
) -> BTreeMap<OpPlace, TermId> {
    let mut found = BTreeMap::new();
    let follow = |place: OpPlace, op: &Op, here: &mut KnownContents| {
        // Less is known each time that a place is passed again.
        match here.perform(targets, terms, op, freed.contains(&place.0)) {
            Some(value) => found.insert(place, value),
            None => found.remove(&place),
        };
    };
    let keep = |known: &mut KnownContents, here: &KnownContents| {
        known.values.retain(|var, value| here.values.get(var) == Some(value));
        known.held.retain(|key, value| here.held.get(key) == Some(value));
    };
    dataflow::forward(&program.cfa, KnownContents::default(), follow, keep);
    found
}

impl KnownContents {
    /// Follows an operation; for a load, gives what is loaded.
    fn perform(
        &mut self,
        targets: &Targets<'_>,
        terms: &mut Terms,
        op: &Op,
        freed: bool,
    ) -> Option<TermId> {
        let normal = |known: &Self, terms: &mut Terms, term: TermId| {
            terms.substitute(term, &mut |var| known.values.get(&var).copied())
        };
        match op {
            Op::Load { var, address } => {
                let key = (normal(self, terms, *address), terms.var_sort(*var));
                let value = self.held.get(&key).copied();
                self.forget(terms, *var);
                let own = terms.var(*var);
                match value.filter(|value| !reads(terms, *value, *var)) {
                    Some(value) => {
                        self.values.insert(*var, value);
                    }
                    None if !reads(terms, key.0, *var) => {
                        self.held.insert(key, own);
                    }
                    None => {}
                }
                return value;
            }
            Op::Assign { var, value } => {
                let value = normal(self, terms, *value);
                self.forget(terms, *var);
                if !reads(terms, value, *var) {
                    self.values.insert(*var, value);
                }
            }
            Op::Store { address, value } => {
                let key = (normal(self, terms, *address), terms.sort(*value));
                let value = normal(self, terms, *value);
                let written = (targets.of_term(*address), cfa::stored_bytes(key.1));
                self.held.retain(|(other, sort), _| {
                    let read = (targets.of_known(terms, *other), cfa::stored_bytes(*sort));
                    !freed && are_apart(&written, &read)
                });
                self.held.insert(key, value);
            }
            Op::Havoc { .. } | Op::Size { .. } | Op::Valid { .. } | Op::Alloc { .. } => {
                op.assigned().iter().for_each(|var| self.forget(terms, *var));
            }
            Op::Assume(_) | Op::Check { .. } | Op::Output { .. } => {}
            // Whatever else may happen to memory, nothing is known of it afterwards.
            _ => {
                self.held.clear();
                op.assigned().iter().for_each(|var| self.forget(terms, *var));
            }
        }
        None
    }

    /// Forgets what is said with the help of a variable.
    fn forget(&mut self, terms: &Terms, var: Var) {
        self.values.remove(&var);
        self.values.retain(|_, value| !reads(terms, *value, var));
        self.held.retain(|(address, _), value| {
            !reads(terms, *address, var) && !reads(terms, *value, var)
        });
    }
}

fn reads(terms: &Terms, term: TermId, var: Var) -> bool {
    terms.vars(term).contains(&var)
}

/// Whether two accesses have no byte in common, wherever they are.
fn are_apart(a: &(Set, Option<u64>), b: &(Set, Option<u64>)) -> bool {
    let (Some(first), Some(second)) = (a.1, b.1) else { return false };
    a.0.iter().all(|one| {
        b.0.iter().all(|other| match (*one, *other) {
            (Target::At(site, at), Target::At(of, place)) => {
                site != of || !overlaps((at, first), (place, second))
            }
            (Target::At(site, _) | Target::In(site), Target::At(of, _) | Target::In(of)) => {
                site != of
            }
            // Memory outside is not told apart.
            (Target::Any | Target::Number(_), Target::Any | Target::Number(_)) => false,
            _ => true,
        })
    })
}
