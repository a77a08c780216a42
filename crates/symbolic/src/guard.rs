//! Conditions under which states are reached, as lists that share their beginnings.

use std::collections::BTreeMap;

use base::{Id as _, IndexVec};
use term::{TermId, Terms};

base::define_id!(
    /// A conjunction of conditions; each longer one extends a shorter one.
    pub struct Guard, "g"
);

/// All guards of an executor.
pub struct Guards {
    nodes: IndexVec<Guard, Node>,
}

struct Node {
    parent: Guard,
    condition: TermId,
    length: u32,
}

impl Guards {
    /// A table with one guard: the guard that always holds.
    #[must_use]
    pub fn new(truth: TermId) -> Self {
        let mut nodes = IndexVec::new();
        nodes.push(Node { parent: Guard::from_index(0), condition: truth, length: 0 });
        Self { nodes }
    }

    /// The guard that always holds.
    #[must_use]
    pub fn always() -> Guard {
        Guard::from_index(0)
    }

    /// The guard with one more condition; `None` if that is clearly impossible.
    pub fn extend(&mut self, terms: &mut Terms, guard: Guard, condition: TermId) -> Option<Guard> {
        if terms.is_true(condition) {
            return Some(guard);
        }
        if terms.is_false(condition) {
            return None;
        }
        // A condition that is repeated is mostly repeated soon, so only the last conditions of the guard are looked at.
        let opposite = terms.not(condition);
        let mut at = guard;
        for _ in 0..LOOK_BACK {
            let node = &self.nodes[at];
            if node.condition == condition {
                return Some(guard);
            }
            if node.condition == opposite {
                return None;
            }
            if node.length == 0 {
                break;
            }
            at = node.parent;
        }
        let length = self.nodes[guard].length + 1;
        Some(self.nodes.push(Node { parent: guard, condition, length }))
    }

    /// The longest guard that both extend.
    #[must_use]
    pub fn common(&self, mut a: Guard, mut b: Guard) -> Guard {
        while a != b {
            if self.nodes[a].length >= self.nodes[b].length {
                a = self.nodes[a].parent;
            } else {
                b = self.nodes[b].parent;
            }
        }
        a
    }

    /// How many conditions a guard has.
    pub(crate) fn length(&self, guard: Guard) -> usize {
        // The cast is exact: the table has room for all of them.
        self.nodes[guard].length as usize
    }

    /// The guard with the first `length` conditions of a guard.
    pub(crate) fn prefix(&self, mut guard: Guard, length: usize) -> Guard {
        while self.length(guard) > length {
            guard = self.nodes[guard].parent;
        }
        guard
    }

    /// The conditions that a guard has beyond a shorter one, the last first.
    #[must_use]
    pub fn beyond(&self, guard: Guard, shorter: Guard) -> Vec<TermId> {
        let mut conditions = Vec::new();
        let mut at = guard;
        while at != shorter {
            conditions.push(self.nodes[at].condition);
            at = self.nodes[at].parent;
        }
        conditions
    }

    /// The guard without its last condition. The guard that always holds has no condition, and is its own parent.
    pub(crate) fn parent(&self, guard: Guard) -> Guard {
        self.nodes[guard].parent
    }

    /// Formulas that hold together exactly if one of some guards holds. What guards have in common is said once, so
    /// that the formulas are no longer than the guards are apart from each other.
    pub fn any(&self, terms: &mut Terms, guards: &[Guard]) -> Vec<TermId> {
        // For each guard, ways to get on from it: each a list of conditions. The ways from the longest guards are put
        // together first.
        let mut ways: BTreeMap<Guard, Vec<Vec<TermId>>> = BTreeMap::new();
        for guard in guards {
            ways.entry(*guard).or_default().push(Vec::new());
        }
        while let Some((guard, mut here)) = ways.pop_last() {
            let mut way = match here.len() {
                1 => here.pop().unwrap_or_default(),
                _ => {
                    let each: Vec<TermId> = here.iter().map(|way| terms.and(way)).collect();
                    vec![terms.or(&each)]
                }
            };
            if ways.is_empty() {
                way.extend(self.beyond(guard, Self::always()));
                return way;
            }
            // Another guard with a lesser number is left, so this guard is not the one without conditions.
            way.push(self.nodes[guard].condition);
            ways.entry(self.parent(guard)).or_default().push(way);
        }
        vec![terms.bool(false)]
    }

    /// Which guards hold, if `holds` says which conditions hold.
    pub(crate) fn valuate(&self, holds: &mut dyn FnMut(TermId) -> bool) -> IndexVec<Guard, bool> {
        let mut values: IndexVec<Guard, bool> = IndexVec::new();
        for node in &self.nodes {
            let parent = node.length == 0 || values[node.parent];
            values.push(parent && (node.length == 0 || holds(node.condition)));
        }
        values
    }
}

/// How many conditions back a repetition is looked for.
const LOOK_BACK: usize = 32;

#[cfg(test)]
mod tests {
    use term::{Sort, Value};

    use super::*;

    /// Guards of the rounds of a loop: each ends the loop, or goes on to the next.
    fn rounds(terms: &mut Terms, guards: &mut Guards, count: u32) -> Vec<Guard> {
        let mut here = Guards::always();
        let mut found = Vec::new();
        for round in 0..count {
            let var = terms.declare(format!("c{round}"), Sort::Bool);
            let condition = terms.var(var);
            let opposite = terms.not(condition);
            found.extend(guards.extend(terms, here, condition));
            here = guards.extend(terms, here, opposite).expect("a new condition");
        }
        found
    }

    /// How many arguments all terms have together that are made for one of so many rounds.
    fn size(count: u32) -> usize {
        let mut terms = Terms::new();
        let mut guards = Guards::new(terms.bool(true));
        let found = rounds(&mut terms, &mut guards, count);
        let formulas = guards.any(&mut terms, &found);
        let parts = terms.post_order(&formulas);
        let args = |term: &TermId| match terms.view(*term) {
            term::View::App(_, args) => args.len(),
            _ => 0,
        };
        parts.iter().map(args).sum()
    }

    #[test]
    fn one_of_many_guards_takes_room_in_proportion() {
        let (one, two) = (size(500), size(1_000));
        assert!(two <= 2 * one + 20, "{one} for 500 guards, {two} for 1000");
    }

    #[test]
    fn one_of_some_guards_holds_where_the_formulas_do() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(terms.bool(true));
        let all = rounds(&mut terms, &mut guards, 6);
        for chosen in [&all[..], &all[2..3], &all[1..4], &[all[4], all[1], all[4]], &[]] {
            let formulas = guards.any(&mut terms, chosen);
            for bits in 0..64_u32 {
                let mut value = |var: term::Var| {
                    let number: u32 = terms.var_name(var)[1..].parse().expect("a number");
                    Some(Value::Bool(bits >> number & 1 == 1))
                };
                let mut holds = |formula| terms.eval(formula, &mut value) == Ok(Value::Bool(true));
                let together = formulas.iter().all(|formula| holds(*formula));
                let mut one = |guard: &Guard| {
                    guards.beyond(*guard, Guards::always()).iter().all(|each| holds(*each))
                };
                assert_eq!(together, chosen.iter().any(&mut one), "{bits:b}");
            }
        }
    }
}
