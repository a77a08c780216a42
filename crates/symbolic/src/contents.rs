//! The bytes of an object, as terms.
//!
//! Values that were written at constant offsets are kept as cells, so that reading one back gives
//! the very term that was written. When an offset is not a constant, the contents become an array
//! term. Its elements have the size in which the object is accessed, and its indices just as many
//! bits as the object needs: accesses past the end never count, since they end the execution.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{Id as _, IndexVec};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{ArrayValue, Bv, Op, Sort, TermId, Terms, Value, Var, View};

use crate::ids::{ObjectIndex, Source};
use crate::named::Named;
use crate::object::Objects;

/// The bytes of an object.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Contents {
    /// Values that were written at constant offsets since `under` was last replaced: bit-vectors of whole bytes that do
    /// not overlap.
    cells: BTreeMap<u64, TermId>,
    under: Under,
}

/// The bytes of an object where no cell is.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Under {
    /// These bytes, then zeros.
    Bytes(Rc<[u8]>),
    /// Arbitrary bytes.
    Open(Source),
    Array(TermId),
}

/// The parts of an executor that reading and writing contents needs.
pub(crate) struct Access<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) objects: &'a mut Objects,
    pub(crate) arrays: &'a mut FxHashMap<(Source, ObjectIndex), TermId>,
    pub(crate) sources: &'a IndexVec<Source, bool>,
    pub(crate) foreign: &'a mut FxHashSet<Var>,
    pub(crate) forgotten: &'a mut FxHashSet<Var>,
    pub(crate) address_width: u32,
}

impl Contents {
    pub(crate) fn new(under: Under) -> Self {
        Self { cells: BTreeMap::new(), under }
    }

    /// Reads `length` bytes.
    pub(crate) fn load(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        offset: TermId,
        length: u64,
    ) -> TermId {
        if let Some(at) = access.terms.number(offset) {
            return self.load_at(access, object, at, length);
        }
        let array = self.as_array(access, object, offset, length);
        access.read(object, array, offset, length)
    }

    fn load_at(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        at: u64,
        length: u64,
    ) -> TermId {
        if let Some(cell) = self.cells.get(&at)
            && bytes_of(access.terms, *cell) == length
        {
            return *cell;
        }
        // The value is put together from the lowest byte up, from pieces that are as large as the cells allow.
        let mut result: Option<TermId> = None;
        let (mut from, end) = (at, at.saturating_add(length));
        while from < end {
            let (piece, to) = match self.cell_over(access.terms, from) {
                Some((start, cell)) => {
                    let to = end.min(start + bytes_of(access.terms, cell));
                    (part(access.terms, cell, from - start, to - start), to)
                }
                None => {
                    let next = self.cells.range(from..end).next().map_or(end, |(next, _)| *next);
                    (self.load_under(access, object, from, next - from), next)
                }
            };
            result = Some(match result {
                Some(low) => access.terms.bv_concat(piece, low),
                None => piece,
            });
            from = to;
        }
        result.unwrap_or_else(|| access.terms.bv(8, 0))
    }

    /// The cell that holds a byte, with its offset.
    fn cell_over(&self, terms: &Terms, at: u64) -> Option<(u64, TermId)> {
        let (start, cell) = self.cells.range(..=at).next_back()?;
        (at < start + bytes_of(terms, *cell)).then_some((*start, *cell))
    }

    fn load_under(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        at: u64,
        length: u64,
    ) -> TermId {
        if let Under::Bytes(bytes) = &self.under {
            let from = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
            let to = from.saturating_add(length as usize).min(bytes.len());
            let value = number(&bytes[from..to], 8 * length as u32);
            return access.terms.bv_value(value);
        }
        let offset = access.terms.bv(access.address_width, u128::from(at));
        let array = self.under_array(access, object, offset, length);
        access.read(object, array, offset, length)
    }

