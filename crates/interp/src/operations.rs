//! What each operation does.

use cfa::{Access, AllocKind, Choice, EdgeId, Op, Scope};
use num_bigint::BigUint;
use term::{Bv, Float, Sort, TermId, Value, Var};

use crate::ending::{Ending, Invalid};
use crate::inputs::{Holder, Origin, Site};
use crate::machine::{Go, Machine, Stop};
use crate::memory::{Full, Stretch};
use crate::observe::Change;
use crate::print::{self, Host};
use crate::store::Cell;

/// The longest integer, in bits, that a variable may hold: an integer that is squared over and
/// over would take all memory in a few steps.
const LONGEST_INTEGER: u64 = 1 << 24;

/// How many bytes without a value are asked for at once.
const CHUNK: u64 = 8;

impl Machine<'_> {
    /// Executes any operation but a call.
    pub(crate) fn perform(&mut self, edge: EdgeId, at: usize, op: &Op) -> Go<()> {
        // The cast is exact for every edge that fits in memory with its terms.
        let site = Site { edge, op: at as u32 };
        match op {
            Op::Assume(condition) => {
                if !self.holds(*condition)? {
                    return Err(Stop::Blocked);
                }
            }
            Op::Assign { var, value } => match self.eval_modelled(*value)? {
                Ok(value) if is_too_long(&value) => return Err(self.out_of_memory()),
                Ok(value) => self.assign(*var, value),
                Err(site) => self.assign(*var, Cell { value: None, havoc: Some(site) }),
            },
            // Most results that are not modelled are never read; a value is asked for when the program reads one.
            Op::Havoc { var, choice: Choice::Approximated(_) } => {
                self.assign(*var, Cell { value: None, havoc: Some(site) });
            }
            Op::Havoc { var, .. } => {
                let value = self.draw(
                    Origin::Havoc(site),
                    Holder::Operation,
                    self.program.terms.var_sort(*var),
                )?;
                self.assign(*var, value);
            }
            Op::Load { var, address } => self.load(*var, *address)?,
            Op::Store { address, value } => self.store_value(*address, *value)?,
            Op::Copy { to, from, length } => self.copy(*to, *from, *length)?,
            Op::Fill { address, byte, length } => self.fill(*address, *byte, *length)?,
            Op::HavocMemory { address, length, .. } => {
                self.havoc_memory(site, *address, *length)?;
            }
            Op::HavocReachable { roots, .. } => self.havoc_reachable(site, roots)?,
            Op::Size { var, address } => self.size(*var, *address)?,
            Op::Valid { var, address, length, access } => {
                self.valid(*var, *address, *length, *access)?;
            }
            Op::Alloc { var, size, align, kind, zeroed } => {
                self.allocate(*var, *size, *align, *kind, *zeroed)?;
            }
            Op::Free { address, kind } => self.free(*address, *kind)?,
            Op::Check { holds, fault } => {
                if !self.holds(*holds)? {
                    return Err(Ending::Fault { fault: *fault, edge }.into());
                }
            }
            Op::Output { function, arguments } => self.output(function, arguments)?,
            Op::Exit(code) => {
                let code = self.eval(*code)?;
                return Err(Ending::Exited { code, edge }.into());
            }
            Op::Abort => return Err(Ending::Aborted { edge }.into()),
            Op::Unsupported(reason) => return Err(self.unsupported_here(reason.to_string())),
            Op::Call { .. } => {
                return Err(self.unsupported_here("a call beside other operations".to_owned()));
            }
        }
        Ok(())
    }

    fn havoc_memory(&mut self, site: Site, address: TermId, length: TermId) -> Go<()> {
        let (address, length) = (self.number(address)?, self.number(length)?);
        if length > 0 {
            let place = self.memory.writable(address, length).map_err(|what| self.invalid(what))?;
            self.save(place);
            self.memory.havoc(place, site);
            self.note(|| Change::Havocked { address, length });
        }
        Ok(())
    }

    fn size(&mut self, var: Var, address: TermId) -> Go<()> {
        let address = self.number(address)?;
        let size = self.memory.size_from(address);
        let Sort::Bv(width) = self.program.terms.var_sort(var) else {
            return Err(self.unsupported_here("a size that is not a bit-vector".to_owned()));
        };
        self.assign(var, Value::Bv(Bv::new(width, u128::from(size))));
        Ok(())
    }

    fn valid(&mut self, var: Var, address: TermId, length: TermId, access: Access) -> Go<()> {
        let (address, length) = (self.number(address)?, self.number(length)?);
        let valid = match access {
            Access::Read => length == 0 || self.memory.readable(address, length).is_ok(),
            Access::Write => length == 0 || self.memory.writable(address, length).is_ok(),
            Access::Free => address == 0 || self.memory.is_freeable(address),
        };
        self.assign(var, Value::Bool(valid));
        Ok(())
    }

    fn allocate(
        &mut self,
        var: Var,
        size: TermId,
        align: u64,
        kind: AllocKind,
        zeroed: bool,
    ) -> Go<()> {
        let size = self.number(size)?;
        let placed = self.memory.allocate(size, align, kind.into(), zeroed);
        let (slot, address) = placed.map_err(|Full| self.out_of_memory())?;
        if let Some(log) = &mut self.log {
            log.allocated(slot);
        }
        self.note(|| Change::Allocated { address, size });
        let address = Bv::new(self.address_width(), u128::from(address));
        self.assign(var, Value::Bv(address));
        Ok(())
    }

    fn free(&mut self, address: TermId, kind: AllocKind) -> Go<()> {
        let address = self.number(address)?;
        if address == 0 && kind != AllocKind::Stack {
            return Ok(());
        }
        let freed = self.memory.free(address, kind.into());
        let (slot, object) = freed.map_err(|what| self.invalid(what))?;
        match &mut self.log {
            Some(log) => log.freed(slot, object),
            None => self.memory.release(slot),
        }
        self.note(|| Change::Freed { address });
        Ok(())
    }

    fn output(&mut self, function: &str, arguments: &[TermId]) -> Go<()> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(*argument)?);
        }
        let mut bytes = Vec::new();
        let written = print::output(self, function, &values, &mut bytes);
        self.emit(&bytes)?;
        written
    }

    fn load(&mut self, var: Var, address: TermId) -> Go<()> {
        let sort = self.program.terms.var_sort(var);
        let Some(length) = byte_count(sort) else {
            let sort = self.program.terms.display_sort(sort).to_string();
            return Err(self.unsupported_here(format!("a load of sort {sort}")));
        };
        let address = self.number(address)?;
        let place = self.memory.readable(address, length).map_err(|what| self.invalid(what))?;
        if self.memory.is_undefined(place) {
            self.define(place, Some(sort))?;
        }
        let value = decode(sort, &self.memory.read(place));
        self.assign(var, value);
        Ok(())
    }

    fn store_value(&mut self, address: TermId, value: TermId) -> Go<()> {
        let address = self.number(address)?;
        let sort = self.program.terms.sort(value);
        let value = match (self.eval_modelled(value)?, byte_count(sort)) {
            (Ok(value), _) => value,
            (Err(site), Some(length)) => {
                let place =
                    self.memory.writable(address, length).map_err(|what| self.invalid(what))?;
                self.save(place);
                self.memory.havoc(place, site);
                self.note(|| Change::Havocked { address, length });
                return Ok(());
            }
            (Err(_), None) => self.eval(value)?,
        };
        let mut room = [0; 16];
        let place = match small(&value, &mut room) {
            Some(length) => {
                let place = self
                    .memory
                    .writable(address, length as u64)
                    .map_err(|what| self.invalid(what))?;
                self.save(place);
                self.memory.write(place, &room[..length]);
                place
            }
            None => {
                let bytes = self.encode(&value)?;
                let place = self
                    .memory
                    .writable(address, bytes.len() as u64)
                    .map_err(|what| self.invalid(what))?;
                self.save(place);
                self.memory.write(place, &bytes);
                place
            }
        };
        debug_assert!(place.length > 0);
        self.note(|| Change::Stored { address, value });
        Ok(())
    }

    fn copy(&mut self, to: TermId, from: TermId, length: TermId) -> Go<()> {
        let (to, from, length) = (self.number(to)?, self.number(from)?, self.number(length)?);
        if length == 0 {
            return Ok(());
        }
        let source = self.memory.readable(from, length).map_err(|what| self.invalid(what))?;
        let target = self.memory.writable(to, length).map_err(|what| self.invalid(what))?;
        // The copy must hold the same bytes as the original, so they are chosen now.
        self.define(source, None)?;
        self.save(target);
        self.memory.copy(target, source);
        self.note(|| Change::Copied { to, from, length });
        Ok(())
    }

    fn fill(&mut self, address: TermId, byte: TermId, length: TermId) -> Go<()> {
        let (address, byte, length) =
            (self.number(address)?, self.number(byte)?, self.number(length)?);
        if length == 0 {
            return Ok(());
        }
        let place = self.memory.writable(address, length).map_err(|what| self.invalid(what))?;
        self.save(place);
        // The cast is exact: the term has eight bits.
        let byte = byte as u8;
        self.memory.fill(place, byte);
        self.note(|| Change::Filled { address, length, byte });
        Ok(())
    }

    /// Global variables and reachable objects lose their values; each is asked for when it is read.
    fn havoc_reachable(&mut self, site: Site, roots: &[TermId]) -> Go<()> {
        let program = self.program;
        let mut addresses = Vec::with_capacity(roots.len());
        for root in roots {
            addresses.push(self.number(*root)?);
        }
        let globals =
            program.cfa.variables.entries().filter(|(_, known)| known.scope == Scope::Global);
        for (var, _) in globals {
            let index = self.store.index(var);
            if let Some(Value::Bv(bits)) = self.store.at(index)
                && bits.width() == program.cfa.address_width
            {
                addresses.extend(bits.to_u64());
            }
            self.assign(var, Cell { value: None, havoc: Some(site) });
        }
        for place in self.memory.reachable(&addresses, program.cfa.address_width) {
            self.save(place);
            self.memory.havoc(place, site);
            let (address, length) = (self.memory.address(place), place.length);
            self.note(|| Change::Havocked { address, length });
        }
        Ok(())
    }

    /// Gives every byte of a place a value: all at once, as a value of the sort, if none has one,
    /// otherwise a few at a time.
    fn define(&mut self, place: Stretch, sort: Option<Sort>) -> Go<()> {
        while let Some(run) = self.memory.undefined_run(place) {
            let origin = Origin::Memory(self.memory.havoc_at(run));
            let (length, sort) = match sort {
                Some(sort) if run.length == place.length => (run.length, sort),
                _ => {
                    let length = run.length.min(CHUNK);
                    // The cast is exact: at most eight bytes.
                    (length, Sort::Bv(8 * length as u32))
                }
            };
            let object = self.memory.birth(run);
            let holder = Holder::Memory { object, offset: run.offset };
            let value = self.draw(origin, holder, sort)?;
            let bytes = self.encode(&value)?;
            self.memory.write(Stretch { length, ..run }, &bytes);
        }
        Ok(())
    }

    fn save(&mut self, place: Stretch) {
        if let Some(log) = &mut self.log {
            log.bytes(place, self.memory.save(place));
        }
    }

    /// An address or a length.
    fn number(&mut self, term: TermId) -> Go<u64> {
        match self.eval(term)? {
            // A number that does not fit into 64 bits is larger than every object.
            Value::Bv(bits) => Ok(bits.to_u64().unwrap_or(u64::MAX)),
            _ => {
                Err(self
                    .unsupported_here("an address or a length that is not a bit-vector".to_owned()))
            }
        }
    }

    fn invalid(&self, what: Invalid) -> Stop {
        match self.edge {
            Some(edge) => Ending::Invalid { what, edge }.into(),
            None => self.unsupported_here("contents that do not fit their object".to_owned()),
        }
    }

    /// The bytes of a value, the lowest first.
    pub(crate) fn encode(&self, value: &Value) -> Go<Vec<u8>> {
        let mut room = [0; 16];
        if let Some(length) = small(value, &mut room) {
            return Ok(room[..length].to_vec());
        }
        match (value, byte_count(value.sort())) {
            (Value::Bv(bits), Some(length)) => {
                let mut bytes = bits.to_biguint().to_bytes_le();
                bytes.resize(length as usize, 0);
                Ok(bytes)
            }
            _ => {
                let sort = self.program.terms.display_sort(value.sort()).to_string();
                Err(self.unsupported_here(format!("a store of sort {sort}")))
            }
        }
    }
}

