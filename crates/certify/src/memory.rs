//! Contents of objects. A content that is not known is arbitrary, but the same whenever it is read.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Contents, ObjectId, ObjectKind, Program};
use term::{TermId, Terms, Var, View};

/// How many bytes of a copy or fill are followed.
pub(crate) const MOST_BYTES: u64 = 4096;

/// Which object: one that exists from the start, or the one whose address is a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Base {
    Initial(ObjectId),
    New(Var),
}

/// What an object holds where no cell says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Background {
    Initial(ObjectId),
    Zero,
}

/// What is known of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Object {
    /// The known values by their first byte: the length and the value, a bit-vector. No two of them overlap.
    pub(crate) cells: BTreeMap<u64, (u32, TermId)>,
    pub(crate) background: Option<Background>,
    pub(crate) size: Option<u64>,
    /// Whether the object has not ended, if that is known.
    pub(crate) alive: Option<bool>,
    /// The depth of the activation with which the object ends, if it ends with an activation.
    pub(crate) depth: Option<u32>,
    /// Whether the object is on the heap.
    pub(crate) heap: bool,
}

/// What is known of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) objects: BTreeMap<Base, Object>,
}

/// An object of which nothing is known but what the program says for good.
pub(crate) fn unknown(program: &Program, base: Base) -> Object {
    let Base::Initial(id) = base else { return Object::default() };
    let object = &program.cfa.objects[id];
    // Nobody writes to what is read only.
    let constant = object.kind == ObjectKind::ReadOnly;
    Object {
        background: constant.then_some(Background::Initial(id)),
        size: Some(object.size),
        alive: Some(true),
        ..Object::default()
    }
}

impl Memory {
    /// Every object holds what the program gives it.
    pub(crate) fn initial(program: &Program) -> Self {
        let mut memory = Self::default();
        for (id, object) in program.cfa.objects.entries() {
            if object.kind == ObjectKind::Data && matches!(object.contents, Contents::Bytes(..)) {
                let base = Base::Initial(id);
                let background = Some(Background::Initial(id));
                memory.objects.insert(base, Object { background, ..unknown(program, base) });
            }
        }
        memory
    }

    pub(crate) fn get(&self, program: &Program, base: Base) -> Object {
        self.objects.get(&base).cloned().unwrap_or_else(|| unknown(program, base))
    }

    pub(crate) fn get_mut(&mut self, program: &Program, base: Base) -> &mut Object {
        self.objects.entry(base).or_insert_with(|| unknown(program, base))
    }

    /// Forgets what all objects hold.
    pub(crate) fn forget(&mut self) {
        for object in self.objects.values_mut() {
            object.forget();
        }
    }

    /// Any object that can end may have ended.
    pub(crate) fn may_end(&mut self) {
        for object in self.objects.values_mut().filter(|each| each.alive == Some(true)) {
            if object.heap || object.depth.is_some() {
                object.alive = None;
            }
        }
    }

    /// Ends the objects of an activation.
    pub(crate) fn leave(&mut self, depth: u32) {
        for object in self.objects.values_mut().filter(|object| object.depth == Some(depth)) {
            object.alive = Some(false);
        }
    }

    /// What is known of a memory that is one of two: the first one if the condition holds, otherwise the second one.
    pub(crate) fn merge(
        program: &Program,
        terms: &mut Terms,
        condition: TermId,
        (a, b): (&Memory, &Memory),
    ) -> Memory {
        let mut merged = Memory::default();
        for (base, first) in &a.objects {
            let object = match (b.objects.get(base), base) {
                (Some(second), _) if first == second => first.clone(),
                (Some(second), _) => Object::merge(program, terms, condition, first, second),
                // In a memory that does not have the object, there is no pointer to it.
                (None, Base::New(_)) => first.clone(),
                (None, Base::Initial(_)) => continue,
            };
            merged.objects.insert(*base, object);
        }
        let only = b.objects.iter().filter(|(base, _)| !a.objects.contains_key(base));
        for (base, object) in only.filter(|(base, _)| matches!(base, Base::New(_))) {
            merged.objects.insert(*base, object.clone());
        }
        merged
    }
}

impl Object {
    pub(crate) fn forget(&mut self) {
        self.cells.clear();
        self.background = None;
    }

    pub(crate) fn overlapping(&self, offset: u64, length: u64) -> Vec<(u64, u32, TermId)> {
        let end = offset.saturating_add(length);
        let below = self.cells.range(..end).rev();
        let over = below.take_while(|(at, (long, _))| at.saturating_add(u64::from(*long)) > offset);
        over.map(|(at, (long, value))| (*at, *long, *value)).collect()
    }

    /// Where values of a length may begin: at cells of this length, and at every multiple of the length in an object of
    /// known size. The set is empty if these are too many.
    pub(crate) fn starts(&self, length: u32, most: u64) -> BTreeSet<u64> {
        let cells = self.cells.iter().filter(|(_, (long, _))| *long == length);
        let mut starts: BTreeSet<u64> = cells.map(|(at, _)| *at).collect();
        let length = u64::from(length);
        if let Some(size) = self.size.filter(|size| length > 0 && size / length <= most) {
            starts.extend((0..size / length).map(|index| index * length));
        }
        if starts.len() as u64 > most { BTreeSet::new() } else { starts }
    }