    /// Writes a value where the condition holds.
    pub(crate) fn store(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        offset: TermId,
        value: TermId,
        condition: TermId,
    ) {
        let length = bytes_of(access.terms, value);
        if let Some(at) = access.terms.number(offset) {
            let value = if access.terms.is_true(condition) {
                value
            } else {
                let old = self.load_at(access, object, at, length);
                access.terms.ite(condition, value, old)
            };
            self.clear(access.terms, at, length);
            self.cells.insert(at, value);
            return;
        }
        let array = self.as_array(access, object, offset, length);
        let array = access.write(object, array, offset, value, condition);
        self.under = Under::Array(array);
    }

    /// Removes the cells of a stretch, and keeps the parts of these cells that are outside of the stretch.
    fn clear(&mut self, terms: &mut Terms, at: u64, length: u64) {
        let end = at.saturating_add(length);
        let first = self.cell_over(terms, at).map_or(at, |(start, _)| start);
        let hit: Vec<(u64, TermId)> =
            self.cells.range(first..end).map(|(start, cell)| (*start, *cell)).collect();
        for (start, cell) in hit {
            self.cells.remove(&start);
            let stop = start + bytes_of(terms, cell);
            if start < at {
                let low = part(terms, cell, 0, at - start);
                self.cells.insert(start, low);
            }
            if stop > end {
                let high = part(terms, cell, end - start, stop - start);
                self.cells.insert(end, high);
            }
        }
    }

    /// Makes every byte arbitrary.
    pub(crate) fn open(&mut self, source: Source) {
        self.cells.clear();
        self.under = Under::Open(source);
    }

    /// The contents as one array, which an access at an offset is about to use.
    fn as_array(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        offset: TermId,
        length: u64,
    ) -> TermId {
        let mut array = self.under_array(access, object, offset, length);
        let truth = access.terms.bool(true);
        for (at, cell) in std::mem::take(&mut self.cells) {
            let offset = access.terms.bv(access.address_width, u128::from(at));
            array = access.write(object, array, offset, cell, truth);
        }
        self.under = Under::Array(array);
        array
    }

    /// What is under the cells, as an array.
    fn under_array(
        &mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        offset: TermId,
        length: u64,
    ) -> TermId {
        if access.objects.table[object].unit.is_none() {
            let mut unit = log2(length).min(trailing_zeros(access.terms, offset, 0));
            for (at, cell) in &self.cells {
                unit = unit.min(log2(*at)).min(log2(bytes_of(access.terms, *cell)));
            }
            access.objects.table[object].unit = Some(unit.min(3));
        }
        let array = match &self.under {
            Under::Array(array) => *array,
            Under::Open(source) => access.open_array(*source, object),
            Under::Bytes(bytes) => access.constant_array(object, bytes),
        };
        self.under = Under::Array(array);
        array
    }

    /// Replaces the values that differ from those in other contents by what `name` gives for them.
    pub(crate) fn name_changes(
        &mut self,
        before: Option<&Contents>,
        object: ObjectIndex,
        terms: &mut Terms,
        name: &mut dyn FnMut(&mut Terms, TermId, Named) -> TermId,
    ) {
        for (offset, cell) in &mut self.cells {
            if before.is_none_or(|before| before.cells.get(offset) != Some(cell)) {
                *cell = name(terms, *cell, Named::Cell { object, offset: *offset });
            }
        }
        if let Under::Array(array) = self.under
            && before.is_none_or(|before| before.under != self.under)
        {
            self.under = Under::Array(name(terms, array, Named::Array { object }));
        }
    }

    /// The contents that are these where the condition holds, and others where it does not.
    pub(crate) fn merge(
        mut self,
        access: &mut Access<'_>,
        object: ObjectIndex,
        condition: TermId,
        mut other: Contents,
    ) -> Contents {
        if self == other {
            return self;
        }
        if self.under == other.under {
            // For each value that one of the two contents has, a choice between the bytes there in both.
            let cells = self.cells.iter().chain(&other.cells);
            let mut spots: Vec<(u64, u64)> =
                cells.map(|(at, cell)| (*at, bytes_of(access.terms, *cell))).collect();
            spots.sort_unstable();
            spots.dedup();
            let overlap = spots.windows(2).any(|two| two[0].0 + two[0].1 > two[1].0);
            if !overlap {
                for (at, length) in spots {
                    let mine = self.load_at(access, object, at, length);
                    let theirs = other.load_at(access, object, at, length);
                    let value = access.terms.ite(condition, mine, theirs);
                    self.cells.insert(at, value);
                }
                return self;
            }
        }
        let zero = access.terms.bv(access.address_width, 0);
        let mine = self.as_array(access, object, zero, 8);
        let theirs = other.as_array(access, object, zero, 8);
        let array = access.terms.ite(condition, mine, theirs);
        Contents::new(Under::Array(array))
    }
}

