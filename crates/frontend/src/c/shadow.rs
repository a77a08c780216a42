//! Which bytes of memory have been set, where a check asks for this.
//!
//! Every object is followed by as many bytes as it has itself, at a distance that is the same for all
//! objects: its shadow. A set bit of the shadow says that the same bit of the object has never been
//! written. A write clears bits of the shadow, a copy copies object and shadow (so that copying is no use
//! of the value), and a read whose shadow is not zero is a fault. An access that leaves the object would
//! leave the shadow, too, so that accesses are as valid as without shadows.

use cfa::{
    Choice, Contents, Fault, ObjectKind, Op, Program, Reading, Scope, Variable, stored_bytes,
};
use rucc_sema::{Conversion, DeclId, DeclKind, ExprId, ExprKind};
use term::{Sort, TermId, Value, Var};

use super::body::Mark;
use super::function::Lower;
use super::link::Linker;
use super::link::Shadows;
use super::shape::Shape;
use super::storage::{Lvalue, leaf_at};

/// The distance of an object from its shadow, unless an object of the program needs a larger one.
const DISTANCE: u64 = 1 << 16;

/// The reason where an object is larger than the distance: it is not known which of its bytes are set.
const TOO_LARGE: &str = "whether the bytes of an object of this size are set";

impl Linker<'_> {
    /// Has the program follow from its start on which bytes of memory are set.
    pub fn follow_memory(&mut self) {
        let mut largest = 0;
        for unit in &self.units {
            for at in 0..unit.tast.counts().decls {
                let decl = DeclId::from_usize(at);
                if unit.tast[decl].kind == DeclKind::Object {
                    let size = unit.size(unit.tast[decl].ty).unwrap_or(0);
                    largest = largest.max(size.saturating_add(unit.tast.extent(decl)));
                }
            }
        }
        // An execution ends with [`TOO_LARGE`] where a larger object is made.
        let distance = largest.min(1 << 24).next_power_of_two().max(DISTANCE);
        let variable = Variable {
            scope: Scope::Global,
            reading: Reading::Plain,
            source_name: None,
            span: None,
        };
        let returned = self.program.declare("@returned", Sort::Bool, variable);
        let value = self.program.terms.bool(true);
        self.start.push(Op::Assign { var: returned, value });
        self.program.cfa.shadow = distance;
        self.shadows = Some(Shadows { distance, returned });
    }

    /// Marks the contents of objects that exist from the start as set.
    pub fn set_objects(&mut self) {
        let Some(Shadows { distance, .. }) = self.shadows else { return };
        let width = self.width();
        let mut first = Vec::new();
        for object in &self.program.cfa.objects {
            if matches!(object.kind, ObjectKind::Code(_)) {
                continue;
            }
            if object.size > distance {
                first.push(Op::Unsupported(TOO_LARGE.into()));
            }
            if matches!(object.contents, Contents::Arbitrary) {
                let terms = &mut self.program.terms;
                let base = terms.var(object.address);
                let by = terms.bv(width, u128::from(distance));
                let address = terms.bv_add(base, by);
                let (byte, length) = (terms.bv(8, 0), terms.bv(width, u128::from(object.size)));
                first.push(Op::Fill { address, byte, length });
            }
        }
        first.append(&mut self.start);
        self.start = first;
    }

    /// Makes all objects that exist from the start as large as they have to be with their shadows.
    pub fn enlarge_objects(&mut self) {
        let Some(Shadows { distance, .. }) = self.shadows else { return };
        let Program { cfa, terms, .. } = &mut self.program;
        for object in cfa.objects.iter_mut() {
            if !matches!(object.kind, ObjectKind::Code(_)) {
                object.size = object.size.saturating_add(distance);
            }
        }
        let by = terms.bv(cfa.address_width, u128::from(distance));
        for edge in cfa.edges.iter_mut() {
            for op in edge.ops.iter_mut() {
                if let Op::Alloc { size, .. } = op {
                    *size = terms.bv_add(*size, by);
                }
            }
        }
    }
}