    /// The value of some bytes, if all are known.
    pub(crate) fn peek(
        &self,
        program: &Program,
        terms: &mut Terms,
        offset: u64,
        length: u32,
    ) -> Option<TermId> {
        if let Some((long, value)) = self.cells.get(&offset)
            && *long == length
        {
            return Some(*value);
        }
        if self.overlapping(offset, u64::from(length)).is_empty() {
            return first(program, terms, self.background?, offset, length);
        }
        if length > 64 {
            return None;
        }
        let mut whole: Option<TermId> = None;
        for at in offset..offset.checked_add(u64::from(length))? {
            let byte = match self.overlapping(at, 1).first() {
                Some((start, _, value)) => byte_of(terms, *value, at - start),
                None => first(program, terms, self.background?, at, 1)?,
            };
            whole = Some(whole.map_or(byte, |low| terms.bv_concat(byte, low)));
        }
        whole
    }

    /// Sets some bytes.
    pub(crate) fn write(&mut self, terms: &mut Terms, offset: u64, length: u32, value: TermId) {
        self.carve(terms, offset, u64::from(length));
        self.cells.insert(offset, (length, value));
    }

    /// Takes away what cells say of some bytes, and keeps what they say of others.
    fn carve(&mut self, terms: &mut Terms, offset: u64, length: u64) {
        let end = offset.saturating_add(length);
        for (at, long, value) in self.overlapping(offset, length) {
            self.cells.remove(&at);
            for byte in at..at + u64::from(long) {
                if byte < offset || byte >= end {
                    let piece = byte_of(terms, value, byte - at);
                    self.cells.insert(byte, (1, piece));
                }
            }
        }
    }

    fn merge(
        program: &Program,
        terms: &mut Terms,
        condition: TermId,
        first: &Object,
        second: &Object,
    ) -> Object {
        let same = |a: bool| if a { first.alive } else { None };
        let mut merged = Object {
            cells: BTreeMap::new(),
            background: first.background.filter(|_| first.background == second.background),
            size: first.size.filter(|_| first.size == second.size),
            alive: same(first.alive == second.alive),
            depth: first.depth,
            heap: first.heap,
        };
        let cells = first.cells.iter().chain(&second.cells);
        for (offset, (length, _)) in cells.map(|(at, cell)| (*at, *cell)) {
            if !merged.overlapping(offset, u64::from(length)).is_empty() {
                // The cells of the two objects differ in shape, so they are merged byte by byte.
                for at in offset..offset + u64::from(length) {
                    if merged.overlapping(at, 1).is_empty() {
                        merged.either(program, terms, condition, (first, second), at, 1);
                    }
                }
            } else {
                merged.either(program, terms, condition, (first, second), offset, length);
            }
        }
        merged
    }

    /// A cell with the value that it has in one object or the other.
    fn either(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        condition: TermId,
        (first, second): (&Object, &Object),
        offset: u64,
        length: u32,
    ) {
        let a = first.peek(program, terms, offset, length);
        let b = second.peek(program, terms, offset, length);
        let value = match (a, b) {
            (Some(a), Some(b)) => terms.ite(condition, a, b),
            // Without a background, the bytes are arbitrary where no cell is, so a cell with an arbitrary value is not
            // needed.
            _ if self.background.is_none() => return,
            _ => anything(terms, length),
        };
        self.cells.insert(offset, (length, value));
    }
}

/// A bit-vector of `length` bytes of which nothing is known.
pub(crate) fn anything(terms: &mut Terms, length: u32) -> TermId {
    let name = format!("bytes#{}", terms.var_count());
    let symbol = terms.declare(name, term::Sort::Bv(8 * length));
    terms.var(symbol)
}

fn byte_of(terms: &mut Terms, value: TermId, index: u64) -> TermId {
    // A value has far fewer bytes than 2^29.
    let low = 8 * index as u32;
    terms.bv_extract(low + 7, low, value)
}

/// The value of some bytes of a background.
pub(crate) fn first(
    program: &Program,
    terms: &mut Terms,
    background: Background,
    offset: u64,
    length: u32,
) -> Option<TermId> {
    if length == 0 || length > 16 {
        return None;
    }
    let width = 8 * length;
    let Background::Initial(id) = background else { return Some(terms.bv(width, 0)) };
    let Contents::Bytes(bytes, patches) = &program.cfa.objects[id].contents else { return None };
    let end = offset.checked_add(u64::from(length))?;
    if end > program.cfa.objects[id].size {
        return None;
    }
    let long = |patch: &cfa::Patch| cfa::stored_bytes(program.terms.sort(patch.value)).unwrap_or(0);
    let mut over =
        patches.iter().filter(|patch| patch.offset < end && patch.offset + long(patch) > offset);
    match (over.next(), over.next()) {
        (None, _) => {}
        (Some(patch), None) if patch.offset <= offset && patch.offset + long(patch) >= end => {
            // The cast is exact: a patch is at most a few words.
            let low = 8 * (offset - patch.offset) as u32;
            let value = as_bits(terms, patch.value);
            return Some(terms.bv_extract(low + width - 1, low, value));
        }
        _ => return None,
    }
    let mut room = [0_u8; 16];
    for (byte, at) in room.iter_mut().zip(offset..end) {
        *byte = usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
    }
    Some(terms.bv(width, u128::from_le_bytes(room)))
}

/// A value as it is stored.
pub(crate) fn as_bits(terms: &mut Terms, value: TermId) -> TermId {
    match terms.sort(value) {
        term::Sort::Float(_) => terms.fp_to_bits(value),
        _ => value,
    }
}

/// Stored bits as a value of a sort.
pub(crate) fn from_bits(terms: &mut Terms, bits: TermId, sort: term::Sort) -> TermId {
    let term::Sort::Float(format) = sort else { return bits };
    if let View::App(term::Op::FpToBits, [value]) = terms.view(bits)
        && terms.sort(*value) == sort
    {
        return *value;
    }
    terms.fp_from_bits(format, bits)
}
