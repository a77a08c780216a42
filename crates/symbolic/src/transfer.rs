//! What each operation does to a state.

use std::rc::Rc;

use base::Id as _;
use cfa::{AllocKind, Choice, EdgeId, Op, Scope, StorageKind};
use term::{Sort, TermId, Terms, Var};

use crate::contents::{Access, Contents, Under};
use crate::event::Happening;
use crate::execute::{Executor, access};
use crate::ids::ObjectIndex;
use crate::object::FixedObject;
use crate::parts::Target;
use crate::reading::Reading;
use crate::state::{Slot, State};

/// The most bytes that a copy or fill of variable length is unrolled to.
const MAX_UNROLLED: u64 = 1024;

/// The most bytes that such a copy or fill is unrolled to where the size of the object is not known or is larger: a
/// longer copy or fill is not followed.
const MAX_OPEN: u64 = 256;

/// The most bytes that a copy or fill of constant length touches one by one.
const MAX_BYTES: u64 = 1 << 16;

impl Executor<'_> {
    /// Performs an operation that is not a call. `None` if no execution goes on.
    pub(crate) fn perform(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        edge: EdgeId,
        number: u32,
        op: &Op,
    ) -> Option<()> {
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let condition = self.eval(terms, state, *condition);
                let condition = self.compare(terms, condition);
                self.restrict(terms, state, condition)
            }
            Op::Assign { var, value } => {
                let mut value = self.eval(terms, state, *value);
                if terms.sort(value) == Sort::Bool {
                    value = self.compare(terms, value);
                }
                self.assign(state, *var, Slot::Term(value));
                Some(())
            }
            Op::Havoc { var, choice } => {
                let symbol = self.fresh(terms, *var, choice);
                self.assign(state, *var, Slot::Term(symbol));
                let choice = choice.clone();
                self.event(state, number, Happening::Input { edge, symbol, choice });
                Some(())
            }
            Op::Load { var, address } => {
                let address = self.eval(terms, state, *address);
                let sort = terms.var_sort(*var);
                let Some(length) = cfa::stored_bytes(sort) else {
                    return self.unsupported(state, edge, number, "a load of this sort");
                };
                let value = self.load(terms, state, (edge, number), address, length)?;
                let value = match sort {
                    Sort::Float(format) => terms.fp_from_bits(format, value),
                    _ => value,
                };
                self.assign(state, *var, Slot::Term(value));
                Some(())
            }
            Op::Store { address, value } => {
                let address = self.eval(terms, state, *address);
                let value = self.eval(terms, state, *value);
                let value = self.stored(terms, value);
                self.store(terms, state, (edge, number), address, value)
            }
            Op::Copy { to, from, length } => {
                let to = self.eval(terms, state, *to);
                let from = self.eval(terms, state, *from);
                let length = self.eval(terms, state, *length);
                self.copy(terms, state, (edge, number), to, from, length)
            }
            Op::Fill { address, byte, length } => {
                let address = self.eval(terms, state, *address);
                let byte = self.eval(terms, state, *byte);
                let length = self.eval(terms, state, *length);
                self.fill(terms, state, (edge, number), address, length, &mut |_, _| byte)
            }
            Op::HavocMemory { address, length, choice } => {
                let address = self.eval(terms, state, *address);
                let length = self.eval(terms, state, *length);
                self.havoc_memory(terms, state, (edge, number), address, length, choice)
            }
            Op::HavocReachable { choice, .. } => self.havoc_reachable(terms, state, choice),
            Op::Size { var, address } => {
                let address = self.eval(terms, state, *address);
                let size = self.size(terms, state, address);
                self.assign(state, *var, Slot::Term(size));
                Some(())
            }
            Op::Valid { var, address, length, access } => {
                let address = self.eval(terms, state, *address);
                let length = self.eval(terms, state, *length);
                let valid = self.valid(terms, state, address, length, *access);
                self.assign(state, *var, Slot::Term(valid));
                Some(())
            }
            Op::Alloc { var, size, align, kind, zeroed } => {
                let size = self.eval(terms, state, *size);
                self.allocate(terms, state, number, *var, size, (*align, *kind, *zeroed))
            }
            Op::Free { address, kind } => {
                let address = self.eval(terms, state, *address);
                self.free(terms, state, (edge, number), address, (*kind).into())
            }
            Op::Output { function, arguments } => {
                if &**function == "printf" && arguments.len() > 1 {
                    let format = self.eval(terms, state, arguments[0]);
                    if !self.only_prints(terms, format) {
                        let reason = "a format that may store something";
                        return self.unsupported(state, edge, number, reason);
                    }
                }
                Some(())
            }
            Op::Exit(_) | Op::Abort => None,
            Op::Unsupported(reason) => self.unsupported(state, edge, number, reason),
            // A call is the only operation of its edge, and whoever takes the edge enters it.
            Op::Call { .. } => self.unsupported(state, edge, number, "a call among operations"),
        }
    }

    /// Bytes take any values.
    fn havoc_memory(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        (edge, number): (EdgeId, u32),
        address: TermId,
        length: TermId,
        choice: &Choice,
    ) -> Option<()> {
        let mut symbols: Vec<Var> = Vec::new();
        let done = self.fill(terms, state, (edge, number), address, length, &mut |terms, _| {
            let var = terms.declare("byte#", Sort::Bv(8));
            symbols.push(var);
            terms.var(var)
        });
        if is_foreign(choice) {
            self.foreign.extend(&symbols);
        }
        let symbols = symbols.into_iter().map(|symbol| terms.var(symbol)).collect();
        self.event(state, number, Happening::Bytes { edge, address, symbols });
        done
    }

    fn unsupported(
        &mut self,
        state: &State,
        edge: EdgeId,
        number: u32,
        reason: &str,
    ) -> Option<()> {
        let reason = reason.to_owned();
        self.event(state, number, Happening::Unsupported { reason, edge: Some(edge) });
        None
    }

    /// Ends an execution in the middle of an operation if it has to halt.
    fn go_on(&mut self, state: &State, (edge, number): (EdgeId, u32)) -> Option<()> {
        match self.is_halted() {
            true => self.unsupported(state, edge, number, "an operation that was interrupted"),
            false => Some(()),
        }
    }

    /// Whether a format is a constant string without a conversion that stores (`%n`).
    fn only_prints(&mut self, terms: &mut Terms, format: TermId) -> bool {
        let parts = self.parts(terms, format);
        let prints = |target: &Target| {
            let object = self.cfa.objects.get(cfa::ObjectId::from_index(target.object.index()));
            object.is_some_and(printf::only_prints)
        };
        parts.plain.is_empty() && parts.targets.iter().all(prints)
    }

    /// Goes on only where a condition holds.
    fn restrict(&mut self, terms: &mut Terms, state: &mut State, condition: TermId) -> Option<()> {
        state.guard = self.guards.extend(terms, state.guard, condition)?;
        Some(())
    }

    fn fresh(&mut self, terms: &mut Terms, var: Var, choice: &Choice) -> TermId {
        let name = format!("{}#{}", terms.var_name(var), terms.var_count());
        let symbol = terms.declare(name, terms.var_sort(var));
        if is_foreign(choice) {
            self.foreign.insert(symbol);
        }
        terms.var(symbol)
    }

    /// Restricts a state to executions whose access is inside a live object of a fitting kind. An
    /// access that is surely outside of every object is inconclusive: it ends the execution, and the
    /// author of the program may have meant something by it.
    fn access(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        length: u64,
        write: bool,
    ) -> Option<Vec<Target>> {
        let targets = self.valid_targets(terms, state, place, address, length, write)?;
        if targets.is_empty() {
            return self.outside(state, place);
        }
        Some(targets)
    }

    /// No execution goes on from an access outside of every object.
    fn outside<T>(&mut self, state: &State, place: (EdgeId, u32)) -> Option<T> {
        self.unsupported(state, place.0, place.1, "an access outside of every object");
        None
    }

    /// Restricts a state as `access` does. An access that is surely outside of every object has no targets here.
    fn valid_targets(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        length: u64,
        write: bool,
    ) -> Option<Vec<Target>> {
        let (mut targets, foreign) = self.targets(terms, state, address);
        let mut valid = terms.bool(false);
        targets.retain(|target| {
            let kind = self.objects.table[target.object].kind;
            let fits = match kind {
                StorageKind::Code => false,
                StorageKind::ReadOnly => !write,
                StorageKind::Data | StorageKind::Heap | StorageKind::Stack => true,
            };
            let Some(alive) = state.memory.alive(target.object).filter(|_| fits) else {
                return false;
            };
            let inside = self.inside(terms, target, length);
            let here = terms.and(&[target.condition, alive, inside]);
            valid = terms.or2(valid, here);
            !terms.is_false(here)
        });
        if foreign && !terms.is_true(valid) {
            // The address may point to memory that the program does not know, and then everything is open.
            let elsewhere = terms.not(valid);
            if let Some(guard) = self.guards.extend(terms, state.guard, elsewhere) {
                let elsewhere = State { guard, ..state.clone() };
                let reason = "an access through a pointer of unknown origin";
                self.unsupported(&elsewhere, place.0, place.1, reason);
            }
        }
        if targets.is_empty() && !foreign {
            return Some(targets);
        }
        self.restrict(terms, state, valid)?;
        Some(targets)
    }

    /// Whether a stretch from an offset is inside an object.
    fn inside(&mut self, terms: &mut Terms, target: &Target, length: u64) -> TermId {
        if Some(target.object) == self.region {
            return self.in_region(terms, target.offset, length);
        }
        let known = &self.objects.table[target.object];
        let width = self.cfa.address_width;
        match (known.bytes, terms.number(target.offset)) {
            (Some(bytes), Some(offset)) => {
                terms.bool(offset.checked_add(length).is_some_and(|end| end <= bytes))
            }
            (Some(bytes), None) => match bytes.checked_sub(length) {
                Some(last) => {
                    let last = terms.bv(width, u128::from(last));
                    terms.bv_ule(target.offset, last)
                }
                None => terms.bool(false),
            },
            (None, _) => {
                let size = known.size;
                let length = terms.bv(width, u128::from(length));
                let enough = terms.bv_ule(length, size);
                let last = terms.bv_sub(size, length);
                let below = terms.bv_ule(target.offset, last);
                terms.and2(enough, below)
            }
        }
    }

    fn load(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        length: u64,
    ) -> Option<TermId> {
        let targets = self.access(terms, state, place, address, length, false)?;
        let mut result: Option<TermId> = None;
        for target in targets.iter().rev() {
            let value = self.read_bytes(terms, state, target.object, target.offset, length);
            result = Some(match result {
                Some(other) => terms.ite(target.condition, value, other),
                None => value,
            });
        }
        result
    }

    fn read_bytes(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        object: ObjectIndex,
        offset: TermId,
        length: u64,
    ) -> TermId {
        if Some(object) == self.region && self.reading == Reading::Loose {
            return self.read_loosely(terms, offset, length);
        }
        let mut access = access!(self, terms);
        let read = state
            .memory
            .change(object, |known| known.contents.load(&mut access, object, offset, length));
        // Only objects that have begun are targets.
        read.unwrap_or_else(|| terms.bv(8 * length as u32, 0))
    }

    fn store(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        value: TermId,
    ) -> Option<()> {
        let length = u64::from(terms.width(value) / 8);
        let targets = self.access(terms, state, place, address, length, true)?;
        let alone = targets.len() == 1;
        for target in targets {
            // With one target only, the access is valid nowhere else.
            let when = if alone { terms.bool(true) } else { target.condition };
            self.write_bytes(terms, state, target.object, target.offset, value, when);
        }
        Some(())
    }

    fn write_bytes(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        object: ObjectIndex,
        offset: TermId,
        value: TermId,
        when: TermId,
    ) {
        if Some(object) == self.region && self.reading == Reading::Loose {
            return self.write_loosely(terms, offset, value, when);
        }
        let mut access = access!(self, terms);
        state.memory.change(object, |known| {
            known.contents.store(&mut access, object, offset, value, when);
        });
    }

    /// The largest number of bytes that a copy or fill of variable length is unrolled to, and whether no object
    /// at the address has room for more bytes. `None` for a pointer from outside or to no object.
    fn room(&mut self, terms: &mut Terms, state: &State, address: TermId) -> Option<(u64, bool)> {
        let (targets, foreign) = self.targets(terms, state, address);
        if foreign || targets.is_empty() {
            return None;
        }
        let sizes = targets.iter().map(|target| self.objects.bytes(target.object));
        let largest = sizes.map(|size| size.unwrap_or(u64::MAX)).max().unwrap_or(0);
        Some(if largest <= MAX_UNROLLED { (largest, true) } else { (MAX_OPEN, false) })
    }

    /// Restricts a state to executions where a length is within the room. Longer ones end outside of
    /// every object if the room is all that there is, and are not followed otherwise.
    fn within(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        length: TermId,
        (most, is_all): (u64, bool),
        what: &str,
    ) -> Option<()> {
        let fits = self.at_most(terms, length, most);
        if !is_all {
            let longer = terms.not(fits);
            if let Some(guard) = self.guards.extend(terms, state.guard, longer) {
                let longer = State { guard, ..state.clone() };
                self.unsupported(&longer, place.0, place.1, what);
            }
        }
        self.restrict(terms, state, fits)
    }

    fn copy(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        to: TermId,
        from: TermId,
        length: TermId,
    ) -> Option<()> {
        let width = self.cfa.address_width;
        if let Some(length) = terms.number(length) {
            if length == 0 {
                return Some(());
            }
            if length > MAX_BYTES {
                return self.unsupported(state, place.0, place.1, "a copy of that many bytes");
            }
            self.access(terms, state, place, to, length, true)?;
            self.access(terms, state, place, from, length, false)?;
            // In pieces as large as a cell is likely to be, all read before any is written.
            let mut pieces = Vec::new();
            let mut at = 0;
            while at < length {
                self.go_on(state, place)?;
                let size = piece(at, length);
                let offset = terms.bv(width, u128::from(at));
                let source = terms.bv_add(from, offset);
                pieces.push((offset, self.load(terms, state, place, source, size)?));
                at += size;
            }
            for (offset, value) in pieces {
                self.go_on(state, place)?;
                let target = terms.bv_add(to, offset);
                self.store(terms, state, place, target, value)?;
            }
            return Some(());
        }
        let (Some(there), Some(here)) =
            (self.room(terms, state, to), self.room(terms, state, from))
        else {
            return self.unsupported(state, place.0, place.1, "a copy of unknown length");
        };
        // Of two equal lengths the one counts beyond which nothing fits.
        let room = if (there.0, !there.1) <= (here.0, !here.1) { there } else { here };
        self.within(terms, state, place, length, room, "a copy of a length that may be large")?;
        let most = room.0;
        let mut bytes = Vec::new();
        for at in 0..most {
            self.go_on(state, place)?;
            let (offset, counts) = self.counts(terms, at, length);
            let source = terms.bv_add(from, offset);
            let byte = self.load_if(terms, state, place, source, counts)?;
            bytes.push((offset, counts, byte));
        }
        for (offset, counts, byte) in bytes {
            self.go_on(state, place)?;
            let target = terms.bv_add(to, offset);
            self.store_if(terms, state, place, target, byte, counts)?;
        }
        Some(())
    }

    /// Writes one byte after the other, each as `byte` gives it.
    fn fill(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        length: TermId,
        byte: &mut dyn FnMut(&mut Terms, u64) -> TermId,
    ) -> Option<()> {
        let width = self.cfa.address_width;
        if let Some(length) = terms.number(length) {
            if length == 0 {
                return Some(());
            }
            if length > MAX_BYTES {
                return self.unsupported(state, place.0, place.1, "a fill of that many bytes");
            }
            self.access(terms, state, place, address, length, true)?;
            let mut at = 0;
            while at < length {
                self.go_on(state, place)?;
                let size = piece(at, length);
                let mut value = byte(terms, at);
                for next in 1..size {
                    let high = byte(terms, at + next);
                    value = terms.bv_concat(high, value);
                }
                let offset = terms.bv(width, u128::from(at));
                let target = terms.bv_add(address, offset);
                self.store(terms, state, place, target, value)?;
                at += size;
            }
            return Some(());
        }
        let Some(room) = self.room(terms, state, address) else {
            return self.unsupported(state, place.0, place.1, "a fill of unknown length");
        };
        self.within(terms, state, place, length, room, "a fill of a length that may be large")?;
        let most = room.0;
        for at in 0..most {
            self.go_on(state, place)?;
            let (offset, counts) = self.counts(terms, at, length);
            let target = terms.bv_add(address, offset);
            let value = byte(terms, at);
            self.store_if(terms, state, place, target, value, counts)?;
        }
        Some(())
    }

    /// The offset of a byte, and whether it is among the first `length`.
    fn counts(&mut self, terms: &mut Terms, at: u64, length: TermId) -> (TermId, TermId) {
        let offset = terms.bv(self.cfa.address_width, u128::from(at));
        (offset, terms.bv_ult(offset, length))
    }

    /// Whether a length is at most so many bytes: more cannot be inside the object.
    fn at_most(&mut self, terms: &mut Terms, length: TermId, most: u64) -> TermId {
        let most = terms.bv(self.cfa.address_width, u128::from(most));
        terms.bv_ule(length, most)
    }

    /// The byte at an address if the condition holds, otherwise anything.
    fn load_if(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        condition: TermId,
    ) -> Option<TermId> {
        let targets = self.access_if(terms, state, place, address, condition, false)?;
        let mut result = terms.bv(8, 0);
        for target in targets {
            let value = self.read_bytes(terms, state, target.object, target.offset, 1);
            result = terms.ite(target.condition, value, result);
        }
        Some(result)
    }

    /// Writes a byte if the condition holds.
    fn store_if(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        value: TermId,
        condition: TermId,
    ) -> Option<()> {
        let targets = self.access_if(terms, state, place, address, condition, true)?;
        for target in targets {
            let when = terms.and2(condition, target.condition);
            self.write_bytes(terms, state, target.object, target.offset, value, when);
        }
        Some(())
    }

    /// As `access`, of one byte and only where a condition holds.
    fn access_if(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        condition: TermId,
        write: bool,
    ) -> Option<Vec<Target>> {
        let mut probe = state.clone();
        let before = probe.guard;
        let targets = self.valid_targets(terms, &mut probe, place, address, 1, write);
        let Some(targets) = targets.filter(|targets| !targets.is_empty()) else {
            // Invalid wherever it is made: executions go on that do not make it.
            if let Some(guard) = self.guards.extend(terms, state.guard, condition) {
                let made = State { guard, ..state.clone() };
                self.outside::<()>(&made, place);
            }
            let not = terms.not(condition);
            self.restrict(terms, state, not)?;
            return Some(Vec::new());
        };
        let valid = terms.and(&self.guards.beyond(probe.guard, before));
        let fine = terms.implies(condition, valid);
        self.restrict(terms, state, fine)?;
        Some(targets)
    }

    fn havoc_reachable(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        choice: &Choice,
    ) -> Option<()> {
        let globals = self.cfa.variables.entries();
        let globals: Vec<Var> =
            globals.filter(|(_, known)| known.scope == Scope::Global).map(|(var, _)| var).collect();
        for var in globals {
            let symbol = self.fresh(terms, var, choice);
            self.assign(state, var, Slot::Term(symbol));
        }
        self.forget_loosely();
        // Reachability is not followed: every object that may be written becomes open.
        let source = self.source();
        let open: Vec<ObjectIndex> = state
            .memory
            .begun()
            .filter(|(object, _)| {
                matches!(
                    self.objects.table[*object].kind,
                    StorageKind::Data | StorageKind::Heap | StorageKind::Stack
                )
            })
            .map(|(object, _)| object)
            .collect();
        for object in open {
            state.memory.change(object, |known| known.contents.open(source));
        }
        Some(())
    }

    fn size(&mut self, terms: &mut Terms, state: &State, address: TermId) -> TermId {
        let mut result = terms.bv(self.cfa.address_width, 0);
        let (targets, _) = self.targets(terms, state, address);
        for target in targets {
            let Some(alive) = state.memory.alive(target.object) else { continue };
            let inside = self.inside(terms, &target, 0);
            let here = terms.and(&[target.condition, alive, inside]);
            let rest = terms.bv_sub(self.objects.table[target.object].size, target.offset);
            result = terms.ite(here, rest, result);
        }
        result
    }

    /// Whether a use of memory would be valid. An address of unknown origin that is in no object of
    /// the state is none that may be used.
    fn valid(
        &mut self,
        terms: &mut Terms,
        state: &State,
        address: TermId,
        length: TermId,
        access: cfa::Access,
    ) -> TermId {
        let zero = terms.bv(self.cfa.address_width, 0);
        let nothing = match access {
            cfa::Access::Read | cfa::Access::Write => terms.eq(length, zero),
            cfa::Access::Free => {
                let null = terms.eq(address, zero);
                self.compare(terms, null)
            }
        };
        let mut valid = nothing;
        let (targets, _) = self.targets(terms, state, address);
        for target in targets {
            let known = &self.objects.table[target.object];
            let (kind, size) = (known.kind, known.size);
            let fits = match access {
                cfa::Access::Read => kind != StorageKind::Code,
                cfa::Access::Write => !matches!(kind, StorageKind::Code | StorageKind::ReadOnly),
                cfa::Access::Free => kind == StorageKind::Heap,
            };
            let Some(alive) = state.memory.alive(target.object).filter(|_| fits) else { continue };
            let inside = match access {
                cfa::Access::Free => terms.eq(target.offset, zero),
                _ => match terms.number(length) {
                    Some(length) => self.inside(terms, &target, length),
                    // A stretch of unknown length in the memory outside counts as too long to be used at once.
                    None if Some(target.object) == self.region => terms.bool(false),
                    None => {
                        let enough = terms.bv_ule(length, size);
                        let last = terms.bv_sub(size, length);
                        let below = terms.bv_ule(target.offset, last);
                        terms.and2(enough, below)
                    }
                },
            };
            let here = terms.and(&[target.condition, alive, inside]);
            valid = terms.or2(valid, here);
        }
        valid
    }

    fn allocate(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        number: u32,
        var: Var,
        size: TermId,
        (align, kind, zeroed): (u64, AllocKind, bool),
    ) -> Option<()> {
        let name = format!("object#{}", terms.var_count());
        let base = terms.declare(name, Sort::Bv(self.cfa.address_width));
        let address = terms.var(base);
        let initial = (!zeroed).then(|| self.source());
        let known = FixedObject {
            base: address,
            size,
            bytes: terms.number(size),
            align,
            kind: kind.into(),
            unit: None,
            initial,
            before: state.memory.clone(),
        };
        let object = self.objects.add(base, known);
        // Terms that were looked at before the symbol was an address cannot mention it.
        let under = initial.map_or_else(|| Under::Bytes(Rc::default()), Under::Open);
        let alive = terms.bool(true);
        state.memory.begin(object, alive, Contents::new(under));
        if kind == AllocKind::Stack
            && let Some(frame) = state.frames.last_mut()
        {
            Rc::make_mut(&mut frame.objects).push(object);
        }
        self.assign(state, var, Slot::Term(address));
        self.event(state, number, Happening::Object(object));
        Some(())
    }

    fn free(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        place: (EdgeId, u32),
        address: TermId,
        kind: StorageKind,
    ) -> Option<()> {
        let zero = terms.bv(self.cfa.address_width, 0);
        let nothing = terms.eq(address, zero);
        let nothing = self.compare(terms, nothing);
        let (targets, foreign) = self.targets(terms, state, address);
        if foreign {
            self.unsupported(state, place.0, place.1, "a free of a pointer of unknown origin");
        }
        let mut valid = if kind == StorageKind::Heap { nothing } else { terms.bool(false) };
        let mut ended = Vec::new();
        for target in targets {
            if Some(target.object) == self.region {
                // Freeing memory that the program did not make is not modelled.
                let inside = self.inside(terms, &target, 1);
                let here = terms.and2(target.condition, inside);
                if let Some(guard) = self.guards.extend(terms, state.guard, here) {
                    let here = State { guard, ..state.clone() };
                    let reason = "a free of a pointer of unknown origin";
                    self.unsupported(&here, place.0, place.1, reason);
                }
                continue;
            }
            let Some(alive) = state.memory.alive(target.object) else { continue };
            if self.objects.table[target.object].kind != kind {
                continue;
            }
            let at_base = terms.eq(target.offset, zero);
            let here = terms.and(&[target.condition, alive, at_base]);
            if !terms.is_false(here) {
                valid = terms.or2(valid, here);
                ended.push((target.object, here));
            }
        }
        self.restrict(terms, state, valid)?;
        let alone = ended.len() == 1 && terms.is_false(nothing);
        for (object, here) in ended {
            let no = terms.bool(false);
            let Some(alive) = state.memory.alive(object) else { continue };
            let not = terms.not(here);
            let rest = if alone { no } else { terms.and2(alive, not) };
            state.memory.change(object, |known| known.alive = rest);
        }
        Some(())
    }
}

/// How many bytes are moved at once.
fn piece(at: u64, end: u64) -> u64 {
    [8, 4, 2].into_iter().find(|size| at + size <= end).unwrap_or(1)
}

/// Whether a choice may be an address that the program does not know.
fn is_foreign(choice: &Choice) -> bool {
    !matches!(choice, Choice::Uninitialised)
}
