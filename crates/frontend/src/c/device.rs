//! Memory that changes by itself: volatile objects, and memory of devices.

use std::ops::RangeInclusive;

use base::Diagnostic;
use cfa::{Access, AssumptionKind, Choice, Fault, ObjectKind, Op, Program, Scope, stored_bytes};
use rucc_types::TypeId;
use term::{Op as Operator, Sort, TermId, Terms, Value, View};

use super::function::Lower;
use super::link::Linker;
use super::shape::Shape;
use super::storage::{Lvalue, leaf_at};
use crate::{Setting, Volatile};

/// The beginning of the words for a value that was read from a volatile object.
const VOLATILE: &str = "volatile object";

/// The words for what a device answers at an address that is not the same in all executions.
pub(super) const DEVICE: &str = "a device";

impl Linker<'_> {
    /// The stretches of addresses that belong to devices; what is next to each other is one stretch.
    fn devices(&self) -> Vec<RangeInclusive<u64>> {
        let last = if self.width() == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let known = self.options.devices.iter().filter(|range| *range.end() <= last);
        let mut known: Vec<_> = known.filter(|range| range.start() <= range.end()).collect();
        known.sort_by_key(|range| *range.start());
        let mut found: Vec<RangeInclusive<u64>> = Vec::new();
        for range in known {
            match found.last_mut() {
                Some(before) if *range.start() <= before.end().saturating_add(1) => {
                    *before = *before.start()..=*before.end().max(range.end());
                }
                _ => found.push(range.clone()),
            }
        }
        found
    }

    /// Refuses devices at addresses that do not exist, and devices that leave too little room: without an address for
    /// the program's objects nothing would be executed, and everything would be proved.
    fn refuse_devices(&mut self) {
        let last = u64::MAX >> (64 - self.width());
        let setting = self.options.wording.of(Setting::Devices);
        if let Some(range) = self.options.devices.iter().find(|range| *range.end() > last) {
            let (first, end) = (range.start(), range.end());
            let message = format!("{setting} {first:#x}-{end:#x}: the last address is {last:#x}");
            self.diagnostics.push(Diagnostic::error_without_place(message));
        }
        let bytes = |range: &RangeInclusive<u64>| u128::from(range.end() - range.start()) + 1;
        let all: u128 = self.devices().iter().map(bytes).sum();
        if all > u128::from(last) / 2 {
            let message =
                format!("{setting}: devices leave no room for the objects of the program");
            let hint = "they may have at most half of the addresses";
            self.diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
        }
    }

    /// Keeps the objects that are there from the start apart from devices.
    pub fn keep_objects_from_devices(&mut self) {
        self.refuse_devices();
        let devices = self.devices();
        let Program { cfa, terms, .. } = &mut self.program;
        let data = cfa.objects.iter().filter(|object| !matches!(object.kind, ObjectKind::Code(_)));
        let mut first = Vec::new();
        for object in data.filter(|_| !devices.is_empty()) {
            let address = terms.var(object.address);
            let size = terms.bv(cfa.address_width, u128::from(object.size));
            first.push(Op::Assume(apart(terms, &devices, address, size)));
        }
        first.append(&mut self.start);
        self.start = first;
    }

    /// Has objects that are made while the program runs not overlap devices.
    pub fn keep_made_from_devices(&mut self) {
        let devices = self.devices();
        let Program { cfa, terms, .. } = &mut self.program;
        let makes = |op: &Op| matches!(op, Op::Alloc { .. });
        for edge in cfa.edges.iter_mut().filter(|_| !devices.is_empty()) {
            if !edge.ops.iter().any(makes) {
                continue;
            }
            let mut ops = Vec::new();
            for op in &edge.ops {
                ops.push(op.clone());
                if let Op::Alloc { var, size, .. } = *op {
                    let address = terms.var(var);
                    ops.push(Op::Assume(apart(terms, &devices, address, size)));
                }
            }
            edge.ops = ops.into();
        }
    }
}

/// Where a device begins, and how many bytes it has.
fn extent(range: &RangeInclusive<u64>) -> (u64, u64) {
    // A device with all addresses is refused.
    (*range.start(), (range.end() - range.start()).saturating_add(1))
}

