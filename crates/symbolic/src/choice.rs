//! Whether the edges of a location exclude each other.

use std::collections::BTreeSet;

use cfa::{Cfa, LocId, Op as Step};
use rustc_hash::FxHashSet;
use term::{Op, TermId, Terms, Value, View};

/// How many pairs of conditions are compared one by one. If a location has more pairs, its conditions count as not
/// exclusive, which is always right: then symbols choose the edge.
const MOST_PAIRS: usize = 1 << 12;

/// Whether at most one of the edges of a location can be taken, as their first conditions show.
///
/// A switch has as many edges as cases, so that its cases are compared all at once: each case says that one and the
/// same term is another constant, and the edge of the default says that none of the cases holds.
pub fn is_deterministic(cfa: &Cfa, terms: &mut Terms, location: LocId) -> bool {
    let edges = &cfa.locations[location].edges;
    if edges.len() < 2 {
        return true;
    }
    let first = |edge| match cfa.edges[edge].ops.first() {
        Some(Step::Assume(condition)) => Some(*condition),
        _ => None,
    };
    let conditions: Option<Vec<TermId>> = edges.iter().map(|edge| first(*edge)).collect();
    conditions.is_some_and(|conditions| are_exclusive(terms, &conditions))
}

/// Whether no two of the conditions can hold together, as far as that is clear.
fn are_exclusive(terms: &mut Terms, conditions: &[TermId]) -> bool {
    let (cases, others) = cases_and_others(terms, conditions);
    let mut pairs = 0;
    for (index, other) in others.iter().enumerate() {
        let denied = denied(terms, *other);
        for condition in cases.iter().chain(&others[..index]) {
            if denied.contains(condition) {
                continue;
            }
            pairs += 1;
            if pairs > MOST_PAIRS || !exclude(terms, *condition, *other) {
                return false;
            }
        }
    }
    true
}

/// Splits conditions into equations of one term with different constants, of which at most one
/// holds, and all others.
fn cases_and_others(terms: &Terms, conditions: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let mut subject = None;
    let mut values = BTreeSet::new();
    conditions.iter().partition(|condition| match fixed(terms, **condition) {
        Some((term, value)) => *subject.get_or_insert(term) == term && values.insert(value),
        None => false,
    })
}

/// Conditions that clearly do not hold if a condition holds.
fn denied(terms: &Terms, condition: TermId) -> FxHashSet<TermId> {
    let negated = |term: TermId| match terms.view(term) {
        View::App(Op::Not, &[inner]) => Some(inner),
        _ => None,
    };
    let mut denied = FxHashSet::default();
    if let View::App(Op::And, parts) = terms.view(condition) {
        denied.extend(parts.iter().filter_map(|part| negated(*part)));
    }
    if let Some(inner) = negated(condition) {
        denied.insert(inner);
        if let View::App(Op::Or, parts) = terms.view(inner) {
            denied.extend(parts);
        }
    }
    denied
}

/// The term that a condition says to have a constant value, and the value.
fn fixed(terms: &Terms, condition: TermId) -> Option<(TermId, &Value)> {
    let View::App(Op::Eq, &[x, y]) = terms.view(condition) else { return None };
    match (terms.value(x), terms.value(y)) {
        (None, Some(value)) => Some((x, value)),
        (Some(value), None) => Some((y, value)),
        _ => None,
    }
}

/// Whether two conditions clearly exclude each other.
fn exclude(terms: &mut Terms, a: TermId, b: TermId) -> bool {
    let both = terms.and2(a, b);
    if terms.is_false(both) || terms.not(a) == b {
        return true;
    }
    match (fixed(terms, a), fixed(terms, b)) {
        (Some((x, p)), Some((y, q))) => x == y && p != q,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use term::Sort;

    use super::*;

    /// The conditions of a switch over a term: equations with `0..count`, and that none holds.
    fn switch(terms: &mut Terms, count: u32) -> Vec<TermId> {
        let var = terms.declare("x", Sort::Bv(32));
        let x = terms.var(var);
        let mut conditions = Vec::new();
        for case in 0..count {
            let value = terms.bv(32, u128::from(case));
            conditions.push(terms.eq(x, value));
        }
        let any = terms.or(&conditions);
        conditions.push(terms.not(any));
        conditions
    }

    #[test]
    fn cases_of_a_switch_exclude_each_other_and_cost_no_terms() {
        for count in [1, 2, 100, 3_000] {
            let mut terms = Terms::new();
            let conditions = switch(&mut terms, count);
            let before = terms.len();
            assert!(are_exclusive(&mut terms, &conditions), "{count}");
            assert_eq!(terms.len(), before, "{count}");
        }
    }

    #[test]
    fn a_case_that_occurs_twice_or_overlaps_is_found() {
        let mut terms = Terms::new();
        let mut conditions = switch(&mut terms, 100);
        let again = conditions[7];
        conditions.push(again);
        assert!(!are_exclusive(&mut terms, &conditions));

        let mut conditions = switch(&mut terms, 100);
        let var = terms.declare("y", Sort::Bv(32));
        let (y, five) = (terms.var(var), terms.bv(32, 5));
        conditions.push(terms.eq(y, five));
        assert!(!are_exclusive(&mut terms, &conditions));

        // The default of a switch with one case more.
        let mut conditions = switch(&mut terms, 100);
        let removed = conditions.remove(99);
        assert!(are_exclusive(&mut terms, &conditions));
        let mut shorter = conditions.clone();
        shorter.pop();
        let any = terms.or(&shorter);
        let none = terms.not(any);
        shorter.extend([none, removed]);
        assert!(!are_exclusive(&mut terms, &shorter));
    }

    #[test]
    fn a_condition_and_its_opposite_exclude_each_other() {
        let mut terms = Terms::new();
        let var = terms.declare("x", Sort::Bv(32));
        let (x, five) = (terms.var(var), terms.bv(32, 5));
        let less = terms.bv_slt(x, five);
        let not = terms.not(less);
        assert!(are_exclusive(&mut terms, &[less, not]));
        let at_most = terms.bv_sle(x, five);
        assert!(!are_exclusive(&mut terms, &[less, at_most]));
    }
}
