//! Memory: objects at concrete addresses, with room between them that belongs to none.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use cfa::{Outside, StorageKind};

use crate::Invalid;
use crate::bytes::{Bytes, Saved};
use crate::inputs::Havoc;
use crate::outside::Region;

/// What is charged for an object besides its bytes.
const OVERHEAD: u64 = 128;

/// How many ended objects are remembered, so that a late access to one of them can be reported as use after free.
const REMEMBERED: usize = 1 << 16;

/// Marks places in the memory outside; no object has this slot.
const OUTSIDE: u32 = u32::MAX - 1;

/// Why memory gave no object.
pub(crate) struct Full;

/// A stretch of one live object.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) slot: u32,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

pub(crate) struct Memory {
    /// Live objects, and vacant slots for new ones.
    slots: Vec<Option<Object>>,
    vacant: Vec<u32>,
    /// The slots of the live objects by address.
    live: BTreeMap<u64, u32>,
    /// Addresses and sizes of objects that have ended, the last ones only.
    ended: VecDeque<(u64, u64)>,
    /// The slot of the last access, never one of code; most accesses come in runs.
    last: u32,
    /// Addresses of the live stack objects, in order of allocation.
    stack: Vec<u64>,
    space: Space,
    /// The memory that the program does not make, if there is any.
    outside: Option<Region>,
    /// How many objects have begun.
    births: u64,
    /// Bytes charged.
    used: u64,
    limit: u64,
}

/// A live object.
pub(crate) struct Object {
    address: u64,
    kind: StorageKind,
    bytes: Bytes,
    /// How many objects had begun before it.
    birth: u64,
}

/// How addresses are given out: upwards with gaps, and again from the bottom when the top is
/// reached. Both ends stay free, for programs keep small numbers and error codes in pointers.
struct Space {
    bottom: u64,
    top: u64,
    gap: u64,
    /// Sizes are rounded up to this, so that addresses are easy to read.
    grain: u64,
    next: u64,
}

impl Space {
    fn new(width: u32, outside: Option<Outside>) -> Self {
        let mut space = Self::of_width(width);
        if let Some(outside) = outside {
            space.top = space.top.min(outside.from);
        }
        space
    }

    fn of_width(width: u32) -> Self {
        match width {
            0..8 => Self { bottom: 0, top: 0, gap: 1, grain: 1, next: 0 },
            8..32 => {
                let gap = 1 << (width / 3);
                Self { bottom: gap, top: (1 << width) - gap, gap, grain: 1, next: gap }
            }
            32..64 => {
                Self { bottom: 0x1_0000, top: 0xffff_0000, gap: 0x1000, grain: 16, next: 0x1_0000 }
            }
            // The upper half stays free too: some programs look at the sign of a pointer.
            64.. => {
                let gap = 1 << 32;
                Self { bottom: gap, top: 1 << 62, gap, grain: 0x1000, next: gap }
            }
        }
    }
}

impl Memory {
    /// Memory without objects, with addresses of a width, which charges at most `limit` bytes.
    pub(crate) fn new(width: u32, outside: Option<Outside>, limit: u64) -> Self {
        Self {
            slots: Vec::new(),
            vacant: Vec::new(),
            live: BTreeMap::new(),
            ended: VecDeque::new(),
            last: u32::MAX,
            stack: Vec::new(),
            space: Space::new(width, outside),
            outside: outside.map(Region::new),
            births: 0,
            used: 0,
            limit,
        }
    }