impl Lower<'_, '_> {
    /// The address of the bits for the bytes at an address.
    fn shadow(&mut self, shadows: Shadows, address: TermId) -> TermId {
        self.offset(address, shadows.distance)
    }

    /// Emits an operation, and its effect on the bits that say which bytes are set.
    pub fn emit_followed(&mut self, shadows: Shadows, op: Op) {
        match op {
            Op::Load { var, address } => {
                // Behind the end of an object there are no bits, so that an access there is found when the bits are
                // read, which is before the bytes are read.
                let bytes = stored_bytes(self.terms().var_sort(var)).unwrap_or(1) as u32;
                let bits = (!self.copies).then(|| self.load_shadow(shadows, address, 8 * bytes));
                self.body.emit(op);
                if let Some(bits) = bits {
                    self.check_bits(bits);
                }
            }
            Op::Store { address, value } => {
                self.body.emit(op);
                let bytes = stored_bytes(self.terms().sort(value)).unwrap_or(1) as u32;
                let value = self.bv(8 * bytes, 0);
                let address = self.shadow(shadows, address);
                self.body.emit(Op::Store { address, value });
            }
            Op::Copy { to, from, length } => {
                self.body.emit(op);
                let (to, from) = (self.shadow(shadows, to), self.shadow(shadows, from));
                self.body.emit(Op::Copy { to, from, length });
            }
            Op::Fill { address, length, .. } => {
                self.body.emit(op);
                self.fill_shadow(shadows, address, length, 0);
            }
            Op::HavocMemory { address, length, ref choice } => {
                let choice = choice.clone();
                self.body.emit(op);
                self.havoc_shadow(shadows, address, length, choice);
            }
            // It is not known what is written, and the bits are in the memory that changes.
            Op::HavocReachable { roots, choice } => {
                let choice = match choice {
                    Choice::Input(name) | Choice::External(name) => Choice::Approximated(name),
                    other => other,
                };
                self.body.emit(Op::HavocReachable { roots, choice });
            }
            Op::Size { var, .. } => {
                self.body.emit(op);
                self.without_shadow(shadows, var);
            }
            // An object is larger than it seems, and an address in its shadow is no address of the object.
            Op::Valid { var, address, length, access } => {
                self.body.emit(op);
                let followed = self.temporary(Sort::Bool);
                let address = self.shadow(shadows, address);
                self.body.emit(Op::Valid { var: followed, address, length, access });
                let (own, followed) = (self.terms().var(var), self.terms().var(followed));
                let value = self.terms().and2(own, followed);
                self.body.emit(Op::Assign { var, value });
            }
            Op::Alloc { var, size, zeroed, .. } => {
                self.end_if_too_large(shadows, size);
                self.body.emit(op);
                if !zeroed {
                    let address = self.terms().var(var);
                    self.fill_shadow(shadows, address, size, 0xff);
                }
            }
            other => self.body.emit(other),
        }
    }

    /// Sets the bits of bytes that a choice has filled.
    fn havoc_shadow(&mut self, shadows: Shadows, address: TermId, length: TermId, choice: Choice) {
        match choice {
            Choice::Uninitialised => self.fill_shadow(shadows, address, length, 0xff),
            // It is not known how many of the bytes are written.
            Choice::Approximated(_) => {
                let address = self.shadow(shadows, address);
                self.body.emit(Op::HavocMemory { address, length, choice });
            }
            Choice::Input(_) | Choice::External(_) => {
                self.fill_shadow(shadows, address, length, 0);
            }
        }
    }

    /// Takes the bits behind the bytes of an object off the size that a variable holds.
    fn without_shadow(&mut self, shadows: Shadows, size: Var) {
        let distance = self.address_constant(shadows.distance);
        let (zero, whole) = (self.address_constant(0), self.terms().var(size));
        let is_there = self.terms().bv_ule(distance, whole);
        let rest = self.terms().bv_sub(whole, distance);
        let value = self.terms().ite(is_there, rest, zero);
        self.body.emit(Op::Assign { var: size, value });
    }