impl Access<'_> {
    /// The bits of an index, the bytes of an element as a power of two, and the array's sort.
    fn layout(&mut self, object: ObjectIndex) -> (u32, u32, Sort) {
        let known = &self.objects.table[object];
        let unit = known.unit.unwrap_or(0);
        let index = match known.bytes {
            Some(bytes) => 64 - (bytes.max(2) - 1).leading_zeros(),
            None => self.address_width,
        };
        let index = index.min(self.address_width).max(unit + 1) - unit;
        let sort = self.terms.array_sort(Sort::Bv(index), Sort::Bv(8 << unit));
        (index, unit, sort)
    }

    fn open_array(&mut self, source: Source, object: ObjectIndex) -> TermId {
        if let Some(array) = self.arrays.get(&(source, object)) {
            return *array;
        }
        let (_, _, sort) = self.layout(object);
        let name = format!("memory#{}.{}", object.index(), source.index());
        let var = self.terms.declare(name, sort);
        if self.sources[source] {
            self.foreign.insert(var);
            self.forgotten.insert(var);
        }
        let array = self.terms.var(var);
        self.arrays.insert((source, object), array);
        array
    }

    fn constant_array(&mut self, object: ObjectIndex, bytes: &[u8]) -> TermId {
        let (index, unit, sort) = self.layout(object);
        let Sort::Array(array_sort) = sort else { return self.terms.bool(false) };
        let mut value = ArrayValue::new(array_sort, Value::Bv(Bv::zero(8 << unit)));
        for (at, word) in bytes.chunks(1 << unit).enumerate() {
            let word = number(word, 8 << unit);
            if !word.is_zero() {
                value.set(Value::Bv(Bv::new(index, at as u128)), Value::Bv(word));
            }
        }
        self.terms.constant(Value::Array(Box::new(value)))
    }

    /// The number of an element, for a byte at an offset.
    fn index(&mut self, object: ObjectIndex, offset: TermId) -> TermId {
        let (index, unit, _) = self.layout(object);
        self.terms.bv_extract(unit + index - 1, unit, offset)
    }

    /// The offset plus a number of bytes.
    fn past(&mut self, offset: TermId, bytes: u64) -> TermId {
        let bytes = self.terms.bv(self.address_width, u128::from(bytes));
        self.terms.bv_add(offset, bytes)
    }

    /// Whether an access consists of whole elements.
    fn is_whole(&mut self, object: ObjectIndex, offset: TermId, length: u64) -> bool {
        let (_, unit, _) = self.layout(object);
        log2(length) >= unit && trailing_zeros(self.terms, offset, 0) >= unit
    }

    /// Reads bytes of an array.
    fn read(&mut self, object: ObjectIndex, array: TermId, offset: TermId, length: u64) -> TermId {
        let whole = self.is_whole(object, offset, length);
        let (_, unit, _) = self.layout(object);
        let step = if whole { 1_u64 << unit } else { 1 };
        let mut result: Option<TermId> = None;
        for byte in (0..length).step_by(step as usize) {
            let at = self.past(offset, byte);
            let index = self.index(object, at);
            let mut piece = self.terms.select(array, index);
            if !whole && unit > 0 {
                let shift = self.shift(at, unit);
                piece = self.terms.bv_lshr(piece, shift);
                piece = self.terms.bv_extract(7, 0, piece);
            }
            result = Some(match result {
                Some(low) => self.terms.bv_concat(piece, low),
                None => piece,
            });
        }
        result.unwrap_or_else(|| self.terms.bv(8, 0))
    }

    /// Writes a value to an array where the condition holds.
    fn write(
        &mut self,
        object: ObjectIndex,
        mut array: TermId,
        offset: TermId,
        value: TermId,
        condition: TermId,
    ) -> TermId {
        let length = bytes_of(self.terms, value);
        let whole = self.is_whole(object, offset, length);
        let (_, unit, _) = self.layout(object);
        let step = if whole { 1_u64 << unit } else { 1 };
        for byte in (0..length).step_by(step as usize) {
            let at = self.past(offset, byte);
            let index = self.index(object, at);
            let mut piece = part(self.terms, value, byte, byte + step);
            if !whole && unit > 0 {
                let old = self.terms.select(array, index);
                let shift = self.shift(at, unit);
                let mask = self.terms.bv(8 << unit, 0xff);
                let mask = self.terms.bv_shl(mask, shift);
                let keep = self.terms.bv_not(mask);
                let kept = self.terms.bv_and(old, keep);
                let wide = self.terms.bv_zero_extend(8 << unit, piece);
                let moved = self.terms.bv_shl(wide, shift);
                piece = self.terms.bv_or(kept, moved);
            }
            if !self.terms.is_true(condition) {
                let old = self.terms.select(array, index);
                piece = self.terms.ite(condition, piece, old);
            }
            array = self.terms.store(array, index, piece);
        }
        array
    }

    /// By how many bits a byte at an offset is up in its element.
    fn shift(&mut self, offset: TermId, unit: u32) -> TermId {
        let low = self.terms.bv_extract(unit - 1, 0, offset);
        let zeros = self.terms.bv(3, 0);
        let bits = self.terms.bv_concat(low, zeros);
        self.terms.bv_zero_extend(8 << unit, bits)
    }
}

