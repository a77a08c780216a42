//! What a state knows of memory.

use std::collections::BTreeMap;

use cfa::{Access, AllocKind, Contents, EdgeId, ObjectId, ObjectKind};
use rustc_hash::FxHashSet;
use term::{Bv, Float, Sort, TermId, Value};

use crate::value::cell::{Abstract, Background, Cell, Stretches};
use crate::value::object::{Aspect, Name, NameId, ObjectSite};
use crate::value::state::{MEMORY_HEIGHT, Work};
use crate::value::tree::UNKNOWN;
use crate::value::{Reach, Values};

/// How many bytes of a copy or fill are followed. The bytes that a longer copy or fill writes are unknown afterwards.
const MAX_BYTES: u64 = 512;

/// How many things may be known of memory: what the map has room for.
const MAX_ASPECTS: u32 = 1 << (4 * MEMORY_HEIGHT);

/// How many overwritten stretches of an object are told apart.
const MAX_STRETCHES: usize = 32;

/// The execution ends here: the access is invalid.
pub(crate) struct Invalid;

impl Values<'_> {
    pub(crate) fn get_aspect(&self, work: &Work, object: NameId, aspect: Aspect) -> u32 {
        match self.names.find_aspect(object, aspect) {
            Some(index) if index < MAX_ASPECTS => {
                self.forest.get(work.memory, MEMORY_HEIGHT, index)
            }
            _ => UNKNOWN,
        }
    }

    fn set_aspect(&mut self, work: &mut Work, object: NameId, aspect: Aspect, value: u32) {
        let index = self.names.aspect(object, aspect);
        if index < MAX_ASPECTS {
            work.memory = self.forest.set(work.memory, MEMORY_HEIGHT, index, value);
        }
    }

    fn kind(&self, object: NameId) -> Option<ObjectKind> {
        match self.names.name(object).site {
            ObjectSite::Initial(id) => Some(self.program.cfa.objects[id].kind),
            ObjectSite::Alloc(..) => None,
        }
    }

    /// Whether an access may be valid.
    fn access(
        &self,
        work: &Work,
        address: &Abstract,
        length: u64,
        write: bool,
    ) -> Result<(), Invalid> {
        let valid = match address {
            // No object is at zero.
            Abstract::Known(Value::Bv(bits)) => !bits.is_zero(),
            Abstract::Pointer(object, offset) => {
                let fits = match self.kind(*object) {
                    Some(ObjectKind::Code(_)) => false,
                    Some(ObjectKind::ReadOnly) => !write,
                    Some(ObjectKind::Data) | None => true,
                };
                // No object reaches the end of all addresses, for none is at zero.
                let last = match self.program.cfa.address_width {
                    64.. => u64::MAX,
                    width => (1 << width) - 1,
                };
                let wraps = offset
                    .is_some_and(|offset| offset.checked_add(length).is_none_or(|end| end > last));
                let inside = match (self.size(work, *object), offset) {
                    (Some(size), Some(offset)) => {
                        offset.checked_add(length).is_some_and(|end| end <= size)
                    }
                    (Some(size), None) => length <= size,
                    (None, _) => true,
                };
                fits && inside && !wraps && !self.has_ended(work, *object)
            }
            _ => true,
        };
        if valid { Ok(()) } else { Err(Invalid) }
    }

    pub(crate) fn load(
        &mut self,
        work: &Work,
        address: &Abstract,
        sort: Sort,
    ) -> Result<Abstract, Invalid> {
        let Some(length) = cfa::stored_bytes(sort) else { return Ok(Abstract::Unknown) };
        self.access(work, address, length, false)?;
        let Abstract::Pointer(object, Some(offset)) = *address else {
            return Ok(Abstract::Unknown);
        };
        let value = self.read(work, object, offset, length);
        Ok(match (sort, value) {
            (Sort::Float(format), Abstract::Known(Value::Bv(bits))) => match bits.to_u128() {
                Some(bits) => Abstract::Known(Value::Float(Float::from_bits(format, bits))),
                None => Abstract::Unknown,
            },
            (Sort::Float(_), _) => Abstract::Unknown,
            (_, value) => value,
        })
    }

    pub(crate) fn store(
        &mut self,
        work: &mut Work,
        (address, reach): (&Abstract, &Reach),
        value: Abstract,
        length: u64,
    ) -> Result<(), Invalid> {
        self.access(work, address, length, true)?;
        self.forget(work, (address, reach), Some(length));
        if let Abstract::Pointer(object, Some(offset)) = *address
            && let Ok(short) = u32::try_from(length)
        {
            let value = match value {
                Abstract::Known(Value::Float(float)) => {
                    let bits = Bv::new(float.format().width(), float.bits());
                    Abstract::Known(Value::Bv(bits))
                }
                other => other,
            };
            let id = self.cell_of(value);
            self.set_aspect(work, object, Aspect::Bytes { offset, length: short }, id);
        }
        Ok(())
    }

    /// The value of some bytes as a bit-vector or an address.
    fn read(&mut self, work: &Work, object: NameId, offset: u64, length: u64) -> Abstract {
        let Ok(short) = u32::try_from(length) else { return Abstract::Unknown };
        let aspect = Aspect::Bytes { offset, length: short };
        // A stretch that is read gets an index, so that a state can know its value from now on.
        let index = self.names.aspect(object, aspect);
        let id = self.get_aspect(work, object, aspect);
        if id != UNKNOWN {
            return self.abstract_of(self.cells.get(id));
        }
        let background = self.background(work, object);
        let clean = background.as_ref().is_some_and(|(_, dirty)| {
            !dirty.iter().any(|(from, to)| *from < offset.saturating_add(length) && offset < *to)
        });
        if let Some((background, _)) = background.as_ref().filter(|_| clean) {
            return self.first_value(*background, offset, length);
        }
        let mut bytes: Vec<Option<u8>> = match usize::try_from(length) {
            Ok(length) if length <= 64 => vec![None; length],
            _ => return Abstract::Unknown,
        };
        if let Some((background, dirty)) = background {
            for (at, byte) in (offset..).zip(&mut bytes) {
                if !dirty.iter().any(|(from, to)| (*from..*to).contains(&at))
                    && let Abstract::Known(Value::Bv(bits)) = self.first_value(background, at, 1)
                {
                    *byte = bits.to_u64().map(|bits| bits as u8);
                }
            }
        }
        for (start, long, other) in self.names.overlapping(object, offset, length) {
            if other == index || other >= MAX_ASPECTS {
                continue;
            }
            let id = self.forest.get(work.memory, MEMORY_HEIGHT, other);
            let Some(Cell::Value(Value::Bv(bits))) = self.cells.get(id) else { continue };
            let Some(bits) = bits.to_u128().filter(|_| long <= 16) else { continue };
            for (at, byte) in (start..).zip(bits.to_le_bytes()).take(long as usize) {
                if at >= offset && at < offset + length {
                    // The cast is exact: at most 64 bytes.
                    bytes[(at - offset) as usize] = Some(byte);
                }
            }
        }
        match bytes.into_iter().collect::<Option<Vec<u8>>>() {
            Some(bytes) => from_bytes(&bytes),
            None => Abstract::Unknown,
        }
    }

    /// The background of an object of which the object still holds bytes, and the stretches where it does not.
    fn background(&self, work: &Work, object: NameId) -> Option<(Background, Stretches)> {
        let name = self.names.name(object);
        // Memory that cannot be written never changes.
        if let ObjectSite::Initial(id) = name.site
            && self.program.cfa.objects[id].kind == ObjectKind::ReadOnly
        {
            return Some((Background::Initial(id), Box::default()));
        }
        match self.cells.get(self.get_aspect(work, object, Aspect::Background)) {
            Some(Cell::Background(background, dirty)) => Some((*background, dirty.clone())),
            _ => None,
        }
    }

    /// The value of some of the first bytes of an object.
    pub(crate) fn first_value(
        &mut self,
        background: Background,
        offset: u64,
        length: u64,
    ) -> Abstract {
        let Background::Initial(object) = background else {
            return zeros(length);
        };
        let program = self.program;
        let Contents::Bytes(bytes, patches) = &program.cfa.objects[object].contents else {
            return Abstract::Unknown;
        };
        if !patches.is_empty() {
            let known = self.patches.entry(object).or_insert_with(|| {
                let patch = |patch: &cfa::Patch| {
                    let sort = program.terms.sort(patch.value);
                    let length = cfa::stored_bytes(sort).unwrap_or(1);
                    (patch.offset, (length, patch.value))
                };
                patches.iter().map(patch).collect::<BTreeMap<u64, (u64, TermId)>>()
            });
            let end = offset.saturating_add(length);
            let near = known.range(offset.saturating_sub(16)..end);
            let mut over = near.filter(|(at, (long, _))| *at + long > offset);
            match (over.next(), over.next()) {
                (Some((at, (long, value))), None) if (*at, *long) == (offset, length) => {
                    let value = *value;
                    let nothing = self.nothing();
                    return self.eval(&nothing, value);
                }
                (None, _) => {}
                _ => return Abstract::Unknown,
            }
        }
        let Ok(from) = usize::try_from(offset) else { return Abstract::Unknown };
        let Ok(length) = usize::try_from(length) else { return Abstract::Unknown };
        let mut window = vec![0; length];
        let there = bytes.get(from.min(bytes.len())..).unwrap_or_default();
        let common = there.len().min(length);
        window[..common].copy_from_slice(&there[..common]);
        from_bytes(&window)
    }

    /// Forgets what an operation may have written at an address: `length` bytes, or any number of bytes. If the address
    /// is not known, all bytes of the objects that it may point to are forgotten.
    pub(crate) fn forget(
        &mut self,
        work: &mut Work,
        (address, reach): (&Abstract, &Reach),
        length: Option<u64>,
    ) {
        match (address, length) {
            (Abstract::Pointer(object, Some(offset)), Some(length)) => {
                self.forget_stretch(work, *object, *offset, length);
            }
            (Abstract::Pointer(object, _), _) => {
                let object = *object;
                self.forget_where(work, &|_, other, aspect| {
                    other == object && aspect != Aspect::Life
                });
            }
            _ => self.forget_where(work, &|name, _, aspect| {
                aspect != Aspect::Life
                    && reach.as_ref().is_none_or(|reach| reach.contains(&name.site))
            }),
        }
    }

    /// Forgets whatever is known of memory that a test picks out.
    pub(crate) fn forget_where(
        &mut self,
        work: &mut Work,
        test: &dyn Fn(&Name, NameId, Aspect) -> bool,
    ) {
        let names = &self.names;
        work.memory = self.forest.map(work.memory, MEMORY_HEIGHT, &mut |index, value| {
            let (object, aspect) = names.at(index);
            if test(&names.name(object), object, aspect) { UNKNOWN } else { value }
        });
    }

    fn forget_stretch(&mut self, work: &mut Work, object: NameId, offset: u64, length: u64) {
        let over: Vec<u32> = self
            .names
            .overlapping(object, offset, length)
            .map(|(_, _, index)| index)
            .filter(|index| *index < MAX_ASPECTS)
            .collect();
        for index in over {
            work.memory = self.forest.set(work.memory, MEMORY_HEIGHT, index, UNKNOWN);
        }
        let id = self.get_aspect(work, object, Aspect::Background);
        if let Some(Cell::Background(background, dirty)) = self.cells.get(id) {
            let dirty = with_stretch(dirty, offset, offset.saturating_add(length));
            let id = self.cells.id(Cell::Background(*background, dirty));
            self.set_aspect(work, object, Aspect::Background, id);
        }
    }

    pub(crate) fn fill(
        &mut self,
        work: &mut Work,
        (address, reach): (&Abstract, &Reach),
        byte: &Abstract,
        length: &Abstract,
    ) -> Result<(), Invalid> {
        let Some(length) = length.number() else {
            self.forget(work, (address, reach), None);
            return Ok(());
        };
        if length == 0 {
            return Ok(());
        }
        self.access(work, address, length, true)?;
        self.forget(work, (address, reach), Some(length));
        let (Abstract::Pointer(object, Some(offset)), Some(byte)) = (address, byte.number()) else {
            return Ok(());
        };
        if byte == 0 && *offset == 0 && self.size(work, *object) == Some(length) {
            let id = self.cells.id(Cell::Background(Background::Zero, Box::default()));
            self.set_aspect(work, *object, Aspect::Background, id);
        } else if length <= MAX_BYTES {
            let mut at = 0;
            while at < length {
                let chunk = chunk(offset + at, length - at);
                // The cast is exact: the term has eight bits.
                let value = from_bytes(&vec![byte as u8; chunk as usize]);
                let id = self.cell_of(value);
                let aspect = Aspect::Bytes { offset: offset + at, length: chunk };
                self.set_aspect(work, *object, aspect, id);
                at += u64::from(chunk);
            }
        }
        Ok(())
    }

    pub(crate) fn copy(
        &mut self,
        work: &mut Work,
        (to, reach): (&Abstract, &Reach),
        from: &Abstract,
        length: &Abstract,
    ) -> Result<(), Invalid> {
        let Some(length) = length.number() else {
            self.forget(work, (to, reach), None);
            return Ok(());
        };
        if length == 0 {
            return Ok(());
        }
        self.access(work, from, length, false)?;
        self.access(work, to, length, true)?;
        let mut copied: Vec<(u64, u32, u32)> = Vec::new();
        if let Abstract::Pointer(object, Some(start)) = *from
            && length <= MAX_BYTES
        {
            let end = start + length;
            let whole = |(at, long, _): &(u64, u32, u32)| {
                *at >= start && at.saturating_add(u64::from(*long)) <= end
            };
            let stretches: Vec<_> =
                self.names.overlapping(object, start, length).filter(whole).collect();
            let mut at = start;
            for (offset, long, index) in stretches {
                let id = self.forest.get(work.memory, MEMORY_HEIGHT, index);
                if offset >= at && index < MAX_ASPECTS && id != UNKNOWN {
                    self.copy_gap(work, object, (at, offset), start, &mut copied);
                    copied.push((offset - start, long, id));
                    at = offset + u64::from(long);
                }
            }
            self.copy_gap(work, object, (at, end), start, &mut copied);
        }
        self.forget(work, (to, reach), Some(length));
        if let Abstract::Pointer(object, Some(start)) = *to {
            for (offset, length, id) in copied {
                let aspect = Aspect::Bytes { offset: start + offset, length };
                self.set_aspect(work, object, aspect, id);
            }
        }
        Ok(())
    }

    /// The known bytes of a stretch that no single value covers.
    fn copy_gap(
        &mut self,
        work: &Work,
        object: NameId,
        (mut at, end): (u64, u64),
        start: u64,
        copied: &mut Vec<(u64, u32, u32)>,
    ) {
        while at < end {
            let long = chunk(at, end - at);
            let value = self.read(work, object, at, u64::from(long));
            let id = self.cell_of(value);
            if id == UNKNOWN && long > 1 {
                for each in at..at + u64::from(long) {
                    let value = self.read(work, object, each, 1);
                    let id = self.cell_of(value);
                    copied.push((each - start, 1, id));
                }
            } else {
                copied.push((at - start, long, id));
            }
            at += u64::from(long);
        }
    }

    /// Makes a new object. It gets a name of which the state knows nothing.
    pub(crate) fn allocate(
        &mut self,
        work: &mut Work,
        (edge, op): (EdgeId, u32),
        size: &Abstract,
        kind: AllocKind,
        zeroed: bool,
    ) -> Abstract {
        let mentioned = self.mentioned(work);
        let activation = (kind == AllocKind::Stack).then_some(work.depth);
        let mut name = Name { site: ObjectSite::Alloc(edge, op), activation, number: 0 };
        while self.names.find(name).is_some_and(|id| mentioned.contains(&id)) {
            name.number += 1;
        }
        let object = self.names.id(name);
        let life = self.cells.id(Cell::Alive(size.number()));
        self.set_aspect(work, object, Aspect::Life, life);
        if zeroed {
            let id = self.cells.id(Cell::Background(Background::Zero, Box::default()));
            self.set_aspect(work, object, Aspect::Background, id);
        }
        Abstract::Pointer(object, Some(0))
    }

    /// The objects of which a state knows something, or to which it knows a pointer.
    pub(crate) fn mentioned(&self, work: &Work) -> FxHashSet<NameId> {
        let mut found: FxHashSet<NameId> = self.reserved.iter().copied().collect();
        let (names, cells) = (&self.names, &self.cells);
        let mut pointer = |id: u32| {
            if let Some(Cell::Pointer(object, _)) = cells.get(id) {
                found.insert(*object);
            }
        };
        self.forest.each_value(work.globals, &mut pointer);
        self.forest.each_value(work.locals, &mut pointer);
        self.forest.each_value(work.below, &mut pointer);
        self.forest.each_value(work.memory, &mut pointer);
        self.forest.each(work.memory, MEMORY_HEIGHT, &mut |index, _| {
            found.insert(names.at(index).0);
        });
        found
    }

    pub(crate) fn free(
        &mut self,
        work: &mut Work,
        address: &Abstract,
        kind: AllocKind,
    ) -> Result<(), Invalid> {
        match address {
            Abstract::Known(Value::Bv(bits)) if bits.is_zero() => Ok(()),
            Abstract::Pointer(object, offset) => {
                let name = self.names.name(*object);
                let fits = match name.site {
                    ObjectSite::Initial(_) => false,
                    ObjectSite::Alloc(..) => {
                        name.activation.is_some() == (kind == AllocKind::Stack)
                    }
                };
                if !fits
                    || offset.is_some_and(|offset| offset != 0)
                    || self.has_ended(work, *object)
                {
                    return Err(Invalid);
                }
                let object = *object;
                if offset.is_none() {
                    // The address may be a null pointer, which is freed without effect.
                    self.set_aspect(work, object, Aspect::Life, UNKNOWN);
                    return Ok(());
                }
                self.forget_where(work, &|_, other, _| other == object);
                let ended = self.cells.id(Cell::Ended);
                self.set_aspect(work, object, Aspect::Life, ended);
                Ok(())
            }
            // The address may be that of any object of this kind.
            _ => {
                let stack = kind == AllocKind::Stack;
                self.forget_where(work, &|name, _, aspect| {
                    aspect == Aspect::Life && name.activation.is_some() == stack
                });
                Ok(())
            }
        }
    }

    /// Ends the objects of an activation. Nothing is known of them afterwards.
    pub(crate) fn end_objects(&mut self, work: &mut Work, depth: u32) {
        self.forget_where(work, &|name, _, _| name.activation == Some(depth));
    }

    /// The size of what is behind an address.
    pub(crate) fn size_from(&self, work: &Work, address: &Abstract) -> Option<u64> {
        match address {
            Abstract::Pointer(object, Some(offset)) => {
                let size = self.size(work, *object)?;
                let known = match self.names.name(*object).site {
                    ObjectSite::Initial(_) => true,
                    ObjectSite::Alloc(..) => !self.has_ended(work, *object),
                };
                let code = matches!(self.kind(*object), Some(ObjectKind::Code(_)));
                (known && !code && *offset <= size).then(|| size - offset)
            }
            _ => None,
        }
    }

    /// Whether a use of memory would be valid, if that is known.
    pub(crate) fn is_valid(
        &self,
        work: &Work,
        address: &Abstract,
        length: &Abstract,
        access: Access,
    ) -> Option<bool> {
        let length = match access {
            Access::Free => 0,
            Access::Read | Access::Write => length.number()?,
        };
        let (object, offset) = match address {
            _ if length == 0 && access != Access::Free => return Some(true),
            // No object is at zero, and zero is freed without effect.
            Abstract::Known(Value::Bv(bits)) if bits.is_zero() => {
                return Some(access == Access::Free);
            }
            Abstract::Pointer(object, Some(offset)) => (*object, *offset),
            _ => return None,
        };
        let name = self.names.name(object);
        let is_heap = matches!(name.site, ObjectSite::Alloc(..)) && name.activation.is_none();
        let fits = match (access, self.kind(object)) {
            (Access::Free, _) => is_heap && offset == 0,
            (_, Some(ObjectKind::Code(_))) => false,
            (Access::Write, Some(ObjectKind::ReadOnly)) => false,
            _ => true,
        };
        if !fits || self.has_ended(work, object) {
            // An offset that wraps around may make the address zero, which may be freed.
            return (access != Access::Free || offset == 0).then_some(false);
        }
        if let ObjectSite::Alloc(..) = name.site
            && !matches!(self.life(work, object), Some(Cell::Alive(_)))
        {
            return None;
        }
        if access == Access::Free {
            return Some(true);
        }
        let size = self.size(work, object)?;
        Some(offset.checked_add(length).is_some_and(|end| end <= size))
    }

    /// What is known of memory at the start: every object holds what the program gives it.
    pub(crate) fn initial_memory(&mut self, work: &mut Work) {
        let objects: Vec<ObjectId> = self
            .program
            .cfa
            .objects
            .entries()
            .filter(|(_, object)| {
                object.kind == ObjectKind::Data && matches!(object.contents, Contents::Bytes(..))
            })
            .map(|(id, _)| id)
            .collect();
        for id in objects {
            let site = ObjectSite::Initial(id);
            let object = self.names.id(Name { site, activation: None, number: 0 });
            let cell = Cell::Background(Background::Initial(id), Box::default());
            let cell = self.cells.id(cell);
            self.set_aspect(work, object, Aspect::Background, cell);
        }
    }

    /// Replaces a background by the values of these stretches, as far as the values are known.
    pub(crate) fn spell_out(&mut self, work: &mut Work, index: u32, stretches: &[(u64, u32)]) {
        let (object, _) = self.names.at(index);
        let Some((background, dirty)) = self.background(work, object) else { return };
        for (offset, length) in stretches {
            let end = offset.saturating_add(u64::from(*length));
            if !dirty.iter().any(|(from, to)| *from < end && *offset < *to) {
                let value = self.first_value(background, *offset, u64::from(*length));
                let id = self.cell_of(value);
                let aspect = Aspect::Bytes { offset: *offset, length: *length };
                self.set_aspect(work, object, aspect, id);
            }
        }
        work.memory = self.forest.set(work.memory, MEMORY_HEIGHT, index, UNKNOWN);
    }
}