/// The condition that an object is apart from all devices.
fn apart(
    terms: &mut Terms,
    devices: &[RangeInclusive<u64>],
    address: TermId,
    size: TermId,
) -> TermId {
    let width = terms.width(address);
    let mut all = terms.bool(true);
    for range in devices {
        let [first, last] =
            [range.start(), range.end()].map(|bound| terms.bv(width, u128::from(*bound)));
        let room = terms.bv_sub(first, address);
        let (behind, before) = (terms.bv_ult(last, address), terms.bv_ule(address, first));
        let fits = terms.bv_ule(size, room);
        let before = terms.and2(before, fits);
        let either = terms.or2(behind, before);
        all = terms.and2(all, either);
    }
    all
}

impl Lower<'_, '_> {
    /// Reads the place of an lvalue of a type. If it is volatile, the options say whether it still
    /// holds what was written.
    pub fn read_lvalue(&mut self, place: &Lvalue, ty: TypeId, shape: Shape) -> TermId {
        let value = self.read(place, shape);
        if !self.unit.is_volatile(ty) {
            return value;
        }
        let arbitrary = self.link.options.volatile == Volatile::Arbitrary;
        let text = match arbitrary {
            true => "volatile objects hold anything whenever they are read".to_owned(),
            false => {
                let setting = self.link.options.wording.of(Setting::VolatileArbitrary);
                format!("volatile objects hold what the program has written ({setting})")
            }
        };
        self.link.program.cfa.assume(AssumptionKind::Environment, text, None);
        if !arbitrary {
            return value;
        }
        // A bit-field has fewer values than its type.
        let held = match place {
            Lvalue::Bits { bits, .. } => Some(Sort::Bv(*bits)),
            Lvalue::Var(var) => Some(self.terms().var_sort(*var)),
            Lvalue::Fields(leaves, offset) => {
                leaf_at(leaves, *offset).map(|var| self.terms().var_sort(var))
            }
            Lvalue::Memory(_) => None,
        };
        let narrow = match (held, shape) {
            (Some(Sort::Bv(bits)), Shape::Int { width, .. }) if bits < width => Some(bits),
            _ => None,
        };
        let var = self.temporary(narrow.map_or(shape.sort(), Sort::Bv));
        // For a volatile object in memory, the read before this operation tells the address; a variable is told by its
        // name.
        let known = match place {
            Lvalue::Var(var) => Some(*var),
            Lvalue::Fields(leaves, offset) => leaf_at(leaves, *offset),
            Lvalue::Bits { .. } | Lvalue::Memory(_) => None,
        };
        let known = known.map(|var| &self.link.program.cfa.variables[var]);
        let name = known.and_then(|known| known.source_name.as_deref());
        let name = name.map_or_else(|| VOLATILE.to_owned(), |name| format!("{VOLATILE} {name}"));
        self.emit(Op::Havoc { var, choice: Choice::Input(name.into()) });
        let value = self.terms().var(var);
        match narrow {
            Some(_) => self.widen(value, shape),
            None => value,
        }
    }

    /// Whether bytes from an address on belong to a device, as the options say. Only an address that is the same in all
    /// executions counts.
    pub fn is_device(&mut self, address: TermId, bytes: u64) -> bool {
        if self.link.options.devices.is_empty() || self.terms().value(address).is_none() {
            return false;
        }
        let length = self.address_constant(bytes);
        let within = self.within_device(address, length);
        within.is_some_and(|within| self.terms().is_true(within))
    }

    /// The condition that all bytes from an address on belong to a device; `None` if they surely do not.
    fn within_device(&mut self, address: TermId, length: TermId) -> Option<TermId> {
        if self.link.options.devices.is_empty() || self.is_own(address) {
            return None;
        }
        let mut found = self.terms().bool(false);
        for range in self.link.devices() {
            let (first, size) = extent(&range);
            let (first, size) = (self.address_constant(first), self.address_constant(size));
            let terms = self.terms();
            // An address below the first one is a large distance.
            let (at, room) = (terms.bv_sub(address, first), terms.bv_sub(size, length));
            let (fits, begins) = (terms.bv_ule(length, size), terms.bv_ule(at, room));
            let within = terms.and2(fits, begins);
            if !terms.is_false(within) {
                self.assume_device(&range);
            }
            found = self.terms().or2(found, within);
        }
        (!self.terms().is_false(found)).then_some(found)
    }

    /// Whether an address is computed from the address of an object of the program, which is no device.
    fn is_own(&self, address: TermId) -> bool {
        let terms = &self.link.program.terms;
        match terms.view(address) {
            View::Var(var) => {
                let scope = self.link.program.cfa.variables[var].scope;
                self.own.contains(&var) || matches!(scope, Scope::Address(_))
            }
            View::App(Operator::BvAdd, args) => args.iter().any(|arg| self.is_own(*arg)),
            _ => false,
        }
    }

