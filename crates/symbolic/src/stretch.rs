//! Operations on stretches of memory: what copies, fills and chosen bytes do to a state.

use cfa::{Choice, EdgeId};
use term::{Sort, TermId, Terms, Var};

use crate::event::Happening;
use crate::execute::Executor;
use crate::parts::Target;
use crate::state::State;
use crate::transfer::is_foreign;

/// The most bytes that a copy or fill of variable length is unrolled to.
const MAX_UNROLLED: u64 = 1024;

/// The most bytes that such a copy or fill is unrolled to where the size of the object is not known or is larger: a
/// longer copy or fill is not followed.
const MAX_OPEN: u64 = 256;

/// The most bytes that a copy or fill of constant length touches one by one.
const MAX_BYTES: u64 = 1 << 16;

impl Executor<'_> {
    /// Bytes take any values.
    pub(crate) fn havoc_memory(
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

    /// Ends an execution in the middle of an operation if it has to halt.
    fn go_on(&mut self, state: &State, (edge, number): (EdgeId, u32)) -> Option<()> {
        match self.is_halted() {
            true => self.unsupported(state, edge, number, "an operation that was interrupted"),
            false => Some(()),
        }
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

    /// Restricts a state to executions where a length is within the room. Executions with a longer length end outside
    /// of every object if the room is all that there is, and are not followed otherwise.
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

    pub(crate) fn copy(
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
            // The copy is made in pieces as large as a cell is likely to be, and all pieces are read before any is
            // written.
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
        // The smaller room counts, and of two equal rooms the one beyond which nothing fits.
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
    pub(crate) fn fill(
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

    /// Whether a length is at most `most` bytes.
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
            // The access is invalid in all executions that make it, so only executions go on that do not make it.
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
}

/// How many bytes are moved at once.
fn piece(at: u64, end: u64) -> u64 {
    [8, 4, 2].into_iter().find(|size| at + size <= end).unwrap_or(1)
}
