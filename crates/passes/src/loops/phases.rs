//! Rounds that do one thing while a condition holds, and another when it does not.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Var, View};

use super::guard::{self, Count};
use super::numbers;
use super::round::Round;
use super::solve::Solution;

/// Rounds that follow each other and all do the same.
pub(super) struct Phase {
    /// How many rounds there are.
    pub(super) count: Count,
    /// What they do.
    pub(super) solution: Solution,
}

/// The phases of a loop, such that the loop is left after the last phase. There is a single phase, which
/// the loop may leave only under the condition [`Count::certain`], or there are two phases that one
/// condition tells apart. `None` if other phases may follow.
pub(super) fn phases(terms: &mut Terms, round: &Round) -> Option<Vec<Phase>> {
    let whole = round.updates.keys().any(|var| numbers::is_whole(terms.var_sort(*var)));
    let solve = |terms: &mut Terms, part: &Round, alone: bool| {
        if whole {
            Solution::whole(terms, &part.updates, &part.leaves)
        } else {
            Solution::of(terms, &part.updates, &part.leaves, alone)
        }
    };
    if let Some(solution) = solve(terms, round, true) {
        let count = guard::first(terms, &solution, &round.leaves)?;
        return (!terms.is_false(count.certain)).then(|| vec![Phase { count, solution }]);
    }
    let condition = condition(terms, round)?;
    let (one, other) = (part(terms, round, condition, true), part(terms, round, condition, false));
    for (wanted, first, last) in [(true, &one, &other), (false, &other, &one)] {
        let solution = solve(terms, last, false)?;
        if !guard::is_kept(terms, &solution, &last.leaves, (condition, !wanted)) {
            continue;
        }
        // The last phase ends because the loop is left, so only that has to be certain.
        let left = guard::first(terms, &solution, &last.leaves)?;
        let count = guard::first_or_change(terms, &solution, &last.leaves, (condition, !wanted))?;
        let last = Phase { count, solution };
        let solution = solve(terms, first, false)?;
        let count = guard::first_or_change(terms, &solution, &first.leaves, (condition, wanted))?;
        let first = Phase { count, solution };
        let certain = terms.is_true(left.certain) && terms.is_true(first.count.certain);
        return certain.then(|| vec![first, last]);
    }
    None
}

/// The condition that a round decides by, if there is one and rounds change what it reads.
fn condition(terms: &mut Terms, round: &Round) -> Option<TermId> {
    let updates: Vec<TermId> = round.updates.values().copied().collect();
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    for term in terms.post_order(&updates) {
        let View::App(Op::Ite, [condition, _, _]) = terms.view(term) else { continue };
        let condition = *condition;
        if terms.vars(condition).iter().any(|var| round.updates.contains_key(var)) {
            let negated = terms.not(condition);
            found.insert(condition.min(negated));
        }
    }
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

/// The oldest of the conditions without parts that terms choose by, which is most likely the first one
/// that a round decides by.
pub(super) fn oldest_choice(terms: &Terms, roots: &[TermId]) -> Option<TermId> {
    let mut conditions = Vec::new();
    for term in terms.post_order(roots) {
        if let View::App(Op::Ite, [condition, _, _]) = terms.view(term) {
            conditions.push(*condition);
        }
    }
    oldest_part(terms, &conditions)
}

/// The oldest of the conditions without parts that conditions are made of.
pub(super) fn oldest_part(terms: &Terms, conditions: &[TermId]) -> Option<TermId> {
    let is_part = |term: &TermId| {
        terms.sort(*term) == Sort::Bool
            && !matches!(
                terms.view(*term),
                View::Const(_) | View::App(Op::And | Op::Or | Op::Not | Op::Ite, _)
            )
    };
    terms.post_order(conditions).into_iter().filter(is_part).min()
}

/// What a round does if a condition has this value when it begins.
fn part(terms: &mut Terms, round: &Round, condition: TermId, value: bool) -> Round {
    let (yes, no) = (terms.bool(value), terms.bool(!value));
    let known = BTreeMap::from([(condition, yes), (terms.not(condition), no)]);
    let mut updates: BTreeMap<Var, TermId> = BTreeMap::new();
    for (var, update) in &round.updates {
        let update = replaced(terms, *update, &known);
        if update != terms.var(*var) {
            updates.insert(*var, update);
        }
    }
    let mut leaves = Vec::new();
    for leaf in &round.leaves {
        let leaf = replaced(terms, *leaf, &known);
        if !terms.is_false(leaf) {
            leaves.push(leaf);
        }
    }
    Round { leaves, updates, edges: round.edges, stuck: round.stuck }
}

/// The term with some of its parts replaced.
pub(super) fn replaced(terms: &mut Terms, term: TermId, by: &BTreeMap<TermId, TermId>) -> TermId {
    let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
    for each in terms.post_order(&[term]) {
        let image = match (by.get(&each), terms.view(each)) {
            (Some(image), _) => *image,
            (None, View::App(op, arguments)) => {
                let arguments: Vec<TermId> = arguments.iter().map(|at| images[at]).collect();
                terms.app(op, &arguments)
            }
            _ => each,
        };
        images.insert(each, image);
    }
    images[&term]
}