    /// Ends executions in which an object would be larger than the distance from an object to its shadow.
    fn end_if_too_large(&mut self, shadows: Shadows, size: TermId) {
        let distance = self.address_constant(shadows.distance);
        let fits = self.terms().bv_ule(size, distance);
        if !self.terms().is_true(fits) {
            let (follows, large) = (self.body.label(), self.body.label());
            self.branch_on(fits, follows, large);
            self.body.place_detached(large);
            self.body.end(Op::Unsupported(TOO_LARGE.into()));
            self.body.place_detached(follows);
        }
    }

    /// Emits the allocation of an object of known size at the entry of the function.
    pub fn allocate_at_entry(&mut self, op: Op) {
        self.own.extend(op.assigned());
        if let (Some(shadows), &Op::Alloc { var, size, .. }) = (self.link.shadows, &op) {
            let known = match self.terms().value(size) {
                Some(Value::Bv(bits)) => bits.to_u64(),
                _ => None,
            };
            if known.is_none_or(|size| size > shadows.distance) {
                self.body.at_entry(Op::Unsupported(TOO_LARGE.into()));
            }
            self.body.at_entry(op);
            let address = self.terms().var(var);
            let address = self.shadow(shadows, address);
            let byte = self.bv(8, 0xff);
            return self.body.at_entry(Op::Fill { address, byte, length: size });
        }
        self.body.at_entry(op);
    }

    fn fill_shadow(&mut self, shadows: Shadows, address: TermId, length: TermId, bits: u128) {
        let (address, byte) = (self.shadow(shadows, address), self.bv(8, bits));
        self.body.emit(Op::Fill { address, byte, length });
    }

    fn load_shadow(&mut self, shadows: Shadows, address: TermId, width: u32) -> TermId {
        let sort = Sort::Bv(width);
        let var = self.temporary(sort);
        let (at, value) = (self.shadow(shadows, address), self.bv(width, 0));
        self.unless_device_has(
            address,
            sort,
            |lower| lower.body.emit(Op::Load { var, address: at }),
            // What a device answers is set.
            |lower| lower.body.emit(Op::Assign { var, value }),
        );
        self.terms().var(var)
    }

    fn store_shadow(&mut self, shadows: Shadows, address: TermId, value: TermId) {
        let (at, sort) = (self.shadow(shadows, address), self.terms().sort(value));
        let store = Op::Store { address: at, value };
        self.unless_device_has(address, sort, |lower| lower.body.emit(store), |_| {});
    }

    fn check_bits(&mut self, bits: TermId) {
        let width = self.terms().width(bits);
        let zero = self.bv(width, 0);
        let holds = self.terms().eq(bits, zero);
        self.check(holds, Fault::Uninitialised);
    }

    /// Marks that bits of memory are read, which must have been set.
    pub fn check_shadow(&mut self, address: TermId, skip: u32, bits: u32) {
        let Some(shadows) = self.link.shadows.filter(|_| !self.copies) else { return };
        let loaded = self.load_shadow(shadows, address, (skip + bits).div_ceil(8) * 8);
        let read = self.terms().bv_extract(skip + bits - 1, skip, loaded);
        self.check_bits(read);
    }