/// The bytes `from..to` of a value, counted from the lowest.
fn part(terms: &mut Terms, value: TermId, from: u64, to: u64) -> TermId {
    // The casts are exact: no value has that many bits.
    terms.bv_extract(8 * to as u32 - 1, 8 * from as u32, value)
}

fn bytes_of(terms: &Terms, value: TermId) -> u64 {
    u64::from(terms.width(value) / 8)
}

/// A bit-vector from bytes, the lowest first; bytes that are missing are zero.
fn number(bytes: &[u8], width: u32) -> Bv {
    Bv::from_biguint(width, &BigUint::from_bytes_le(bytes))
}

/// The exponent of the largest power of two that divides a number; large for zero.
fn log2(number: u64) -> u32 {
    number.trailing_zeros()
}

/// How many of the lowest bits of a term are surely zero.
fn trailing_zeros(terms: &Terms, term: TermId, depth: u32) -> u32 {
    if depth > 12 {
        return 0;
    }
    let of = |term: &TermId| trailing_zeros(terms, *term, depth + 1);
    match terms.view(term) {
        View::Const(Value::Bv(bits)) => {
            (0..bits.width()).find(|at| bits.bit(*at)).unwrap_or(bits.width())
        }
        View::App(Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor, args) => {
            args.iter().map(of).min().unwrap_or(0)
        }
        View::App(Op::BvMul, args) => args.iter().map(of).sum(),
        View::App(Op::BvAnd, args) => args.iter().map(of).max().unwrap_or(0),
        View::App(Op::BvNeg | Op::BvZeroExtend(_) | Op::BvSignExtend(_), args) => of(&args[0]),
        View::App(Op::Ite, args) => of(&args[1]).min(of(&args[2])),
        View::App(Op::BvShl, args) => {
            let by = terms.number(args[1]).and_then(|by| u32::try_from(by).ok()).unwrap_or(0);
            of(&args[0]).saturating_add(by)
        }
        View::App(Op::BvConcat, args) => {
            let low = of(&args[1]);
            if low >= terms.width(args[1]) { low + of(&args[0]) } else { low }
        }
        _ => 0,
    }
}