impl Machine<'_> {
    /// The bytes from an address on, up to the first byte that `ends` holds of, and only as long as `more` holds of
    /// the bytes so far.
    fn text_at(
        &mut self,
        address: &Value,
        more: impl Fn(&[u8]) -> bool,
        ends: impl Fn(u8) -> bool,
    ) -> Go<Vec<u8>> {
        let Some(mut at) = address.as_bv().and_then(Bv::to_u64) else {
            return Err(
                self.unsupported_here("a string whose address is not a bit-vector".to_owned())
            );
        };
        let mut text = Vec::new();
        while more(&text) {
            let place = self.memory.readable(at, 1).map_err(|what| self.invalid(what))?;
            if self.memory.is_undefined(place) {
                self.define(place, None)?;
            }
            match &*self.memory.read(place) {
                [byte] if ends(*byte) => break,
                byte => text.extend_from_slice(byte),
            }
            at = at.wrapping_add(1);
        }
        Ok(text)
    }
}

impl Host for Machine<'_> {
    type Stop = Stop;

    fn string(&mut self, address: &Value, limit: Option<usize>) -> Go<Vec<u8>> {
        self.text_at(address, |text| limit.is_none_or(|limit| text.len() < limit), |byte| byte == 0)
    }

    fn bytes(&mut self, address: &Value, length: usize) -> Go<Vec<u8>> {
        self.text_at(address, |text| text.len() < length, |_| false)
    }

    fn store(&mut self, address: &Value, number: Bv) -> Go<()> {
        let at = address.as_bv().and_then(Bv::to_u64).unwrap_or(0);
        let value = Value::Bv(number);
        let bytes = self.encode(&value)?;
        let place =
            self.memory.writable(at, bytes.len() as u64).map_err(|what| self.invalid(what))?;
        self.save(place);
        self.memory.write(place, &bytes);
        self.note(|| Change::Stored { address: at, value });
        Ok(())
    }

    fn address_width(&self) -> u32 {
        self.program.cfa.address_width
    }

    fn unsupported(&self, reason: String) -> Stop {
        self.unsupported_here(reason)
    }
}

