//! Combinations of predicates: put together from pieces, and split into states.

use std::collections::BTreeSet;

use crate::predicate::abstraction::{Abstraction, Combination, Exactness, MOST, Part};

impl Combination {
    /// Nothing is known.
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
            self.parts.push(Part { open, cubes: std::rc::Rc::clone(cubes) });
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
