//! Memory that the program does not make: bytes at any address of a range. Only bytes that were read or written are
//! kept.

use std::collections::BTreeMap;

use cfa::Outside;

use crate::bytes::Saved;
use crate::inputs::Havoc;

/// At most this many bytes are used at once. An access to more is refused, like one outside of all objects.
const LONGEST: u64 = 1 << 20;

/// The memory outside. Offsets count from the first address of the range.
pub(crate) struct Region {
    range: Outside,
    /// The bytes that have values.
    bytes: BTreeMap<u64, u8>,
    /// Which operations made bytes arbitrary: start, end, operation; later entries hold over earlier
    /// ones.
    havocs: Vec<(u64, u64, Havoc)>,
}

impl Region {
    pub(crate) fn new(range: Outside) -> Self {
        Self { range, bytes: BTreeMap::new(), havocs: Vec::new() }
    }

    /// The offset of `length` bytes at an address, if all of these bytes are in the region.
    pub(crate) fn offset(&self, address: u64, length: u64) -> Option<u64> {
        let end = address.checked_add(length)?;
        let inside = self.range.contains(address) && end <= self.range.to && length <= LONGEST;
        inside.then(|| address - self.range.from)
    }

    /// How many bytes there are from an address to the end of the region.
    pub(crate) fn size_from(&self, address: u64) -> Option<u64> {
        self.range.contains(address).then(|| self.range.to - address)
    }

    pub(crate) fn address(&self, offset: u64) -> u64 {
        self.range.from + offset
    }

    /// Start and length of the first run of bytes without a value.
    pub(crate) fn undefined_run(&self, offset: u64, length: u64) -> Option<(u64, u64)> {
        let end = offset + length;
        let is_undefined = |at: &u64| !self.bytes.contains_key(at);
        let start = (offset..end).find(is_undefined)?;
        let rest = (start..end).find(|at| !is_undefined(at)).unwrap_or(end);
        Some((start, rest - start))
    }

    pub(crate) fn havoc_at(&self, offset: u64) -> Option<Havoc> {
        let mut havocs = self.havocs.iter().rev();
        havocs.find(|(start, end, _)| (*start..*end).contains(&offset)).map(|entry| entry.2)
    }

    /// The bytes of a stretch. Those without a value are meaningless.
    pub(crate) fn read(&self, offset: u64, length: u64) -> Vec<u8> {
        let byte = |at: u64| self.bytes.get(&at).copied().unwrap_or(0);
        (offset..offset + length).map(byte).collect()
    }

    /// Gives bytes values, and says how many had none.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> u64 {
        let before = self.bytes.len();
        self.bytes.extend((offset..).zip(bytes.iter().copied()));
        (self.bytes.len() - before) as u64
    }

    pub(crate) fn havoc(&mut self, offset: u64, length: u64, by: Havoc) {
        let end = offset + length;
        (offset..end).for_each(|at| _ = self.bytes.remove(&at));
        self.havocs.retain(|(from, to, _)| *from < offset || *to > end);
        self.havocs.push((offset, end, by));
    }

    pub(crate) fn save(&self, offset: u64, length: u64) -> Saved {
        let undefined = (offset..offset + length).map(|at| !self.bytes.contains_key(&at)).collect();
        Saved { data: self.read(offset, length), undefined, havocs: self.havocs.clone() }
    }

    pub(crate) fn restore(&mut self, offset: u64, saved: Saved) {
        for ((at, byte), was_undefined) in (offset..).zip(saved.data).zip(saved.undefined) {
            match was_undefined {
                true => _ = self.bytes.remove(&at),
                false => _ = self.bytes.insert(at, byte),
            }
        }
        self.havocs = saved.havocs;
    }
}
