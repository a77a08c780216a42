//! Lvalues: where objects are kept, reading and writing them.

use std::rc::Rc;

use cfa::{Choice, Op, stored_bytes};
use rucc_types::{RecordKind, TypeId, TypeKind};
use term::{Sort, TermId, Var};

use super::device::DEVICE;
use super::function::Lower;
use super::shape::{Kind, Shape};
use super::unit::Unit;

/// Where a declared object is kept.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// A scalar whose address nobody takes.
    Var(Var, Shape),
    /// A structure whose address nobody takes, member by member.
    Fields(Rc<[Leaf]>),
    /// An object; the variable is its address.
    Memory(Var),
}

impl Storage {
    /// The variable with the address, if it is an object.
    pub fn object(&self) -> Option<Var> {
        match self {
            Storage::Memory(var) => Some(*var),
            Storage::Var(..) | Storage::Fields(_) => None,
        }
    }
}

/// A scalar member of a structure that is kept member by member.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Bits from the start of the structure.
    pub offset: u64,
    /// Bits of the member, fewer than its type has if it is a bit-field.
    pub bits: u32,
    /// Whether it shares its bytes with others. A `_Bool` bit-field is not narrower than its type.
    pub is_bit_field: bool,
    pub shape: Shape,
    /// `.a.b`, for names.
    pub path: String,
    pub var: Option<Var>,
}

impl Leaf {
    pub fn sort(&self) -> Sort {
        match self.shape {
            Shape::Int { .. } => Sort::Bv(self.bits),
            other => other.sort(),
        }
    }
}

/// The scalar members of a structure, if it can be kept member by member: no unions and arrays,
/// in which members overlap or are chosen at run time, and not too many.
pub(super) fn leaves(unit: &Unit, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(unit, ty, 0, "", &mut found)?;
    (!found.is_empty() && found.len() <= 64).then_some(found)
}

fn collect(unit: &Unit, ty: TypeId, offset: u64, path: &str, found: &mut Vec<Leaf>) -> Option<()> {
    let TypeKind::Record(id) = unit.bare(ty) else { return None };
    let record = unit.types.record_info(id);
    if record.kind == RecordKind::Union || record.reverse || record.layout.is_none() {
        return None;
    }
    for field in &record.fields {
        let at = offset + field.offset * 8 + u64::from(field.bit);
        let name = match field.name {
            Some(name) => format!("{path}.{}", unit.name(name)),
            // An unnamed bit-field is padding, an unnamed structure lends its members.
            None if field.is_bit_field() => continue,
            None => path.to_owned(),
        };
        match unit.kind(field.ty) {
            Kind::Scalar(shape) => {
                let bits = match (field.bits, shape) {
                    (Some(bits), _) => bits,
                    (None, Shape::Int { width, .. }) => width,
                    (None, _) => 0,
                };
                let is_bit_field = field.is_bit_field();
                found.push(Leaf { offset: at, bits, is_bit_field, shape, path: name, var: None });
            }
            Kind::Aggregate => collect(unit, field.ty, at, &name, found)?,
            _ => return None,
        }
        if found.len() > 64 {
            return None;
        }
    }
    Some(())
}

/// Where an lvalue is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A variable; a bit-field's has fewer bits than its type.
    Var(Var),
    /// Part of a structure that is kept member by member, from a bit on.
    Fields(Rc<[Leaf]>, u64),
    /// Bytes from an address on.
    Memory(TermId),
    /// Bits in memory: from the byte at the address skip `skip` bits and take `bits`.
    Bits { address: TermId, skip: u32, bits: u32 },
}

impl Lower<'_, '_> {
    /// The place that storage is.
    pub fn stored(&mut self, storage: &Storage) -> Place {
        match storage {
            Storage::Var(var, _) => Place::Var(*var),
            Storage::Fields(leaves) => Place::Fields(leaves.clone(), 0),
            Storage::Memory(address) => Place::Memory(self.terms().var(*address)),
        }
    }

