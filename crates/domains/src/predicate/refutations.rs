//! Refutations that are used again. After a refinement a block is abstracted anew, and more is known at its start. A
//! set of formulas that once excluded a value of a predicate excludes this value wherever all of these formulas are
//! known.

use rustc_hash::FxHashMap;
use term::TermId;

/// For each formula the sets of other formulas that exclude it, in the order in which the sets were found.
#[derive(Default)]
pub(crate) struct Refutations {
    by: FxHashMap<TermId, Vec<Box<[TermId]>>>,
}

/// How many sets are kept for each formula.
const MOST: usize = 16;

/// Larger sets are not kept: they seldom come again as a whole.
const LARGEST: usize = 64;

impl Refutations {
    /// Whether formulas, which are sorted, are known to exclude another one.
    pub(crate) fn refute(&self, formulas: &[TermId], other: TermId) -> bool {
        let is_known = |each: &TermId| formulas.binary_search(each).is_ok();
        let sets = self.by.get(&other);
        sets.is_some_and(|sets| sets.iter().rev().any(|set| set.iter().all(is_known)))
    }

    /// Keeps an unsatisfiable core: its other formulas exclude the formula `other`. A core without `other` says nothing
    /// about it.
    pub(crate) fn learn(&mut self, other: TermId, core: &[TermId]) {
        if !core.contains(&other) || core.len() > LARGEST {
            return;
        }
        let sets = self.by.entry(other).or_default();
        if sets.len() == MOST {
            sets.remove(0);
        }
        sets.push(core.iter().copied().filter(|each| *each != other).collect());
    }
}

#[cfg(test)]
mod tests {
    use term::{Sort, Terms};

    use super::*;

    #[test]
    fn what_excluded_a_formula_excludes_it_among_more() {
        let mut terms = Terms::new();
        let mut formulas: Vec<TermId> = Vec::new();
        for name in ["a", "b", "c", "d", "e"] {
            let var = terms.declare(name, Sort::Bool);
            formulas.push(terms.var(var));
        }
        formulas.sort_unstable();
        let [a, b, c, d, e] = formulas[..] else { unreachable!("five formulas") };
        let mut known = Refutations::default();
        known.learn(e, &[a, c, e]);
        assert!(known.refute(&[a, b, c], e));
        assert!(known.refute(&[a, c, d], e));
        assert!(!known.refute(&[a, b, d], e));
        assert!(!known.refute(&[a, c], d));
        // The formula itself is no reason: the others exclude each other.
        known.learn(d, &[a, b]);
        assert!(!known.refute(&[a, b], d));
    }
}
