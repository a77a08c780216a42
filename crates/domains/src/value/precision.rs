//! Precisions: what is tracked where.

use cfa::{Cfa, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Var;

use crate::value::object::{Aspect, ObjectSite};
use crate::value::tree::Tree;

/// How far what was learned at a location reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PrecisionScope {
    /// The location only.
    Location,
    /// All of the function that the location is in.
    Function,
    /// The whole program, that is wherever the variable exists ("scoped precision refinement",
    /// Beyer & Löwe 2012, §III-F).
    #[default]
    Global,
}

/// Something that can be tracked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tracked {
    /// A variable.
    Variable(Var),
    /// An aspect of the objects that begin at a site.
    Memory(ObjectSite, Aspect),
}

/// The locations that an entry of a precision is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Where {
    /// All locations.
    Everywhere,
    /// The locations of a function.
    Function(FuncId),
    /// A location.
    Location(LocId),
}

impl Where {
    /// The locations at which something is tracked that was learned at a location.
    pub(crate) fn of(cfa: &Cfa, scope: PrecisionScope, location: LocId) -> Self {
        match scope {
            PrecisionScope::Location => Self::Location(location),
            PrecisionScope::Function => Self::Function(cfa.locations[location].function),
            PrecisionScope::Global => Self::Everywhere,
        }
    }
}

/// What is tracked at each location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    scope: PrecisionScope,
    sets: FxHashMap<Where, FxHashSet<Tracked>>,
    /// If everything but some things is tracked everywhere: the things that are not tracked.
    all_but: Option<FxHashSet<Tracked>>,
}

impl Precision {
    /// Nothing is tracked yet.
    #[must_use]
    pub fn new(scope: PrecisionScope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Everything is tracked everywhere, until something is removed.
    #[must_use]
    pub fn everything(scope: PrecisionScope) -> Self {
        Self { all_but: Some(FxHashSet::default()), ..Self::new(scope) }
    }

    /// How far what is learned reaches.
    #[must_use]
    pub const fn scope(&self) -> PrecisionScope {
        self.scope
    }

    /// The locations at which this precision tracks something that was learned at a location.
    pub(crate) fn place(&self, cfa: &Cfa, location: LocId) -> Where {
        Where::of(cfa, self.scope, location)
    }

    /// Tracks something at a location, and as far as the scope reaches. Gives whether it is new.
    pub fn add(&mut self, cfa: &Cfa, location: LocId, what: Tracked) -> bool {
        if self.all_but.as_ref().is_some_and(|dropped| !dropped.contains(&what)) {
            return false;
        }
        let place = self.place(cfa, location);
        self.sets.entry(place).or_default().insert(what)
    }

    /// The precision with other names for what is tracked. Whatever has no other name is left out.
    #[must_use]
    pub fn renamed(&self, name: &dyn Fn(Tracked) -> Option<Tracked>) -> Self {
        let mut new = self.clone();
        #[expect(clippy::iter_over_hash_type, reason = "each is treated by itself")]
        for set in new.sets.values_mut() {
            *set = set.iter().filter_map(|what| name(*what)).collect();
        }
        let renamed =
            |set: &FxHashSet<Tracked>| set.iter().filter_map(|what| name(*what)).collect();
        new.all_but = self.all_but.as_ref().map(renamed);
        new
    }

    /// Does not track something any more, wherever it was.
    pub(crate) fn remove(&mut self, what: Tracked) {
        #[expect(clippy::iter_over_hash_type, reason = "each is treated by itself")]
        for set in self.sets.values_mut() {
            set.remove(&what);
        }
        if let Some(dropped) = &mut self.all_but {
            dropped.insert(what);
        }
    }

    /// Whether something is tracked at a location.
    #[must_use]
    pub fn tracks(&self, cfa: &Cfa, location: LocId, what: Tracked) -> bool {
        if self.all_but.as_ref().is_some_and(|dropped| !dropped.contains(&what)) {
            return true;
        }
        let sets = [Where::Everywhere, self.place(cfa, location)];
        sets.iter().any(|place| self.sets.get(place).is_some_and(|set| set.contains(&what)))
    }

    /// The stretches of the objects of a site that are tracked at a location, in order.
    pub(crate) fn stretches(
        &self,
        cfa: &Cfa,
        location: LocId,
        site: ObjectSite,
    ) -> Vec<(u64, u32)> {
        let sets = [Where::Everywhere, self.place(cfa, location)];
        let tracked = sets.iter().filter_map(|place| self.sets.get(place)).flatten();
        let stretch = |what: &Tracked| match what {
            Tracked::Memory(other, Aspect::Bytes { offset, length }) if *other == site => {
                Some((*offset, *length))
            }
            _ => None,
        };
        let mut found: Vec<(u64, u32)> = tracked.filter_map(stretch).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Everything that is tracked somewhere, once, in order.
    #[must_use]
    pub fn tracked(&self) -> Vec<Tracked> {
        let mut all: Vec<Tracked> = self.entries().map(|(_, what)| what).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Everything that is tracked, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Where, Tracked)> {
        let mut all: Vec<(Where, Tracked)> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (place, set) in &self.sets {
            all.extend(set.iter().map(|what| (*place, *what)));
        }
        all.sort_unstable();
        all.into_iter()
    }

    /// The exceptions, in order, if everything but some things is tracked.
    pub(crate) fn all_but(&self) -> Option<Vec<Tracked>> {
        let mut dropped: Vec<Tracked> = self.all_but.as_ref()?.iter().copied().collect();
        dropped.sort_unstable();
        Some(dropped)
    }

    /// Whether everything is tracked everywhere.
    pub(crate) fn is_everything(&self) -> bool {
        self.all_but.as_ref().is_some_and(FxHashSet::is_empty)
    }

    /// Whether nothing is tracked at a place.
    pub(crate) fn is_nothing(&self, place: Where) -> bool {
        self.all_but.is_none()
            && !self.sets.contains_key(&place)
            && !self.sets.contains_key(&Where::Everywhere)
    }

    /// Tracks everything from now on but what is removed later.
    pub(crate) fn track_the_rest(&mut self) {
        self.all_but.get_or_insert_default();
    }

    /// Takes over an entry of another precision.
    pub(crate) fn insert(&mut self, place: Where, what: Tracked) {
        self.sets.entry(place).or_default().insert(what);
    }
}

/// A part of a state, and the set that it is restricted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StatePart {
    pub(crate) tree: Tree,
    pub(crate) holds: Held,
    pub(crate) place: Where,
}

/// What a part of a state is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Held {
    Globals,
    /// The variables of an activation of a function.
    Locals(FuncId),
    Memory,
}