    /// The value of a scalar place.
    pub fn read(&mut self, place: &Place, shape: Shape) -> TermId {
        match place {
            Place::Var(var) => {
                self.check_set(*var);
                let value = self.terms().var(*var);
                self.widen(value, shape)
            }
            Place::Memory(address) if self.is_device(*address, bytes_of(shape.stored())) => {
                let value = self.device_value(*address, shape.stored());
                self.as_loaded(value, shape)
            }
            Place::Memory(address) => {
                let sort = shape.stored();
                let var = self.temporary(sort);
                let address = *address;
                let choice = Choice::Input(DEVICE.into());
                self.unless_device_has(
                    address,
                    sort,
                    |lower| lower.emit(Op::Load { var, address }),
                    |lower| lower.emit(Op::Havoc { var, choice }),
                );
                let value = self.terms().var(var);
                self.as_loaded(value, shape)
            }
            Place::Bits { address, skip, bits } => {
                let loaded = self.load_bits(*address, *skip, *bits);
                self.check_shadow(*address, *skip, *bits);
                let value = self.terms().bv_extract(skip + bits - 1, *skip, loaded);
                self.widen(value, shape)
            }
            Place::Fields(leaves, offset) => match leaf_at(leaves, *offset) {
                Some(var) => self.read(&Place::Var(var), shape),
                None => self.nothing("an unusual access to a structure", shape),
            },
        }
    }

    fn load_bits(&mut self, address: TermId, skip: u32, bits: u32) -> TermId {
        let sort = Sort::Bv((skip + bits).div_ceil(8) * 8);
        if self.is_device(address, bytes_of(sort)) {
            return self.device_value(address, sort);
        }
        let var = self.temporary(sort);
        let choice = Choice::Input(DEVICE.into());
        self.unless_device_has(
            address,
            sort,
            // Bits beside those that are meant need not be set.
            |lower| lower.copying(|lower| lower.emit(Op::Load { var, address })),
            |lower| lower.emit(Op::Havoc { var, choice }),
        );
        self.terms().var(var)
    }

    /// A value with fewer bits than its type, extended as the type says.
    pub fn widen(&mut self, value: TermId, shape: Shape) -> TermId {
        match shape {
            Shape::Int { width, signed: true, .. } => self.terms().bv_sign_extend(width, value),
            Shape::Int { width, .. } => self.terms().bv_zero_extend(width, value),
            _ => value,
        }
    }

    /// The value that stored bytes stand for.
    pub fn as_loaded(&mut self, value: TermId, shape: Shape) -> TermId {
        match shape {
            Shape::Int { .. } if shape.is_bool() => {
                let zero = self.bv(8, 0);
                let set = self.terms().ne(value, zero);
                self.zero_or_one(set, shape)
            }
            Shape::Int { width, .. } => self.terms().bv_extract(width - 1, 0, value),
            _ => value,
        }
    }

    /// The bytes to store for a value.
    pub fn as_stored(&mut self, value: TermId, shape: Shape) -> TermId {
        match shape {
            Shape::Int { signed: true, bytes, .. } => self.terms().bv_sign_extend(bytes * 8, value),
            Shape::Int { bytes, .. } => self.terms().bv_zero_extend(bytes * 8, value),
            _ => value,
        }
    }

    /// Writes a scalar place, and gives the value that the place then has.
    pub fn write(&mut self, place: &Place, value: TermId, shape: Shape) -> TermId {
        match place {
            Place::Var(var) => {
                let kept = match (self.terms().var_sort(*var), shape) {
                    (Sort::Bv(bits), Shape::Int { .. }) => {
                        self.check_bit_field(value, bits, shape);
                        self.terms().bv_extract(bits - 1, 0, value)
                    }
                    _ => value,
                };
                self.emit(Op::Assign { var: *var, value: kept });
                self.note_set(*var, true);
                // The term may read the variable that has just changed.
                let now =
                    if self.terms().value(kept).is_some() { kept } else { self.terms().var(*var) };
                self.widen(now, shape)
            }
            // What the bits beside it are does not matter to anybody.
            Place::Bits { address, skip, bits }
                if self.is_device(*address, u64::from((skip + bits).div_ceil(8))) =>
            {
                value
            }
            Place::Memory(address) => {
                let stored = self.as_stored(value, shape);
                let store = Op::Store { address: *address, value: stored };
                let sort = self.terms().sort(stored);
                self.unless_device_has(*address, sort, |lower| lower.emit(store), |_| {});
                value
            }
            Place::Bits { address, skip, bits } => {
                let (skip, bits) = (*skip, *bits);
                self.check_bit_field(value, bits, shape);
                let kept = self.terms().bv_extract(bits - 1, 0, value);
                let whole = (skip + bits).div_ceil(8) * 8;
                let mut stored = kept;
                if whole != bits {
                    let old = self.load_bits(*address, skip, bits);
                    if skip > 0 {
                        let low = self.terms().bv_extract(skip - 1, 0, old);
                        stored = self.terms().bv_concat(stored, low);
                    }
                    if whole > skip + bits {
                        let high = self.terms().bv_extract(whole - 1, skip + bits, old);
                        stored = self.terms().bv_concat(high, stored);
                    }
                }
                let store = Op::Store { address: *address, value: stored };
                let sort = self.terms().sort(stored);
                self.unless_device_has(*address, sort, |lower| lower.body.emit(store), |_| {});
                let truth = self.terms().bool(true);
                self.mark_set(place, shape, truth);
                self.widen(kept, shape)
            }
            Place::Fields(leaves, offset) => match leaf_at(leaves, *offset) {
                Some(var) => self.write(&Place::Var(var), value, shape),
                None => self.nothing("an unusual access to a structure", shape),
            },
        }
    }

