//! Names of objects and of stretches of them.

use std::collections::BTreeMap;

use base::IndexVec;
pub use cfa::ObjectSite;
use rustc_hash::FxHashMap;

base::define_id!(
    /// An object of a state.
    pub struct NameId, "obj"
);

/// The name of an object in a state: where the object began, in which activation if it ends with one, and a number that
/// tells it apart from objects with the same beginning of which the state knows something, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Name {
    pub(crate) site: ObjectSite,
    /// The depth of the activation with which the object ends; `None` if it does not end with an activation.
    pub(crate) activation: Option<u32>,
    pub(crate) number: u32,
}

/// Something that can be known of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// The value of the bytes from an offset on.
    Bytes {
        /// The first byte.
        offset: u64,
        /// How many bytes.
        length: u32,
    },
    /// Whether the object still holds its first bytes.
    Background,
    /// Whether the object has ended, and its size.
    Life,
}

/// All names and everything that was ever known of the objects, numbered.
#[derive(Default)]
pub(crate) struct Names {
    names: IndexVec<NameId, Name>,
    known: FxHashMap<Name, NameId>,
    aspects: Vec<(NameId, Aspect)>,
    index: FxHashMap<(NameId, Aspect), u32>,
    /// The stretches of each object by their first byte.
    stretches: IndexVec<NameId, BTreeMap<(u64, u32), u32>>,
    /// The longest stretch of each object.
    longest: IndexVec<NameId, u32>,
}

impl Names {
    pub(crate) fn id(&mut self, name: Name) -> NameId {
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        let id = self.names.push(name);
        self.stretches.push(BTreeMap::new());
        self.longest.push(0);
        self.known.insert(name, id);
        id
    }

    /// The id of a name, if it was ever used.
    pub(crate) fn find(&self, name: Name) -> Option<NameId> {
        self.known.get(&name).copied()
    }

    pub(crate) fn name(&self, id: NameId) -> Name {
        self.names[id]
    }

    /// The index of something that can be known of an object.
    pub(crate) fn aspect(&mut self, object: NameId, aspect: Aspect) -> u32 {
        if let Some(known) = self.index.get(&(object, aspect)) {
            return *known;
        }
        // Memory ends long before there are that many.
        let index = u32::try_from(self.aspects.len()).expect("fewer than 2^32 stretches");
        self.aspects.push((object, aspect));
        self.index.insert((object, aspect), index);
        if let Aspect::Bytes { offset, length } = aspect {
            self.stretches[object].insert((offset, length), index);
            self.longest[object] = self.longest[object].max(length);
        }
        index
    }

    /// The index of an aspect of an object, if this aspect was ever known.
    pub(crate) fn find_aspect(&self, object: NameId, aspect: Aspect) -> Option<u32> {
        self.index.get(&(object, aspect)).copied()
    }

    /// What an index stands for.
    pub(crate) fn at(&self, index: u32) -> (NameId, Aspect) {
        self.aspects[index as usize]
    }

    /// The stretches of an object that overlap with another one: offset, length and index.
    pub(crate) fn overlapping(
        &self,
        object: NameId,
        offset: u64,
        length: u64,
    ) -> impl Iterator<Item = (u64, u32, u32)> + '_ {
        let from = offset.saturating_sub(u64::from(self.longest[object]));
        let to = offset.saturating_add(length);
        self.stretches[object]
            .range((from, 0)..(to, 0))
            .map(|((offset, length), index)| (*offset, *length, *index))
            .filter(move |(start, length, _)| start.saturating_add(u64::from(*length)) > offset)
    }

    /// All stretches of an object.
    pub(crate) fn stretches(&self, object: NameId) -> impl Iterator<Item = (u64, u32, u32)> + '_ {
        self.stretches[object].iter().map(|((offset, length), index)| (*offset, *length, *index))
    }
}