    /// Runs `inside`; reads in it count as copies, so that what they read need not be set.
    pub fn copying<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.copies, true);
        let result = inside(self);
        self.copies = outer;
        result
    }

    /// Whether all of a scalar place has been set, as far as the place is followed.
    pub fn is_set(&mut self, place: &Lvalue, shape: Shape) -> TermId {
        let truth = self.terms().bool(true);
        let loaded = match (place, self.link.shadows) {
            (Lvalue::Var(var), _) => match self.set.get(var).copied() {
                Some(set) => {
                    // The variable may change before its value is used.
                    let is_set = self.terms().var(set);
                    return self.snapshot(is_set);
                }
                None => return truth,
            },
            (Lvalue::Fields(leaves, offset), _) => match leaf_at(leaves, *offset) {
                Some(var) => return self.is_set(&Lvalue::Var(var), shape),
                None => return truth,
            },
            (_, None) => return truth,
            (Lvalue::Memory(address), Some(shadows)) => {
                let bytes = stored_bytes(shape.stored()).unwrap_or(1) as u32;
                self.load_shadow(shadows, *address, 8 * bytes)
            }
            (&Lvalue::Bits { address, skip, bits }, Some(shadows)) => {
                let loaded = self.load_shadow(shadows, address, (skip + bits).div_ceil(8) * 8);
                self.terms().bv_extract(skip + bits - 1, skip, loaded)
            }
        };
        let width = self.terms().width(loaded);
        let zero = self.bv(width, 0);
        let is_set = self.terms().eq(loaded, zero);
        self.snapshot(is_set)
    }

    /// Notes whether all of a scalar place has been set by a write to it.
    pub fn mark_set(&mut self, place: &Lvalue, shape: Shape, is_set: TermId) {
        match (place, self.link.shadows) {
            (Lvalue::Var(var), _) => {
                if let Some(&set) = self.set.get(var) {
                    self.emit(Op::Assign { var: set, value: is_set });
                }
            }
            (Lvalue::Fields(leaves, offset), _) => {
                if let Some(var) = leaf_at(leaves, *offset) {
                    self.mark_set(&Lvalue::Var(var), shape, is_set);
                }
            }
            (_, None) => {}
            (Lvalue::Memory(address), Some(shadows)) => {
                let bytes = stored_bytes(shape.stored()).unwrap_or(1) as u32;
                let (none, all) = (self.bv(8 * bytes, 0), self.bv(8 * bytes, u128::MAX));
                let value = self.terms().ite(is_set, none, all);
                self.store_shadow(shadows, *address, value);
            }
            (&Lvalue::Bits { address, skip, bits }, Some(shadows)) => {
                let whole = (skip + bits).div_ceil(8) * 8;
                let old = self.load_shadow(shadows, address, whole);
                let mask = self.bv(whole, ((1 << bits) - 1) << skip);
                let keep = self.terms().bv_not(mask);
                let (cleared, marked) =
                    (self.terms().bv_and(old, keep), self.terms().bv_or(old, mask));
                let value = self.terms().ite(is_set, cleared, marked);
                self.store_shadow(shadows, address, value);
            }
        }
    }

    /// The place and the shape of the byte that an expression reads, if the expression does nothing else.
    fn byte_read(&self, mut expr: ExprId) -> Option<(ExprId, Shape)> {
        self.link.shadows?;
        loop {
            match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                    let ty = self.unit.tast[operand].ty;
                    let shape = self.unit.shape(ty).filter(|_| !self.unit.is_volatile(ty))?;
                    return is_byte(shape).then_some((operand, shape));
                }
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand)
                    if self.unit.shape(self.unit.tast[expr].ty).is_some_and(is_byte) =>
                {
                    expr = operand;
                }
                _ => return None,
            }
        }
    }

    /// If an assignment does nothing but copy a byte, copies it and gives `true`. C lets bytes be copied that were
    /// never set.
    pub fn copies_byte(&mut self, lhs: ExprId, rhs: ExprId) -> bool {
        let Some(shape) = self.unit.shape(self.unit.tast[lhs].ty) else { return false };
        let Some((from, from_shape)) = self.byte_read(rhs).filter(|_| is_byte(shape)) else {
            return false;
        };
        if self.unit.bit_field_width(lhs).is_some() {
            return false;
        }
        let right = |lower: &mut Self, later: Option<ExprId>| {
            let place = lower.place(from);
            let (value, is_set) = lower.read_byte(&place, from_shape);
            match later {
                Some(later) => (lower.keep(value, later), is_set),
                None => (value, is_set),
            }
        };
        let part = |lower: &Self, since: Mark, byte: &(TermId, TermId)| {
            lower.done_since(since, &[byte.0, byte.1])
        };
        let (to, byte) = self.in_order((lhs, rhs), false, None, right, part);
        self.write_byte(&to, shape, byte, from_shape);
        true
    }

    /// If an initialiser of a byte only reads another byte: this byte, and the shape with which it was read.
    pub fn byte_of(&mut self, value: ExprId, to: Shape) -> Option<((TermId, TermId), Shape)> {
        let (from, shape) = self.byte_read(value).filter(|_| is_byte(to))?;
        let place = self.place(from);
        Some((self.read_byte(&place, shape), shape))
    }

    /// A byte, and whether it has been set. Reading the byte does not count as a use.
    fn read_byte(&mut self, place: &Lvalue, shape: Shape) -> (TermId, TermId) {
        let is_set = self.is_set(place, shape);
        (self.copying(|lower| lower.read(place, shape)), is_set)
    }

    /// Writes a byte, set or not, to a place. Where it is not followed whether the place is set, the byte must be set.
    pub fn write_byte(
        &mut self,
        to: &Lvalue,
        to_shape: Shape,
        byte: (TermId, TermId),
        from: Shape,
    ) {
        let is_followed = |var: Option<Var>| var.is_some_and(|var| self.set.contains_key(&var));
        let is_followed = match to {
            Lvalue::Var(var) => is_followed(Some(*var)),
            Lvalue::Fields(leaves, offset) => is_followed(leaf_at(leaves, *offset)),
            Lvalue::Memory(_) => true,
            Lvalue::Bits { .. } => false,
        };
        let (value, is_set) = byte;
        if !is_followed && !self.terms().is_true(is_set) {
            self.check(is_set, Fault::Uninitialised);
        }
        let value = self.convert_silently(value, from, to_shape);
        self.write(to, value, to_shape);
        self.mark_set(to, to_shape, is_set);
    }

    /// Exchanges two bytes, set or not.
    pub fn exchange(&mut self, left: TermId, right: TermId) {
        let byte = Shape::Int { width: 8, signed: false, bytes: 1 };
        let places = [left, right].map(Lvalue::Memory);
        let [a, b] = places.clone().map(|place| {
            let is_set = self.is_set(&place, byte);
            (self.copying(|lower| lower.read(&place, byte)), is_set)
        });
        for (place, (value, is_set)) in places.iter().zip([b, a]) {
            self.write(place, value, byte);
            self.mark_set(place, byte, is_set);
        }
    }

    /// The function ends without giving a value back: its result is anything.
    pub fn end_without_value(&mut self) {
        let result = self.link.program.cfa.functions[self.signature.function].results.first();
        if let Some(&var) = result {
            self.emit(Op::Havoc { var, choice: Choice::Uninitialised });
            self.note_no_value();
        }
    }

    /// Notes that no value is given back.
    pub fn note_no_value(&mut self) {
        if let Some(Shadows { returned, .. }) = self.link.shadows {
            let value = self.terms().bool(false);
            self.emit(Op::Assign { var: returned, value });
        }
    }

    /// Called behind a call: if the value of the call is used, the function must have given a value back.
    pub fn after_value(&mut self, is_used: bool) {
        if let Some(Shadows { returned, .. }) = self.link.shadows {
            if is_used {
                let holds = self.terms().var(returned);
                self.check(holds, Fault::Uninitialised);
            }
            let value = self.terms().bool(true);
            self.emit(Op::Assign { var: returned, value });
        }
    }

    /// Marks all bytes of an object of the frame as not set.
    pub fn forget(&mut self, address: TermId, size: u64) {
        if let Some(shadows) = self.link.shadows {
            let length = self.address_constant(size);
            self.fill_shadow(shadows, address, length, 0xff);
        }
    }
}

fn is_byte(shape: Shape) -> bool {
    matches!(shape, Shape::Int { width: 8, bytes: 1, .. })
}