    /// The place of a part of an aggregate, `offset` bytes and `skip` bits from its start.
    pub fn part(&mut self, base: &Place, offset: u64, skip: u32, bits: Option<u32>) -> Place {
        match base {
            Place::Memory(address) => {
                let address = self.offset(*address, offset);
                match bits {
                    Some(bits) => Place::Bits { address, skip, bits },
                    None => Place::Memory(address),
                }
            }
            Place::Fields(leaves, start) => {
                Place::Fields(leaves.clone(), start + offset * 8 + u64::from(skip))
            }
            other => other.clone(),
        }
    }

    /// Copies an aggregate of `size` bytes.
    pub fn copy(&mut self, to: &Place, from: &Place, ty: TypeId) {
        let size = self.unit.size(ty).unwrap_or(0);
        match (to, from) {
            (Place::Memory(to), Place::Memory(from)) => {
                if size > 0 && to != from {
                    let length = self.address_constant(size);
                    self.emit(Op::Copy { to: *to, from: *from, length });
                }
            }
            (Place::Fields(leaves, start), other) => {
                for leaf in covered(leaves, *start, size) {
                    let source = self.leaf_part(other, leaf.offset - start, &leaf);
                    let target = Place::Var(leaf.var.expect("storage has variables"));
                    self.copy_member(&target, &source, leaf.shape);
                }
            }
            (other, Place::Fields(leaves, start)) => {
                for leaf in covered(leaves, *start, size) {
                    let source = Place::Var(leaf.var.expect("storage has variables"));
                    let target = self.leaf_part(other, leaf.offset - start, &leaf);
                    self.copy_member(&target, &source, leaf.shape);
                }
            }
            _ => self.unsupported("an unusual copy of a structure"),
        }
    }

    /// Copies a member with its structure, set or not.
    fn copy_member(&mut self, to: &Place, from: &Place, shape: Shape) {
        let is_set = self.is_set(from, shape);
        let value = self.copying(|lower| lower.read(from, shape));
        self.write(to, value, shape);
        self.mark_set(to, shape, is_set);
    }

    fn leaf_part(&mut self, base: &Place, bit: u64, leaf: &Leaf) -> Place {
        self.part(base, bit / 8, (bit % 8) as u32, leaf.is_bit_field.then_some(leaf.bits))
    }

    /// Gives a place any value.
    pub fn havoc(&mut self, place: &Place, ty: TypeId, choice: &Choice) {
        match place {
            Place::Var(var) => {
                self.emit(Op::Havoc { var: *var, choice: choice.clone() });
                self.note_set(*var, *choice != Choice::Uninitialised);
            }
            Place::Fields(leaves, start) => {
                for leaf in covered(leaves, *start, self.unit.size(ty).unwrap_or(0)) {
                    let var = leaf.var.expect("storage has variables");
                    self.emit(Op::Havoc { var, choice: choice.clone() });
                    self.note_set(var, *choice != Choice::Uninitialised);
                }
            }
            Place::Memory(address) => {
                let length = self.size_term(ty);
                self.emit(Op::HavocMemory { address: *address, length, choice: choice.clone() });
            }
            Place::Bits { .. } => self.unsupported("an arbitrary bit-field"),
        }
    }

    /// The address of an aggregate, which is put into memory if it is not there.
    pub fn in_memory(&mut self, place: &Place, ty: TypeId) -> TermId {
        match place {
            Place::Memory(address) => *address,
            other => {
                let address = self.scratch(ty);
                self.copy(&Place::Memory(address), other, ty);
                address
            }
        }
    }
}

/// How many bytes a value takes.
fn bytes_of(sort: Sort) -> u64 {
    stored_bytes(sort).unwrap_or(1)
}

pub(super) fn leaf_at(leaves: &[Leaf], offset: u64) -> Option<Var> {
    leaves.iter().find(|leaf| leaf.offset == offset).and_then(|leaf| leaf.var)
}

/// The members in `size` bytes from a bit on.
fn covered(leaves: &Rc<[Leaf]>, start: u64, size: u64) -> Vec<Leaf> {
    let end = start + size * 8;
    leaves.iter().filter(|leaf| leaf.offset >= start && leaf.offset < end).cloned().collect()
}
