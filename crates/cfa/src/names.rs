//! What locations are called, in drawings, logs and files alike.

use base::Id as _;
use rustc_hash::FxHashMap;

use crate::{Cfa, LocId};

/// The names that the file of a program gives to locations, each with the location if there is only one.
pub struct Names<'p> {
    cfa: &'p Cfa,
    known: FxHashMap<&'p str, Option<LocId>>,
}

impl<'p> Names<'p> {
    /// The names of all locations.
    #[must_use]
    pub fn of(cfa: &'p Cfa) -> Self {
        let mut known: FxHashMap<&'p str, Option<LocId>> = FxHashMap::default();
        for (id, location) in cfa.locations.entries() {
            if let Some(name) = location.name.as_deref() {
                known.entry(name).and_modify(|other| *other = None).or_insert(Some(id));
            }
        }
        Self { cfa, known }
    }

    /// The location of a name that no other location has.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<LocId> {
        self.known.get(name).copied().flatten()
    }

    /// What a location is called within its function: as the file calls it, and otherwise by its number.
    #[must_use]
    pub fn shown(&self, id: LocId) -> String {
        let name = self.cfa.locations[id].name.as_deref();
        name.map_or_else(|| self.number(id), str::to_owned)
    }

    /// What a location is called where this text alone must tell the location from all others.
    #[must_use]
    pub fn unique(&self, id: LocId) -> String {
        let name = self.cfa.locations[id].name.as_deref();
        let name = name.filter(|name| self.only(name) == Some(id));
        name.map_or_else(|| self.number(id), str::to_owned)
    }

    /// The number of a location: `L5`, or `5` where the file has `L5` as a name.
    fn number(&self, id: LocId) -> String {
        let number = id.to_string();
        if self.known.contains_key(&*number) { id.index().to_string() } else { number }
    }
}