fn is_too_long(value: &Value) -> bool {
    match value {
        Value::Int(number) => number.bits() > LONGEST_INTEGER,
        Value::Rat(number) => number.numer().bits() + number.denom().bits() > LONGEST_INTEGER,
        _ => false,
    }
}

/// How many bytes a value of the sort takes; `None` if it cannot be in memory.
fn byte_count(sort: Sort) -> Option<u64> {
    let width = match sort {
        Sort::Bv(width) => width,
        Sort::Float(format) => format.width(),
        _ => return None,
    };
    width.is_multiple_of(8).then_some(u64::from(width / 8))
}

/// The bytes of a value of at most sixteen, the lowest first, and their number.
fn small(value: &Value, room: &mut [u8; 16]) -> Option<usize> {
    let (width, bits) = match value {
        Value::Bv(bits) if bits.width() <= 128 => (bits.width(), bits.to_u128()?),
        Value::Float(float) => (float.format().width(), float.bits()),
        _ => return None,
    };
    *room = bits.to_le_bytes();
    width.is_multiple_of(8).then_some(width as usize / 8)
}

/// The value of a sort that is in these bytes, as many as [`byte_count`] says.
fn decode(sort: Sort, bytes: &[u8]) -> Value {
    let mut room = [0; 16];
    match sort {
        Sort::Float(format) => {
            room[..bytes.len()].copy_from_slice(bytes);
            Value::Float(Float::from_bits(format, u128::from_le_bytes(room)))
        }
        Sort::Bv(width) if width <= 128 => {
            room[..bytes.len()].copy_from_slice(bytes);
            Value::Bv(Bv::new(width, u128::from_le_bytes(room)))
        }
        _ => Value::Bv(Bv::from_biguint(8 * bytes.len() as u32, &BigUint::from_bytes_le(bytes))),
    }
}
