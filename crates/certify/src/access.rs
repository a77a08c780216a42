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

/// How many values an object may have for accesses to be followed whose offset in the object is no number.
const MOST_VALUES: u64 = 64;

/// Where an access goes.
enum Access {
    /// To a known offset in an object.
    Exact(Base, u64),
    /// To an offset in an object that is no number.
    Within(Base, TermId),
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
    /// Where an access of `length` bytes goes, case by case, each with its condition. The access is assumed to be
    /// valid.
    fn accesses(
        &mut self,
        state: &mut State,
        address: TermId,
        length: u64,
        write: bool,
    ) -> Vec<(TermId, Access)> {
        let address = self.eval(state, address);
        let cases = self.cases(address);
        let is_only = cases.len() == 1;
        let mut accesses = Vec::new();
        for (when, address) in cases {
            let access = self.access_when(state, when, address, length, write);
            let is_lost = matches!(access, Access::Anywhere);
            if is_only || !is_lost || !self.is_never(state, when) {
                accesses.push((when, access));
            }
        }
        accesses
    }

    /// Whether a condition is seen to hold in no execution of a state.
    fn is_never(&mut self, state: &State, when: TermId) -> bool {
        let mut formulas = state.guard.conditions();
        formulas.push(when);
        // Where a limit is exceeded, the next step ends the check.
        matches!(self.is_unsat(formulas), Ok(Ok(())))
    }

    /// Where an access of `length` bytes goes, as a single case. The access is assumed to be valid.
    fn access(&mut self, state: &mut State, address: TermId, length: u64, write: bool) -> Access {
        let address = self.eval(state, address);
        let always = self.terms.bool(true);
        self.access_when(state, always, address, length, write)
    }

    /// Where an access to an address goes under a condition.
    fn access_when(
        &mut self,
        state: &mut State,
        when: TermId,
        address: TermId,
        length: u64,
        write: bool,
    ) -> Access {
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
                    let valid = self.terms.implies(when, valid);
                    if !state.guard.add(&self.terms, valid) {
                        return outside(state);
                    }
                }
                state.be_rough("an access at an offset that is not followed");
                Access::Within(base, offset)
            }
        }
    }

    pub(crate) fn load(&mut self, state: &mut State, var: Var, address: TermId) -> Taken {
        let sort = self.terms.var_sort(var);
        let length = cfa::stored_bytes(sort).and_then(|length| u32::try_from(length).ok());
        let Some(length) = length else {
            return Taken::Unsupported("a load of this sort".to_owned());
        };
        let mut value: Option<TermId> = None;
        for (when, access) in self.accesses(state, address, u64::from(length), false) {
            let bits = match access {
                Access::Exact(base, offset) => self.bytes(state, base, offset, length),
                Access::Within(base, offset) => self.read_within(state, base, offset, length),
                Access::Anywhere => anything(&mut self.terms, length),
            };
            // One of the conditions holds: if none of the others does, it is the first one.
            value = Some(value.map_or(bits, |others| self.terms.ite(when, bits, others)));
        }
        let bits = value.unwrap_or_else(|| anything(&mut self.terms, length));
        let value = self.as_sort(bits, sort);
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
        let accesses = self.accesses(state, address, u64::from(length), true);
        if accesses.iter().any(|(_, access)| matches!(access, Access::Anywhere)) {
            state.memory().forget();
            return Taken::On;
        }
        let mut bits = as_bits(&mut self.terms, value);
        let missing = 8 * length - self.terms.width(bits).min(8 * length);
        if missing > 0 {
            let above = self.fresh(Sort::Bv(missing));
            bits = self.terms.bv_concat(above, bits);
        }
        for (when, access) in accesses {
            match access {
                Access::Exact(base, offset) => {
                    let mut after = bits;
                    if !self.terms.is_true(when) {
                        let before = self.bytes(state, base, offset, length);
                        after = self.terms.ite(when, bits, before);
                    }
                    let object = state.memory().get_mut(self.program, base);
                    object.write(&mut self.terms, offset, length, after);
                }
                Access::Within(base, offset) => {
                    self.write_within(state, when, (base, offset), (length, bits));
                }
                Access::Anywhere => {}
            }
        }
        Taken::On
    }

    /// The bytes at an offset that is no number: those of a value that begins there, if one is known; otherwise they
    /// are arbitrary.
    fn read_within(
        &mut self,
        state: &mut State,
        base: Base,
        offset: TermId,
        length: u32,
    ) -> TermId {
        let object = state.memory.get(self.program, base);
        let width = self.terms.width(offset);
        let mut value = anything(&mut self.terms, length);
        let starts = object.starts(length, MOST_VALUES);
        for at in starts {
            if let Some(bits) = object.peek(self.program, &mut self.terms, at, length) {
                let at = self.terms.bv(width, u128::from(at));
                let is_here = self.terms.eq(offset, at);
                value = self.terms.ite(is_here, bits, value);
            }
        }
        value
    }

    /// Sets bytes at an offset that is no number, if a condition holds. A value that begins elsewhere and is
    /// overwritten in part is arbitrary afterwards.
    fn write_within(
        &mut self,
        state: &mut State,
        when: TermId,
        (base, offset): (Base, TermId),
        (length, bits): (u32, TermId),
    ) {
        let program = self.program;
        let terms = &mut self.terms;
        let width = terms.width(offset);
        let object = state.memory().get_mut(program, base);
        for at in object.starts(length, MOST_VALUES) {
            if object.overlapping(at, u64::from(length)).is_empty() {
                let before = object.peek(program, terms, at, length);
                let before = before.unwrap_or_else(|| anything(terms, length));
                object.write(terms, at, length, before);
            }
        }
        object.background = None;
        if object.cells.len() as u64 > MOST_VALUES {
            object.forget();
            return;
        }
        let not = terms.not(when);
        for (at, (long, value)) in &mut object.cells {
            // The access is apart from the value if it ends before the value or begins behind it.
            let mut apart = not;
            if let Some(last) = at.checked_sub(u64::from(length)) {
                let last = terms.bv(width, u128::from(last));
                let is_before = terms.bv_ule(offset, last);
                apart = terms.or2(apart, is_before);
            }
            let end = u128::from(*at) + u128::from(*long);
            if end >> width == 0 {
                let end = terms.bv(width, end);
                let is_behind = terms.bv_ule(end, offset);
                apart = terms.or2(apart, is_behind);
            }
            let other = anything(terms, *long);
            let mut after = terms.ite(apart, *value, other);
            if *long == length {
                let at = terms.bv(width, u128::from(*at));
                let is_here = terms.eq(offset, at);
                let is_set = terms.and2(when, is_here);
                after = terms.ite(is_set, bits, after);
            }
            *value = after;
        }
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
            Access::Within(base, _) => {
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
            (_, Access::Within(base, _)) => {
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
