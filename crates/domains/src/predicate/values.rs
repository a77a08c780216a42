//! The values of the variables that have changed in a block.

use term::TermId;

use crate::predicate::symbols::VarPlace;

/// The values of the variables that have changed, over the values at the start of the block: places in order,
/// each with a value. One piece of memory, because every point of a block may have values of its own
/// that were copied from the point before, and all of them are given back at the end of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    entries: Vec<(VarPlace, TermId)>,
}

impl Clone for Values {
    /// A copy with space for the change that it is made for.
    fn clone(&self) -> Self {
        let mut entries = Vec::with_capacity(self.entries.len() + 1);
        entries.extend_from_slice(&self.entries);
        Self { entries }
    }
}

impl Values {
    fn find(&self, place: VarPlace) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&place, |(place, _)| *place)
    }

    /// The value at a place, if it has changed.
    pub(crate) fn get(&self, place: VarPlace) -> Option<TermId> {
        self.find(place).ok().map(|at| self.entries[at].1)
    }

    /// Changes the value at a place.
    pub(crate) fn set(&mut self, place: VarPlace, value: TermId) {
        match self.find(place) {
            Ok(at) => self.entries[at].1 = value,
            Err(at) => {
                self.entries.reserve_exact(1);
                self.entries.insert(at, (place, value));
            }
        }
    }

    /// Forgets the places that are not wanted.
    pub(crate) fn retain(&mut self, wanted: impl Fn(VarPlace) -> bool) {
        self.entries.retain(|(place, _)| wanted(*place));
    }

    /// The places that have changed, with their values, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (VarPlace, TermId)> + '_ {
        self.entries.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base::{Id as _, Random};
    use term::Var;

    use super::*;

    #[test]
    fn values_are_a_map_in_order() {
        let (mut values, mut known) = (Values::default(), BTreeMap::new());
        let mut random = Random::new(1);
        for round in 0..2000 {
            let place = (random.below(4) as u32, Var::from_index(random.below(16)));
            let value = TermId::from_index(round);
            assert_eq!(values.get(place), known.get(&place).copied());
            values.set(place, value);
            known.insert(place, value);
            if round % 97 == 0 {
                let depth = random.below(4) as u32;
                values = values.clone();
                values.retain(|(at, _)| at < depth);
                known.retain(|(at, _), _| *at < depth);
            }
            assert!(values.iter().eq(known.iter().map(|(place, value)| (*place, *value))));
        }
    }
}
