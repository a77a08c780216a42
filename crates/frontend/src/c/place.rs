//! Lvalues: where objects are kept, reading and writing them.

use std::rc::Rc;

use cfa::{Choice, Op, stored_bytes};
use rucc_types::TypeId;
use term::{Sort, TermId};

use super::device::DEVICE;
use super::function::Lower;
use super::shape::Shape;
use super::storage::{Leaf, Lvalue, Storage, leaf_at};

impl Lower<'_, '_> {
    /// The place of an object, by where the object is kept.
    pub fn stored(&mut self, storage: &Storage) -> Lvalue {
        match storage {
            Storage::Var(var, _) => Lvalue::Var(*var),
            Storage::Fields(leaves) => Lvalue::Fields(leaves.clone(), 0),
            Storage::Memory(address) => Lvalue::Memory(self.terms().var(*address)),
        }
    }

    /// The value of a scalar place.
    pub fn read(&mut self, place: &Lvalue, shape: Shape) -> TermId {
        match place {
            Lvalue::Var(var) => {
                self.check_set(*var);
                let value = self.terms().var(*var);
                self.widen(value, shape)
            }
            Lvalue::Memory(address) if self.is_device(*address, bytes_of(shape.stored())) => {
                let value = self.device_value(*address, shape.stored());
                self.as_loaded(value, shape)
            }
            Lvalue::Memory(address) => {
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
            Lvalue::Bits { address, skip, bits } => {
                let loaded = self.load_bits(*address, *skip, *bits);
                self.check_shadow(*address, *skip, *bits);
                let value = self.terms().bv_extract(skip + bits - 1, *skip, loaded);
                self.widen(value, shape)
            }
            Lvalue::Fields(leaves, offset) => match leaf_at(leaves, *offset) {
                Some(var) => self.read(&Lvalue::Var(var), shape),
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
    pub fn write(&mut self, place: &Lvalue, value: TermId, shape: Shape) -> TermId {
        match place {
            Lvalue::Var(var) => {
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
            // The bits beside the bit-field do not matter to a device.
            Lvalue::Bits { address, skip, bits }
                if self.is_device(*address, u64::from((skip + bits).div_ceil(8))) =>
            {
                value
            }
            Lvalue::Memory(address) => {
                let stored = self.as_stored(value, shape);
                let store = Op::Store { address: *address, value: stored };
                let sort = self.terms().sort(stored);
                self.unless_device_has(*address, sort, |lower| lower.emit(store), |_| {});
                value
            }
            Lvalue::Bits { address, skip, bits } => {
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
            Lvalue::Fields(leaves, offset) => match leaf_at(leaves, *offset) {
                Some(var) => self.write(&Lvalue::Var(var), value, shape),
                None => self.nothing("an unusual access to a structure", shape),
            },
        }
    }

    /// The place of a part of an aggregate, `offset` bytes and `skip` bits from its start.
    pub fn part(&mut self, base: &Lvalue, offset: u64, skip: u32, bits: Option<u32>) -> Lvalue {
        match base {
            Lvalue::Memory(address) => {
                let address = self.offset(*address, offset);
                match bits {
                    Some(bits) => Lvalue::Bits { address, skip, bits },
                    None => Lvalue::Memory(address),
                }
            }
            Lvalue::Fields(leaves, start) => {
                Lvalue::Fields(leaves.clone(), start + offset * 8 + u64::from(skip))
            }
            other => other.clone(),
        }
    }

    /// Copies an aggregate of `size` bytes.
    pub fn copy(&mut self, to: &Lvalue, from: &Lvalue, ty: TypeId) {
        let size = self.unit.size(ty).unwrap_or(0);
        match (to, from) {
            (Lvalue::Memory(to), Lvalue::Memory(from)) => {
                if size > 0 && to != from {
                    let length = self.address_constant(size);
                    self.emit(Op::Copy { to: *to, from: *from, length });
                }
            }
            (Lvalue::Fields(leaves, start), other) => {
                for leaf in covered(leaves, *start, size) {
                    let source = self.leaf_part(other, leaf.offset - start, &leaf);
                    let target = Lvalue::Var(leaf.var.expect("storage has variables"));
                    self.copy_member(&target, &source, leaf.shape);
                }
            }
            (other, Lvalue::Fields(leaves, start)) => {
                for leaf in covered(leaves, *start, size) {
                    let source = Lvalue::Var(leaf.var.expect("storage has variables"));
                    let target = self.leaf_part(other, leaf.offset - start, &leaf);
                    self.copy_member(&target, &source, leaf.shape);
                }
            }
            _ => self.unsupported("an unusual copy of a structure"),
        }
    }

    /// Copies a member with its structure, set or not.
    fn copy_member(&mut self, to: &Lvalue, from: &Lvalue, shape: Shape) {
        let is_set = self.is_set(from, shape);
        let value = self.copying(|lower| lower.read(from, shape));
        self.write(to, value, shape);
        self.mark_set(to, shape, is_set);
    }

    fn leaf_part(&mut self, base: &Lvalue, bit: u64, leaf: &Leaf) -> Lvalue {
        self.part(base, bit / 8, (bit % 8) as u32, leaf.is_bit_field.then_some(leaf.bits))
    }

    /// Gives a place any value.
    pub fn havoc(&mut self, place: &Lvalue, ty: TypeId, choice: &Choice) {
        match place {
            Lvalue::Var(var) => {
                self.emit(Op::Havoc { var: *var, choice: choice.clone() });
                self.note_set(*var, *choice != Choice::Uninitialised);
            }
            Lvalue::Fields(leaves, start) => {
                for leaf in covered(leaves, *start, self.unit.size(ty).unwrap_or(0)) {
                    let var = leaf.var.expect("storage has variables");
                    self.emit(Op::Havoc { var, choice: choice.clone() });
                    self.note_set(var, *choice != Choice::Uninitialised);
                }
            }
            Lvalue::Memory(address) => {
                let length = self.size_term(ty);
                self.emit(Op::HavocMemory { address: *address, length, choice: choice.clone() });
            }
            Lvalue::Bits { .. } => self.unsupported("an arbitrary bit-field"),
        }
    }

    /// The address of an aggregate, which is put into memory if it is not there.
    pub fn in_memory(&mut self, place: &Lvalue, ty: TypeId) -> TermId {
        match place {
            Lvalue::Memory(address) => *address,
            other => {
                let address = self.scratch(ty);
                self.copy(&Lvalue::Memory(address), other, ty);
                address
            }
        }
    }
}

/// How many bytes a value takes.
fn bytes_of(sort: Sort) -> u64 {
    stored_bytes(sort).unwrap_or(1)
}

/// The members in `size` bytes from a bit on.
fn covered(leaves: &Rc<[Leaf]>, start: u64, size: u64) -> Vec<Leaf> {
    let end = start + size * 8;
    leaves.iter().filter(|leaf| leaf.offset >= start && leaf.offset < end).cloned().collect()
}
