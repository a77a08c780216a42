//! What others change: volatile objects, and memory of devices.

use std::ops::RangeInclusive;

use cfa::{AssumptionKind, Choice, Op};
use rucc_types::TypeId;
use term::{Sort, TermId, Value};

use super::function::Lower;
use super::place::{Place, leaf_at};
use super::shape::Shape;
use crate::Volatile;

/// What the words for a value begin with that a volatile object was found to hold.
const VOLATILE: &str = "volatile object";

impl Lower<'_, '_> {
    /// Reads the place of an lvalue of a type. If it is volatile, the options say whether it still
    /// holds what was written.
    pub fn read_lvalue(&mut self, place: &Place, ty: TypeId, shape: Shape) -> TermId {
        let value = self.read(place, shape);
        if !self.unit.is_volatile(ty) {
            return value;
        }
        let arbitrary = self.link.options.volatile == Volatile::Arbitrary;
        let text = match arbitrary {
            true => "volatile objects hold anything whenever they are read",
            false => "volatile objects hold what the program has written (--volatile arbitrary)",
        };
        self.link.program.cfa.assume(AssumptionKind::Environment, text, None);
        if !arbitrary {
            return value;
        }
        // A bit-field has fewer values than its type.
        let held = match place {
            Place::Bits { bits, .. } => Some(Sort::Bv(*bits)),
            Place::Var(var) => Some(self.terms().var_sort(*var)),
            Place::Fields(leaves, offset) => {
                leaf_at(leaves, *offset).map(|var| self.terms().var_sort(var))
            }
            Place::Memory(_) => None,
        };
        let narrow = match (held, shape) {
            (Some(Sort::Bv(bits)), Shape::Int { width, .. }) if bits < width => Some(bits),
            _ => None,
        };
        let var = self.temporary(narrow.map_or(shape.sort(), Sort::Bv));
        // What is in memory is told by its address, which the read before says.
        let known = match place {
            Place::Var(var) => Some(*var),
            Place::Fields(leaves, offset) => leaf_at(leaves, *offset),
            Place::Bits { .. } | Place::Memory(_) => None,
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

    /// Whether an address is one of a device, which the options say. Only those count that are the
    /// same in all executions.
    pub fn is_device(&mut self, address: TermId) -> bool {
        if self.link.options.devices.is_empty() {
            return false;
        }
        let Some(Value::Bv(bits)) = self.terms().value(address) else { return false };
        let Some(address) = bits.to_u64() else { return false };
        let range =
            self.link.options.devices.iter().find(|range| range.contains(&address)).cloned();
        if let Some(range) = &range {
            self.assume_device(range);
        }
        range.is_some()
    }

    /// Whether an address that is not the same in all executions is one of a device, as a condition; none if there
    /// are no devices.
    pub fn may_be_device(&mut self, address: TermId) -> Option<TermId> {
        if self.link.options.devices.is_empty() || self.terms().value(address).is_some() {
            return None;
        }
        let width = self.link.width();
        let mut found = self.terms().bool(false);
        for range in self.link.options.devices.clone() {
            self.assume_device(&range);
            let [first, last] =
                [range.start(), range.end()].map(|bound| self.bv(width, u128::from(*bound)));
            let (above, below) =
                (self.terms().bv_ule(first, address), self.terms().bv_ule(address, last));
            let within = self.terms().and2(above, below);
            found = self.terms().or2(found, within);
        }
        Some(found)
    }

    /// Does something unless an address may be one of a device, and is; then another thing.
    pub fn unless_device(
        &mut self,
        address: TermId,
        otherwise: impl FnOnce(&mut Self),
        device: impl FnOnce(&mut Self),
    ) {
        let Some(condition) = self.may_be_device(address) else { return otherwise(self) };
        let (inside, outside, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(condition, inside, outside);
        self.body.place_detached(inside);
        device(self);
        self.body.jump(join);
        self.body.place_detached(outside);
        otherwise(self);
        self.body.place(join);
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
            _ => "device".to_owned(),
        };
        let var = self.temporary(sort);
        self.emit(Op::Havoc { var, choice: Choice::Input(name.into()) });
        self.terms().var(var)
    }
}
