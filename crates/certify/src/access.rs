//! Reading and writing memory.

use cfa::ObjectKind;
use term::{Sort, TermId, Var};

use crate::address::Target;
use crate::check::Checker;
use crate::execute::Taken;
use crate::memory::{Background, Base, MOST_BYTES, anything, as_bits, from_bits};
use crate::state::State;

/// The reason why an access is not followed: the checker does not know where its pointer points to.
const POINTER: &str = "an access through a pointer that is not followed";

/// Where an access goes.
enum Access {
    /// To a known offset in an object.
    Exact(Base, u64),
    /// Somewhere into an object.
    Within(Base),
    /// Anywhere.
    Anywhere,
}

/// Where an access goes that is surely outside of every object. No proof may rest on the execution ending
/// there, so the access may be to anything.
fn outside(state: &mut State) -> Access {
    state.be_rough("an access outside of every object");
    Access::Anywhere
}

impl Checker<'_> {
    /// Where an access of so many bytes goes; the condition that it is valid is assumed.
    fn access(&mut self, state: &mut State, address: TermId, length: u64, write: bool) -> Access {
        let address = self.eval(state, address);
        let (base, offset) = match self.target(address) {
            Target::Null => return outside(state),
            Target::Unknown => {
                state.be_rough(POINTER);
                return Access::Anywhere;
            }
            Target::Into(base, offset) => (base, offset),
        };
        let object = state.memory.get(self.program, base);
        if let Base::Initial(id) = base {
            match self.program.cfa.objects[id].kind {
                ObjectKind::Code(_) => return outside(state),
                ObjectKind::ReadOnly if write => return outside(state),
                ObjectKind::ReadOnly | ObjectKind::Data => {}
            }
        }
        match object.alive {
            Some(false) => return outside(state),
            Some(true) => {}
            None => state.be_rough("an object that may have ended"),
        }
        let width = self.terms.width(offset);
        let most = match object.size {
            Some(size) if length > size => return outside(state),
            Some(size) => Some(size - length),
            None => None,
        };
        match (self.terms.number(offset), most) {
            (Some(offset), Some(most)) if offset > most => outside(state),
            (Some(offset), _) => Access::Exact(base, offset),
            (None, most) => {
                if let Some(most) = most {
                    let most = self.terms.bv(width, u128::from(most));
                    let valid = self.terms.bv_ule(offset, most);
                    if !state.guard.add(&self.terms, valid) {
                        return outside(state);
                    }
                }
                state.be_rough("an access at an offset that is not followed");
                Access::Within(base)
            }
        }
    }

    pub(crate) fn load(&mut self, state: &mut State, var: Var, address: TermId) -> Taken {
        let sort = self.terms.var_sort(var);
        let length = cfa::stored_bytes(sort).and_then(|length| u32::try_from(length).ok());
        let Some(length) = length else {
            return Taken::Unsupported("a load of this sort".to_owned());
        };
        let value = match self.access(state, address, u64::from(length), false) {
            Access::Exact(base, offset) => {
                let bits = self.bytes(state, base, offset, length);
                self.as_sort(bits, sort)
            }
            Access::Within(_) | Access::Anywhere => self.fresh(sort),
        };
        self.assign(state, var, value);
        Taken::On
    }

    /// Stored bits as a value; of padding bits of a sort nothing is known.
    fn as_sort(&mut self, bits: TermId, sort: Sort) -> TermId {
        let wanted = match sort {
            Sort::Bv(width) => Some(width),
            Sort::Float(format) => Some(format.width()),
            _ => None,
        };
        match wanted {
            Some(width) if width == self.terms.width(bits) => {
                from_bits(&mut self.terms, bits, sort)
            }
            Some(width) if width < self.terms.width(bits) => {
                let low = self.terms.bv_extract(width - 1, 0, bits);
                from_bits(&mut self.terms, low, sort)
            }
            _ => self.fresh(sort),
        }
    }

    /// The bytes of an object. Bytes that are not known get a symbol here, and keep this symbol from now on.
    pub(crate) fn bytes(
        &mut self,
        state: &mut State,
        base: Base,
        offset: u64,
        length: u32,
    ) -> TermId {
        let object = state.memory.get(self.program, base);
        if let Some(known) = object.peek(self.program, &mut self.terms, offset, length) {
            return known;
        }
        let value = anything(&mut self.terms, length);
        let object = state.memory().get_mut(self.program, base);
        let is_rough = object.background.is_some();
        if object.overlapping(offset, u64::from(length)).is_empty() {
            object.write(&mut self.terms, offset, length, value);
        } else {
            state.be_rough("bytes that are known in part");
        }
        if is_rough {
            state.be_rough("bytes that are known in part");
        }
        value
    }

    pub(crate) fn store(&mut self, state: &mut State, address: TermId, value: TermId) -> Taken {
        let sort = self.terms.sort(value);
        let length = cfa::stored_bytes(sort).and_then(|length| u32::try_from(length).ok());
        let Some(length) = length else {
            return Taken::Unsupported("a store of this sort".to_owned());
        };
        match self.access(state, address, u64::from(length), true) {
            Access::Exact(base, offset) => {
                let mut bits = as_bits(&mut self.terms, value);
                let missing = 8 * length - self.terms.width(bits).min(8 * length);
                if missing > 0 {
                    let above = self.fresh(Sort::Bv(missing));
                    bits = self.terms.bv_concat(above, bits);
                }
                let object = state.memory().get_mut(self.program, base);
                object.write(&mut self.terms, offset, length, bits);
            }
            Access::Within(base) => state.memory().get_mut(self.program, base).forget(),
            Access::Anywhere => state.memory().forget(),
        }
        Taken::On
    }

    /// Forgets what an access of unknown length at an address may write.
    fn forget_at(&mut self, state: &mut State, address: TermId) {
        let address = self.eval(state, address);
        match self.target(address) {
            Target::Into(base, _) => state.memory().get_mut(self.program, base).forget(),
            Target::Null | Target::Unknown => state.memory().forget(),
        }
    }

    /// Fills bytes with one value each, or with anything.
    pub(crate) fn fill(
        &mut self,
        state: &mut State,
        address: TermId,
        byte: Option<TermId>,
        length: TermId,
    ) -> Taken {
        let Some(length) = self.length(state, length) else {
            self.forget_at(state, address);
            return Taken::On;
        };
        if length == 0 {
            return Taken::On;
        }
        let (base, offset) = match self.access(state, address, length, true) {
            Access::Anywhere => {
                state.memory().forget();
                return Taken::On;
            }
            Access::Within(base) => {
                state.memory().get_mut(self.program, base).forget();
                return Taken::On;
            }
            Access::Exact(base, offset) => (base, offset),
        };
        let program = self.program;
        let object = state.memory().get_mut(program, base);
        if offset == 0 && object.size == Some(length) {
            object.forget();
            let is_zero = byte.is_some_and(|byte| self.terms.number(byte) == Some(0));
            if is_zero {
                object.background = Some(Background::Zero);
            }
            if is_zero || byte.is_none() {
                return Taken::On;
            }
        }
        if length > MOST_BYTES {
            object.forget();
            return Taken::On;
        }
        for at in offset..offset + length {
            let value = byte.unwrap_or_else(|| anything(&mut self.terms, 1));
            object.write(&mut self.terms, at, 1, value);
        }
        Taken::On
    }

    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        to: TermId,
        from: TermId,
        length: TermId,
    ) -> Taken {
        let Some(length) = self.length(state, length) else {
            self.forget_at(state, to);
            return Taken::On;
        };
        if length == 0 {
            return Taken::On;
        }
        let source = self.access(state, from, length, false);
        let target = self.access(state, to, length, true);
        let (base, offset) = match (&source, &target) {
            (_, Access::Anywhere) => {
                state.memory().forget();
                return Taken::On;
            }
            (_, Access::Within(base)) => {
                state.memory().get_mut(self.program, *base).forget();
                return Taken::On;
            }
            (_, Access::Exact(base, offset)) => (*base, *offset),
        };
        if length > MOST_BYTES {
            state.memory().get_mut(self.program, base).forget();
            return Taken::On;
        }
        let mut pieces = Vec::new();
        match source {
            Access::Exact(source, start) => self.pieces(state, source, start, length, &mut pieces),
            _ => {
                for at in 0..length {
                    pieces.push((at, 1, anything(&mut self.terms, 1)));
                }
            }
        }
        let object = state.memory().get_mut(self.program, base);
        for (at, long, value) in pieces {
            object.write(&mut self.terms, offset + at, long, value);
        }
        Taken::On
    }

    /// The bytes of a stretch, in pieces: cells that are in it, and whatever is between them.
    fn pieces(
        &mut self,
        state: &mut State,
        base: Base,
        start: u64,
        length: u64,
        pieces: &mut Vec<(u64, u32, TermId)>,
    ) {
        let end = start + length;
        let mut at = start;
        while at < end {
            let object = state.memory.get(self.program, base);
            let whole = object.cells.get(&at).filter(|(long, _)| at + u64::from(*long) <= end);
            let long = match whole {
                Some((long, _)) => *long,
                None => {
                    let next = object.cells.range(at + 1..end).next().map_or(end, |(at, _)| *at);
                    let room = next - at;
                    let fits = |size: &u32| {
                        at.is_multiple_of(u64::from(*size)) && u64::from(*size) <= room
                    };
                    [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1)
                }
            };
            let value = self.bytes(state, base, at, long);
            pieces.push((at - start, long, value));
            at += u64::from(long);
        }
    }
}
