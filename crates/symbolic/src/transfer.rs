//! What each operation does to a state.

use base::Id as _;
use cfa::{Choice, EdgeId, Op, Scope, StorageKind};
use term::{Sort, TermId, Terms, Var};

use crate::contents::Access;
use crate::event::Happening;
use crate::execute::{Executor, access};
use crate::ids::ObjectIndex;
use crate::parts::Target;
use crate::reading::OutsideReading;
use crate::state::{Slot, State};

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
                if let Some(format) = printf::format(function, arguments) {
                    let format = self.eval(terms, state, *format);
                    if !self.only_prints(terms, format) {
                        let reason = "a format that may store something";
                        return self.unsupported(state, edge, number, reason);
                    }
                }
                Some(())
            }
            Op::Exit(_) | Op::Abort => None,
            Op::Unsupported(reason) => self.unsupported(state, edge, number, reason),
            // A call is the only operation of its edge, and is entered where the edge is taken.
            Op::Call { .. } => self.unsupported(state, edge, number, "a call among operations"),
        }
    }

    pub(crate) fn unsupported(
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
    pub(crate) fn restrict(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        condition: TermId,
    ) -> Option<()> {
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
    pub(crate) fn access(
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
    pub(crate) fn outside<T>(&mut self, state: &State, place: (EdgeId, u32)) -> Option<T> {
        self.unsupported(state, place.0, place.1, "an access outside of every object");
        None
    }

    /// Restricts a state as `access` does. An access that is surely outside of every object has no targets here.
    pub(crate) fn valid_targets(
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
    pub(crate) fn inside(&mut self, terms: &mut Terms, target: &Target, length: u64) -> TermId {
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

    pub(crate) fn load(
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

    pub(crate) fn read_bytes(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        object: ObjectIndex,
        offset: TermId,
        length: u64,
    ) -> TermId {
        if Some(object) == self.region && self.reading == OutsideReading::Loose {
            return self.read_loosely(terms, offset, length);
        }
        let mut access = access!(self, terms);
        let read = state
            .memory
            .change(object, |known| known.contents.load(&mut access, object, offset, length));
        // Only objects that have begun are targets.
        read.unwrap_or_else(|| terms.bv(8 * length as u32, 0))
    }

    pub(crate) fn store(
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

    pub(crate) fn write_bytes(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        object: ObjectIndex,
        offset: TermId,
        value: TermId,
        when: TermId,
    ) {
        if Some(object) == self.region && self.reading == OutsideReading::Loose {
            return self.write_loosely(terms, offset, value, when);
        }
        let mut access = access!(self, terms);
        state.memory.change(object, |known| {
            known.contents.store(&mut access, object, offset, value, when);
        });
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
}

/// Whether a choice may be an address that the program does not know.
pub(crate) fn is_foreign(choice: &Choice) -> bool {
    !matches!(choice, Choice::Uninitialised)
}
