//! Rounds that do one thing while conditions hold, and another when they do not.

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
    /// What these rounds do.
    pub(super) solution: Solution,
}

/// How many conditions may tell phases apart.
const MOST_CONDITIONS: usize = 3;

/// The phases of a loop, such that the loop is left after the last phase. There is a single phase, which
/// the loop may leave only under the condition [`Count::certain`], or there is one for each combination
/// of values that a few conditions may have, in an order in which they follow each other. `None` if a
/// combination may occur again after another one.
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
    let conditions = conditions(terms, round)?;
    let mut found = Vec::new();
    for values in 0..1_u32 << conditions.len() {
        let wanted = conditions.iter().enumerate();
        let wanted: Vec<(TermId, bool)> =
            wanted.map(|(at, condition)| (*condition, values >> at & 1 == 1)).collect();
        let part = part(terms, round, &wanted);
        let solution = solve(terms, &part, false)?;
        let mut kept = 0;
        let mut changing = Vec::new();
        for (at, condition) in wanted.iter().enumerate() {
            if guard::is_kept(terms, &solution, &part.leaves, *condition) {
                kept |= 1 << at;
            } else {
                changing.push(*condition);
            }
        }
        // The phase ends because the loop is left or one of the conditions in `changing` changes, so only this has to
        // be certain.
        let ends = guard::first_or_changes(terms, &solution, &part.leaves, &changing)?;
        if !terms.is_true(ends.certain) {
            return None;
        }
        let count = guard::first_or_changes(terms, &solution, &part.leaves, &wanted)?;
        found.push(Combination { values, kept, phase: Phase { count, solution } });
    }
    ordered(found)
}

/// A phase with the values of the conditions that tell phases apart, and those of them that are kept until
/// the loop is left, as bits.
struct Combination {
    values: u32,
    kept: u32,
    phase: Phase,
}

impl Combination {
    /// Whether rounds of this combination may be followed by rounds of another one.
    fn leads_to(&self, other: &Self) -> bool {
        let changed = self.values ^ other.values;
        changed != 0 && changed & self.kept == 0
    }
}

/// Phases in an order in which no phase is followed by an earlier one. `None` if there is no such order.
fn ordered(mut left: Vec<Combination>) -> Option<Vec<Phase>> {
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_first = |next: &Combination| !left.iter().any(|other| other.leads_to(next));
        let first = left.iter().position(is_first)?;
        order.push(left.remove(first).phase);
    }
    Some(order)
}

/// The conditions without parts that a round decides by, as far as rounds change what they read. `None` if
/// there are none or too many.
fn conditions(terms: &mut Terms, round: &Round) -> Option<Vec<TermId>> {
    let updates: Vec<TermId> = round.updates.values().copied().collect();
    let mut chosen = Vec::new();
    for term in terms.post_order(&updates) {
        if let View::App(Op::Ite, [condition, _, _]) = terms.view(term) {
            chosen.push(*condition);
        }
    }
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    for condition in terms.post_order(&chosen) {
        let is_changed = |var: &Var| round.updates.contains_key(var);
        if is_part(terms, condition) && terms.vars(condition).iter().any(is_changed) {
            let negated = terms.not(condition);
            found.insert(condition.min(negated));
        }
    }
    (1..=MOST_CONDITIONS).contains(&found.len()).then(|| found.into_iter().collect())
}

/// Whether a term is a condition that is not made of other conditions.
fn is_part(terms: &Terms, term: TermId) -> bool {
    terms.sort(term) == Sort::Bool
        && !matches!(
            terms.view(term),
            View::Const(_) | View::App(Op::And | Op::Or | Op::Not | Op::Ite, _)
        )
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
    terms.post_order(conditions).into_iter().filter(|term| is_part(terms, *term)).min()
}

/// What a round does if conditions have these values when it begins.
fn part(terms: &mut Terms, round: &Round, values: &[(TermId, bool)]) -> Round {
    let mut known = BTreeMap::new();
    for (condition, value) in values {
        let (yes, no) = (terms.bool(*value), terms.bool(!value));
        known.extend([(*condition, yes), (terms.not(*condition), no)]);
    }
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
