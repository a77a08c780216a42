//! Combinations of predicates: what is asked about them, how they are put together from pieces, and how they are split
//! into states.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{TermId, Terms};

/// Which combinations of predicates a state can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Abstraction {
    /// Conjunctions of predicates and their negations.
    Cartesian,
    /// All combinations.
    Boolean,
    /// All combinations, with a state for each conjunction of them.
    #[default]
    Split,
}

impl Abstraction {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cartesian => "cartesian",
            Self::Boolean => "boolean",
            Self::Split => "split",
        }
    }
}

/// A question: what is known before, what must hold on the way, and the predicates afterwards,
/// all over the values at the start of the block.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) kind: Abstraction,
    pub(crate) formulas: Vec<TermId>,
    pub(crate) predicates: Vec<TermId>,
}

/// What is known of the predicates: which have the same value in all executions, and the values
/// that the others have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combination {
    /// For each predicate its value, if it has one.
    pub(crate) fixed: Vec<Option<bool>>,
    /// The values that predicates without a fixed value have together. Predicates that have nothing to do with each
    /// other are in different parts; a predicate in no part may have any value.
    pub(crate) parts: Vec<Part>,
    /// How sure it is that no smaller set of values would do.
    pub(crate) exact: Exactness,
}

/// The values that some predicates have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The indices of the predicates, ascending.
    pub(crate) open: Vec<usize>,
    pub(crate) cubes: Rc<BTreeSet<Vec<bool>>>,
}

/// How sure it is that a combination has no values that no execution has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exactness {
    /// Not at all: the solver has left something open.
    Unclear,
    /// A predicate without a fixed value can have either value; not every combination of these values may be possible.
    Literals,
    /// All values that the combination allows together are those of a model.
    Cubes,
}

/// Combinations that were computed before, by the question; `None` where no execution gets to the end of the block.
pub(crate) type Answers = FxHashMap<Question, Option<Combination>>;

/// How many conjunctions may become states of their own.
pub(crate) const MOST: usize = 160;

impl Combination {
    /// The combination of `count` predicates that allows all values.
    pub(crate) fn anything(count: usize, exact: Exactness) -> Self {
        Self { fixed: vec![None; count], parts: Vec::new(), exact }
    }

    /// Adds what is known of some of the predicates, which have nothing to do with the others.
    pub(crate) fn include(&mut self, places: &[usize], other: &Self) {
        for (place, value) in places.iter().zip(&other.fixed) {
            self.fixed[*place] = *value;
        }
        for Part { open, cubes } in &other.parts {
            let open = open.iter().map(|index| places[*index]).collect();
            self.parts.push(Part { open, cubes: Rc::clone(cubes) });
        }
        self.exact = self.exact.min(other.exact);
    }

    /// The states that a combination stands for. Cases are told apart as long as they are few.
    pub(crate) fn states(mut self, kind: Abstraction) -> Vec<Self> {
        if kind != Abstraction::Split || self.parts.is_empty() {
            return vec![self];
        }
        self.parts.sort_by_key(|part| (part.cubes.len(), part.open[0]));
        let mut count = 1;
        let few = self.parts.iter().take_while(|part| {
            count *= part.cubes.len();
            count <= MOST
        });
        let few = few.count();
        let together = self.parts.split_off(few);
        let mut cases: BTreeSet<Vec<Option<bool>>> = BTreeSet::from([self.fixed]);
        for Part { open, cubes } in &self.parts {
            let split = cases.iter().flat_map(|case| {
                cubes.iter().map(|cube| {
                    let mut case = case.clone();
                    for (index, value) in open.iter().zip(cube) {
                        case[*index] = Some(*value);
                    }
                    case
                })
            });
            cases = split.collect();
        }
        let exact = self.exact;
        let state = |fixed| Self { fixed, parts: together.clone(), exact };
        cases.into_iter().map(state).collect()
    }
}

/// The conjunction of predicates with the given values.
pub(crate) fn conjunction(terms: &mut Terms, predicates: &[TermId], values: &[bool]) -> TermId {
    let literals: Vec<TermId> = predicates
        .iter()
        .zip(values)
        .map(|(each, value)| if *value { *each } else { terms.not(*each) })
        .collect();
    terms.and(&literals)
}
