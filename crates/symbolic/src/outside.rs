//! Cheaper encodings of the memory outside of the program, for single paths.
//!
//! The memory outside is one array of bytes, and an access through a pointer from outside is compared
//! with every access before it. Along most paths the comparison does not matter: whether a path can be taken is
//! decided by other things, or it can be taken with all such pointers far from each other.

use term::{Sort, TermId, Terms, View};

use crate::execute::Executor;
use crate::layout::ROOM;
use crate::parts::Bases;
use crate::reading::OutsideReading;

impl Executor<'_> {
    /// Has the memory outside be read in another way, from the start on.
    pub fn read_outside(&mut self, reading: OutsideReading) {
        self.reading = reading;
    }

    /// The pointer of an address, and the number that is added to this pointer.
    pub(crate) fn root(terms: &Terms, address: TermId) -> (TermId, u64) {
        let (mut root, mut offset) = (address, 0_u64);
        while let View::App(term::Op::BvAdd, &[a, b]) = terms.view(root)
            && let Some(by) = terms.number(b)
        {
            root = a;
            offset = offset.wrapping_add(by);
        }
        (root, offset)
    }

    /// Reads bytes outside: what was written there with the same pointer, if nothing was written with another pointer
    /// since, or anything.
    pub(crate) fn read_loosely(
        &mut self,
        terms: &mut Terms,
        address: TermId,
        length: u64,
    ) -> TermId {
        let (root, offset) = Self::root(terms, address);
        if let Some(value) = self.loose.cells.get(&(root, offset, length)) {
            return *value;
        }
        let name = format!("outside#{}", terms.var_count());
        // The cast is exact: no value has that many bytes.
        let symbol = terms.declare(name, Sort::Bv(8 * length as u32));
        let value = terms.var(symbol);
        let overlaps = self.overlapping(root, offset, length);
        if self.loose.holds_addresses {
            self.foreign.insert(symbol);
            self.forgotten.insert(symbol);
        }
        if overlaps.is_empty() {
            self.loose.cells.insert((root, offset, length), value);
        }
        value
    }

    pub(crate) fn write_loosely(
        &mut self,
        terms: &mut Terms,
        address: TermId,
        value: TermId,
        condition: TermId,
    ) {
        let (root, offset) = Self::root(terms, address);
        let length = u64::from(terms.width(value) / 8);
        let hit = self.overlapping(root, offset, length);
        self.loose.cells.retain(|key, _| key.0 == root && !hit.contains(key));
        if terms.is_true(condition) {
            self.loose.cells.insert((root, offset, length), value);
        }
        self.loose.holds_addresses |= self.origin(terms, value).bases != Bases::None;
    }

    /// Forgets what the memory outside holds: anything may have been written there.
    pub(crate) fn forget_loosely(&mut self) {
        self.loose.cells.clear();
        self.loose.holds_addresses = true;
    }

    /// The values with the same pointer that share bytes with a stretch. Numbers wrap around, as
    /// addresses do.
    fn overlapping(&self, root: TermId, offset: u64, length: u64) -> Vec<(TermId, u64, u64)> {
        let mask = match self.cfa.address_width {
            64.. => u64::MAX,
            width => (1 << width) - 1,
        };
        let own = self.loose.cells.range((root, 0, 0)..=(root, u64::MAX, u64::MAX));
        let shares = |(_, at, long): &(TermId, u64, u64)| {
            at.wrapping_sub(offset) & mask < length || offset.wrapping_sub(*at) & mask < *long
        };
        own.map(|(key, _)| *key).filter(shares).collect()
    }

    /// The constant that a pointer from outside is guessed to be, if there is room for it.
    pub(crate) fn guessed(&self, terms: &mut Terms, root: TermId) -> Option<TermId> {
        let outside = self.cfa.outside.filter(|_| self.reading == OutsideReading::Guessed)?;
        let number = self.roots.iter().position(|known| *known == root)?;
        let by = ROOM.checked_mul(u64::try_from(number).ok()? + 1)?;
        let address = outside.from.checked_add(by).filter(|at| *at < outside.to - ROOM)?;
        Some(terms.bv(self.cfa.address_width, u128::from(address)))
    }
}