/// The largest power of two, at most eight, that divides the offset and is not larger than the room.
fn chunk(at: u64, room: u64) -> u32 {
    [8_u32, 4, 2, 1]
        .into_iter()
        .find(|size| at.is_multiple_of(u64::from(*size)) && u64::from(*size) <= room)
        .unwrap_or(1)
}

fn from_bytes(bytes: &[u8]) -> Abstract {
    let mut room = [0; 16];
    match room.get_mut(..bytes.len()) {
        Some(place) if !bytes.is_empty() => {
            place.copy_from_slice(bytes);
            // The cast is exact: at most sixteen bytes.
            let width = 8 * bytes.len() as u32;
            Abstract::Known(Value::Bv(Bv::new(width, u128::from_le_bytes(room))))
        }
        _ => Abstract::Unknown,
    }
}

fn zeros(length: u64) -> Abstract {
    usize::try_from(length).map_or(Abstract::Unknown, |length| {
        if length <= 16 { from_bytes(&vec![0; length]) } else { Abstract::Unknown }
    })
}

/// The stretches with another one added; stretches that touch become one.
fn with_stretch(stretches: &[(u64, u64)], from: u64, to: u64) -> Stretches {
    let (mut from, mut to) = (from, to);
    let mut result = Vec::with_capacity(stretches.len() + 1);
    for (start, end) in stretches {
        if *end < from || *start > to {
            result.push((*start, *end));
        } else {
            from = from.min(*start);
            to = to.max(*end);
        }
    }
    result.push((from, to));
    result.sort_unstable();
    if result.len() > MAX_STRETCHES {
        // There are too many stretches: the two nearest ones become one, so the bytes between them are no longer known.
        let gap = |at: &usize| result[at + 1].0 - result[*at].1;
        if let Some(at) = (0..result.len() - 1).min_by_key(gap) {
            let (_, end) = result.remove(at + 1);
            result[at].1 = end;
        }
    }
    result.into()
}