    /// Emits what `otherwise` does, or, if the bytes belong to a device, what `device` does. If only the execution
    /// decides whether they do, the code branches.
    pub fn unless_device(
        &mut self,
        (address, length): (TermId, TermId),
        otherwise: impl FnOnce(&mut Self),
        device: impl FnOnce(&mut Self),
    ) {
        let Some(condition) = self.within_device(address, length) else { return otherwise(self) };
        if self.terms().is_true(condition) {
            return device(self);
        }
        let (inside, outside, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(condition, inside, outside);
        self.body.place_detached(inside);
        device(self);
        self.body.jump(join);
        self.body.place_detached(outside);
        otherwise(self);
        self.body.place(join);
    }

    /// As [`Self::unless_device`], for the bytes that a value of a sort takes.
    pub fn unless_device_has(
        &mut self,
        address: TermId,
        sort: Sort,
        otherwise: impl FnOnce(&mut Self),
        device: impl FnOnce(&mut Self),
    ) {
        let length = self.address_constant(stored_bytes(sort).unwrap_or(1));
        self.unless_device((address, length), otherwise, device);
    }

    /// Emits an operation on a block of bytes, which may be a device's: what is read there is anything, and
    /// what is written is not seen.
    pub fn emit_beside_devices(&mut self, op: Op) {
        match op {
            Op::Copy { to, from, length } => self.unless_device(
                (to, length),
                |lower| {
                    let choice = Choice::Input(DEVICE.into());
                    lower.unless_device(
                        (from, length),
                        |lower| lower.emit_plainly(Op::Copy { to, from, length }),
                        |lower| {
                            lower.emit_plainly(Op::HavocMemory { address: to, length, choice });
                        },
                    );
                },
                // Nothing is stored in the device, but the bytes that are copied must be readable.
                |lower| {
                    lower.unless_device(
                        (from, length),
                        |lower| {
                            let var = lower.temporary(Sort::Bool);
                            let access = Access::Read;
                            lower.emit_plainly(Op::Valid { var, address: from, length, access });
                            let is_there = lower.terms().var(var);
                            lower.check(is_there, Fault::InvalidAccess);
                        },
                        |_| {},
                    );
                },
            ),
            Op::Fill { address, length, .. } | Op::HavocMemory { address, length, .. } => {
                self.unless_device((address, length), |lower| lower.emit_plainly(op), |_| {});
            }
            Op::Valid { var, address, length, access } if access != Access::Free => {
                let value = self.terms().bool(true);
                self.unless_device(
                    (address, length),
                    |lower| lower.emit_plainly(op),
                    |lower| lower.emit_plainly(Op::Assign { var, value }),
                );
            }
            // An object in the memory of a device counts as ending where the device ends.
            Op::Size { var, address } => {
                let one = self.address_constant(1);
                let mut value = self.address_constant(0);
                for range in self.link.devices() {
                    let (first, size) = extent(&range);
                    let (first, size) = (self.address_constant(first), self.address_constant(size));
                    let terms = self.terms();
                    let at = terms.bv_sub(address, first);
                    let (within, rest) = (terms.bv_ult(at, size), terms.bv_sub(size, at));
                    value = terms.ite(within, rest, value);
                }
                self.unless_device(
                    (address, one),
                    |lower| lower.emit_plainly(op),
                    |lower| lower.emit_plainly(Op::Assign { var, value }),
                );
            }
            other => self.emit_plainly(other),
        }
    }

    fn assume_device(&mut self, range: &RangeInclusive<u64>) {
        let text = format!(
            "memory from {:#x} to {:#x} is a device: reads give anything, and writes are not seen",
            range.start(),
            range.end()
        );
        self.link.program.cfa.assume(AssumptionKind::Environment, text, None);
    }

    /// What a device answers.
    pub fn device_value(&mut self, address: TermId, sort: Sort) -> TermId {
        let name = match self.terms().value(address) {
            Some(Value::Bv(bits)) => format!("device {:#x}", bits.to_u64().unwrap_or_default()),
            _ => DEVICE.to_owned(),
        };
        let var = self.temporary(sort);
        self.emit(Op::Havoc { var, choice: Choice::Input(name.into()) });
        self.terms().var(var)
    }
}