    /// Charges bytes that are used elsewhere.
    pub(crate) fn charge(&mut self, bytes: u64) -> Result<(), Full> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(Full);
        }
        self.used = used;
        Ok(())
    }

    /// Gives charged bytes back.
    pub(crate) fn discharge(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    /// A new object: its slot and its address.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: StorageKind,
        defined: bool,
    ) -> Result<(u32, u64), Full> {
        let length = usize::try_from(size).map_err(|_| Full)?;
        self.charge(size.saturating_add(OVERHEAD))?;
        let Some(address) = self.free_address(size, align.max(1)) else {
            self.discharge(size + OVERHEAD);
            return Err(Full);
        };
        let object =
            Object { address, kind, bytes: Bytes::new(length, defined), birth: self.births };
        self.births += 1;
        let slot = match self.vacant.pop() {
            Some(slot) => slot,
            None => {
                self.slots.push(None);
                // The limit ends the run long before there are that many objects.
                u32::try_from(self.slots.len() - 1).map_err(|_| Full)?
            }
        };
        self.slots[slot as usize] = Some(object);
        self.live.insert(address, slot);
        if kind == StorageKind::Stack {
            self.stack.push(address);
        }
        Ok((slot, address))
    }

    /// Next fit: above all objects while there is room, then wherever there is a hole.
    fn free_address(&mut self, size: u64, align: u64) -> Option<u64> {
        let Space { bottom, top, gap, grain, next } = self.space;
        let length = size.max(1).checked_next_multiple_of(grain)?;
        let mut from = next;
        let mut wrapped = false;
        loop {
            let address = from.checked_next_multiple_of(align.max(16.min(grain)))?;
            let end = address.checked_add(length)?.checked_add(gap)?;
            if end > top {
                if wrapped {
                    return None;
                }
                wrapped = true;
                from = bottom;
                continue;
            }
            // Only the last object that starts before the end of the new object can be in the way, because all
            // objects before that one end before it starts.
            match self.live.range(..end).next_back() {
                Some((other, slot)) if self.end(*other, *slot) + gap > address => {
                    from = self.end(*other, *slot) + gap;
                    if wrapped && from > next {
                        return None;
                    }
                }
                _ => {
                    self.space.next = end;
                    return Some(address);
                }
            }
        }
    }

    fn end(&self, address: u64, slot: u32) -> u64 {
        address + self.slots[slot as usize].as_ref().map_or(1, |object| object.bytes.len().max(1))
    }

    /// Ends the life of the object at an address. Gives its slot and the object, which
    /// [`Memory::revive`] puts back.
    pub(crate) fn free(
        &mut self,
        address: u64,
        kind: StorageKind,
    ) -> Result<(u32, Object), Invalid> {
        let Some(slot) = self.live.get(&address).copied() else {
            return Err(match self.classify(address) {
                Invalid::UseAfterFree if kind == StorageKind::Heap => Invalid::DoubleFree,
                _ => Invalid::Free,
            });
        };
        if self.object(slot).kind != kind {
            return Err(Invalid::Free);
        }
        if kind == StorageKind::Stack
            && let Some(at) = self.stack.iter().rposition(|each| *each == address)
        {
            self.stack.remove(at);
        }
        let object = self.remove(slot);
        self.remember(&object);
        Ok((slot, object))
    }

    /// Whether a heap object that lives starts at an address.
    pub(crate) fn is_freeable(&self, address: u64) -> bool {
        let slot = self.live.get(&address);
        slot.is_some_and(|slot| self.object(*slot).kind == StorageKind::Heap)
    }

    /// How many stack objects there are: what [`Memory::unwind`] takes.
    pub(crate) fn stack_height(&self) -> usize {
        self.stack.len()
    }

    /// Ends all stack objects above a height.
    pub(crate) fn unwind(&mut self, height: usize) {
        while self.stack.len() > height {
            if let Some(address) = self.stack.pop()
                && let Some(slot) = self.live.get(&address).copied()
            {
                let object = self.remove(slot);
                self.remember(&object);
                self.release(slot);
            }
        }
    }

    /// Takes an object out of memory. Its slot stays reserved.
    fn remove(&mut self, slot: u32) -> Object {
        let object = self.slots[slot as usize].take().expect("the slot of a live object");
        self.live.remove(&object.address);
        self.discharge(object.bytes.len() + OVERHEAD);
        object
    }

    fn remember(&mut self, object: &Object) {
        if self.ended.len() == REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back((object.address, object.bytes.len()));
    }

    /// Takes an object out as if it had never been there. The slot stays reserved.
    pub(crate) fn take_out(&mut self, slot: u32) -> Object {
        let object = self.remove(slot);
        if object.kind == StorageKind::Stack {
            self.stack.retain(|address| *address != object.address);
        }
        object
    }

    /// Puts an object back that was taken out.
    pub(crate) fn revive(&mut self, slot: u32, object: Object) {
        self.used += object.bytes.len() + OVERHEAD;
        self.live.insert(object.address, slot);
        if object.kind == StorageKind::Stack {
            self.stack.push(object.address);
        }
        self.slots[slot as usize] = Some(object);
    }

    /// Makes the slot of an object that was taken out vacant.
    pub(crate) fn release(&mut self, slot: u32) {
        self.vacant.push(slot);
    }

    /// How many objects had begun before the object that a place is in, and a number that no object has for a place
    /// in the memory outside.
    pub(crate) fn birth(&self, place: Stretch) -> u64 {
        if place.slot == OUTSIDE {
            return u64::MAX;
        }
        self.object(place.slot).birth
    }

    fn object(&self, slot: u32) -> &Object {
        self.slots[slot as usize].as_ref().expect("the slot of a live object")
    }

    fn bytes_mut(&mut self, slot: u32) -> &mut Bytes {
        &mut self.slots[slot as usize].as_mut().expect("the slot of a live object").bytes
    }

    /// The place of `length` bytes, at least one, that are to be read.
    pub(crate) fn readable(&mut self, address: u64, length: u64) -> Result<Stretch, Invalid> {
        if let Some(Some(object)) = self.slots.get(self.last as usize)
            && let Some(place) = object.place(self.last, address, length)
        {
            return Ok(place);
        }
        let below = self.live.range(..=address).next_back();
        let Some((slot, place)) = below.and_then(|(_, slot)| {
            self.object(*slot).place(*slot, address, length).map(|place| (*slot, place))
        }) else {
            // Bytes of the memory outside are charged when they are written, so it is the next access that is refused
            // if the limit is passed.
            let outside = self.outside.as_ref().filter(|_| self.used <= self.limit);
            return match outside.and_then(|outside| outside.offset(address, length)) {
                Some(offset) => Ok(Stretch { slot: OUTSIDE, offset, length }),
                None => Err(self.classify(address)),
            };
        };
        if self.object(slot).kind == StorageKind::Code {
            return Err(Invalid::Code);
        }
        self.last = slot;
        Ok(place)
    }

    /// The place of `length` bytes, at least one, that are to be written.
    pub(crate) fn writable(&mut self, address: u64, length: u64) -> Result<Stretch, Invalid> {
        let place = self.readable(address, length)?;
        if place.slot != OUTSIDE && self.object(place.slot).kind == StorageKind::ReadOnly {
            Err(Invalid::ReadOnly)
        } else {
            Ok(place)
        }
    }

    /// How many bytes there are from an address to the end of the object that it points into.
    pub(crate) fn size_from(&self, address: u64) -> u64 {
        match self.slot_at(address) {
            Some(slot) if self.kind(slot) != StorageKind::Code => {
                let object = self.object(slot);
                object.bytes.len() - (address - object.address)
            }
            Some(_) => 0,
            None => {
                let outside = self.outside.as_ref();
                outside.and_then(|outside| outside.size_from(address)).unwrap_or(0)
            }
        }
    }

    /// The slot of the live object that an address points into.
    pub(crate) fn slot_at(&self, address: u64) -> Option<u32> {
        let (_, slot) = self.live.range(..=address).next_back()?;
        self.object(*slot).place(*slot, address, 1).map(|place| place.slot)
    }

    pub(crate) fn kind(&self, slot: u32) -> StorageKind {
        self.object(slot).kind
    }

    /// All bytes of an object.
    pub(crate) fn whole(&self, slot: u32) -> Stretch {
        Stretch { slot, offset: 0, length: self.object(slot).bytes.len() }
    }

    /// The live objects by address, each with all of its bytes.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (u32, Stretch, StorageKind)> + '_ {
        self.live.values().map(|slot| (*slot, self.whole(*slot), self.kind(*slot)))
    }

    /// The memory outside, if a place is in it.
    fn region(&self, place: Stretch) -> Option<&Region> {
        self.outside.as_ref().filter(|_| place.slot == OUTSIDE)
    }

    fn region_mut(&mut self, place: Stretch) -> Option<&mut Region> {
        self.outside.as_mut().filter(|_| place.slot == OUTSIDE)
    }

    /// Address of the first byte of a place.
    pub(crate) fn address(&self, place: Stretch) -> u64 {
        if let Some(outside) = self.region(place) {
            return outside.address(place.offset);
        }
        self.object(place.slot).address + place.offset
    }

    /// What is wrong with an access at an address that is in no live object, or not wholly.
    fn classify(&self, address: u64) -> Invalid {
        if address < self.space.bottom.min(0x1000) {
            return Invalid::Null;
        }
        let below = self.live.range(..=address).next_back();
        let inside = below.is_some_and(|(other, slot)| address < self.end(*other, *slot));
        let within =
            |(start, size): &(u64, u64)| address >= *start && address - start < (*size).max(1);
        if !inside && self.ended.iter().any(within) {
            return Invalid::UseAfterFree;
        }
        let gap = self.space.gap;
        let after =
            below.is_some_and(|(other, slot)| address - self.end(*other, *slot).min(address) < gap);
        let before =
            self.live.range(address..).next().is_some_and(|(other, _)| other - address < gap);
        if after || before { Invalid::OutOfBounds } else { Invalid::Pointer }
    }

    /// Whether some byte of a place has no value yet.
    pub(crate) fn is_undefined(&self, place: Stretch) -> bool {
        if self.region(place).is_some() {
            return self.undefined_run(place).is_some();
        }
        self.object(place.slot).bytes.is_undefined(place.offset, place.length)
    }

    /// The first run of bytes without a value in a place.
    pub(crate) fn undefined_run(&self, place: Stretch) -> Option<Stretch> {
        let (offset, length) = match self.region(place) {
            Some(outside) => outside.undefined_run(place.offset, place.length)?,
            None => self.object(place.slot).bytes.undefined_run(place.offset, place.length)?,
        };
        Some(Stretch { slot: place.slot, offset, length })
    }

    /// The operation that made the first byte of a place arbitrary, if one did.
    pub(crate) fn havoc_at(&self, place: Stretch) -> Option<Havoc> {
        if let Some(outside) = self.region(place) {
            return outside.havoc_at(place.offset);
        }
        self.object(place.slot).bytes.havoc_at(place.offset)
    }

    /// The bytes of a place. Those without a value are meaningless.
    pub(crate) fn read(&self, place: Stretch) -> Cow<'_, [u8]> {
        match self.region(place) {
            Some(outside) => Cow::Owned(outside.read(place.offset, place.length)),
            None => Cow::Borrowed(self.object(place.slot).bytes.read(place.offset, place.length)),
        }
    }

    /// Gives the bytes of a place values.
    pub(crate) fn write(&mut self, place: Stretch, bytes: &[u8]) {
        if let Some(outside) = self.region_mut(place) {
            let new = outside.write(place.offset, bytes);
            self.used = self.used.saturating_add(new * OVERHEAD);
            return;
        }
        self.bytes_mut(place.slot).write(place.offset, bytes);
    }

    /// Gives bytes of a new object values, as far as they fit.
    pub(crate) fn initialise(&mut self, slot: u32, offset: u64, bytes: &[u8]) {
        let room = self.object(slot).bytes.len().saturating_sub(offset);
        let fitting = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        if fitting > 0 {
            self.bytes_mut(slot).write(offset, &bytes[..fitting]);
        }
    }

    /// Sets all bytes of a place.
    pub(crate) fn fill(&mut self, place: Stretch, byte: u8) {
        if place.slot == OUTSIDE {
            // The cast is exact: places outside are short.
            return self.write(place, &vec![byte; place.length as usize]);
        }
        self.bytes_mut(place.slot).fill(place.offset, place.length, byte);
    }

    /// Copies between two places of one length; all bytes read have values.
    pub(crate) fn copy(&mut self, to: Stretch, from: Stretch) {
        if to.slot == OUTSIDE || from.slot == OUTSIDE {
            let bytes = self.read(from).into_owned();
            self.write(to, &bytes);
        } else if to.slot == from.slot {
            self.bytes_mut(to.slot).copy_within(to.offset, from.offset, to.length);
        } else {
            // Taken out for the moment, since two entries of one table cannot be borrowed at once.
            let source = self.slots[from.slot as usize].take();
            if let Some(object) = &source {
                let bytes = object.bytes.read(from.offset, from.length);
                self.bytes_mut(to.slot).write(to.offset, bytes);
            }
            self.slots[from.slot as usize] = source;
        }
    }

    /// Takes the values of the bytes of a place away.
    pub(crate) fn havoc(&mut self, place: Stretch, by: Havoc) {
        if let Some(outside) = self.region_mut(place) {
            return outside.havoc(place.offset, place.length, by);
        }
        self.bytes_mut(place.slot).havoc(place.offset, place.length, by);
    }

    /// What a place holds, to be put back by [`Memory::swap`].
    pub(crate) fn save(&self, place: Stretch) -> Saved {
        match self.region(place) {
            Some(outside) => outside.save(place.offset, place.length),
            None => self.object(place.slot).bytes.save(place.offset, place.length),
        }
    }

    /// Exchanges the contents of a place with the saved contents.
    pub(crate) fn swap(&mut self, place: Stretch, saved: &mut Saved) {
        let now = self.save(place);
        let before = std::mem::replace(saved, now);
        match self.region_mut(place) {
            Some(outside) => outside.restore(place.offset, before),
            None => self.bytes_mut(place.slot).restore(place.offset, before),
        }
    }
}

impl Object {
    fn place(&self, slot: u32, address: u64, length: u64) -> Option<Stretch> {
        let offset = address.checked_sub(self.address)?;
        let size = self.bytes.len();
        let inside = length <= size && offset <= size - length;
        inside.then_some(Stretch { slot, offset, length })
    }
}
