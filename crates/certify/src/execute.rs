//! What operations do to executions.

use std::rc::Rc;

use cfa::{Access, AllocKind, Edge, EdgeId, Op, Scope};
use run::StackId;
use term::{Sort, TermId, Var};

use crate::address::Target;
use crate::check::Checker;
use crate::memory::{Background, Base, MOST_BYTES, Object};
use crate::state::State;

/// How a step ends.
pub(crate) enum Taken {
    /// Executions go on.
    On,
    /// No execution goes on: the step is blocked.
    Blocked,
    /// Executions meet something that is not modelled.
    Unsupported(String),
}

/// Where a size or a length is not a number that is known.
const LENGTH: &str = "a length that is not followed";

impl Checker<'_> {
    /// A term of the program over what was there at the start of the walk.
    pub(crate) fn eval(&mut self, state: &State, term: TermId) -> TermId {
        if self.terms.value(term).is_some() {
            return term;
        }
        let mut values = rustc_hash::FxHashMap::default();
        for var in self.terms.vars(term) {
            if let Some(which) = self.which(state, var) {
                values.insert(var, self.read(state, which));
            }
        }
        self.terms.substitute(term, &mut |var| values.get(&var).copied())
    }

    fn which(&self, state: &State, var: Var) -> Option<(u32, Var)> {
        match self.program.cfa.variables[var].scope {
            Scope::Address(_) => None,
            Scope::Global => Some((0, var)),
            Scope::Local(_) => Some((self.map.depth(state.stack), var)),
        }
    }

    pub(crate) fn assign(&mut self, state: &mut State, var: Var, value: TermId) {
        // Nobody assigns a constant.
        if let Some(which) = self.which(state, var) {
            state.assign(which, value);
        }
    }

    fn havoc(&mut self, state: &mut State, var: Var) -> TermId {
        let sort = self.terms.var_sort(var);
        let value = self.fresh(sort);
        self.assign(state, var, value);
        value
    }

    pub(crate) fn restrict(&mut self, state: &mut State, condition: TermId) -> Taken {
        if state.guard.add(&self.terms, condition) { Taken::On } else { Taken::Blocked }
    }

    /// Begins an activation.
    pub(crate) fn call(&mut self, state: &mut State, edge: &Edge, to: StackId) {
        let Some(Op::Call { callee, arguments, .. }) = edge.ops.last() else { return };
        let values: Vec<TermId> = arguments.iter().map(|each| self.eval(state, *each)).collect();
        state.stack = to;
        // The values that an earlier activation with the same stack had say nothing of this activation.
        self.unset.remove(&to);
        let parameters = &self.program.cfa.functions[*callee].parameters;
        for (parameter, value) in parameters.iter().zip(values) {
            self.assign(state, *parameter, value);
        }
    }

    /// Ends the topmost activation.
    pub(crate) fn leave(&mut self, state: &mut State, call: EdgeId, to: StackId) {
        let program = self.program;
        let depth = self.map.depth(state.stack);
        let (from, targets) = match program.cfa.edges[call].ops.last() {
            Some(Op::Call { callee, results, .. }) => {
                (&program.cfa.functions[*callee].results[..], &results[..])
            }
            _ => (&[][..], &[][..]),
        };
        let values: Vec<TermId> = from
            .iter()
            .take(targets.len())
            .map(|result| self.read(state, (depth, *result)))
            .collect();
        Rc::make_mut(&mut state.values).retain(|(at, _), _| *at < depth);
        if state.memory.objects.values().any(|object| object.depth == Some(depth)) {
            state.memory().leave(depth);
        }
        state.stack = to;
        state.low = state.low.min(depth - 1);
        for (target, value) in targets.iter().zip(values) {
            self.assign(state, *target, value);
        }
    }

    /// Executes an operation.
    pub(crate) fn perform(&mut self, state: &mut State, op: &Op) -> Taken {
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let condition = self.eval(state, *condition);
                return self.restrict(state, condition);
            }
            Op::Assign { var, value } => {
                let value = self.eval(state, *value);
                self.assign(state, *var, value);
            }
            Op::Havoc { var, .. } => {
                self.havoc(state, *var);
            }
            Op::Load { var, address } => return self.load(state, *var, *address),
            Op::Store { address, value } => {
                let value = self.eval(state, *value);
                return self.store(state, *address, value);
            }
            Op::Copy { to, from, length } => return self.copy(state, *to, *from, *length),
            Op::Fill { address, byte, length } => {
                let byte = self.eval(state, *byte);
                return self.fill(state, *address, Some(byte), *length);
            }
            Op::HavocMemory { address, length, .. } => {
                return self.fill(state, *address, None, *length);
            }
            Op::HavocReachable { .. } => {
                let all = self.program.cfa.variables.entries();
                for (var, _) in all.filter(|(_, known)| known.scope == Scope::Global) {
                    self.havoc(state, var);
                }
                state.memory().forget();
                state.be_rough("memory that an unknown function may change");
            }
            Op::Size { var, address } => {
                let address = self.eval(state, *address);
                let sort = self.terms.var_sort(*var);
                let size = match (self.size_behind(state, address), sort) {
                    (Some(size), Sort::Bv(width)) => self.terms.bv(width, u128::from(size)),
                    _ => {
                        state.be_rough("the size of an object");
                        self.fresh(sort)
                    }
                };
                self.assign(state, *var, size);
            }
            Op::Valid { var, address, length, access } => {
                let address = self.eval(state, *address);
                let length = self.eval(state, *length);
                let mut valid = self.surely_valid(state, address, length, *access);
                if !self.terms.is_true(valid) {
                    // A use that is not surely valid may be valid or not: the proof has to show that no execution gets
                    // here.
                    state.be_rough("whether an access is valid");
                    let open = self.fresh(Sort::Bool);
                    valid = self.terms.or2(valid, open);
                }
                self.assign(state, *var, valid);
            }
            Op::Alloc { var, size, align, kind, zeroed } => {
                let size = self.eval(state, *size);
                self.allocate(state, *var, (size, *align), *kind, *zeroed);
            }
            Op::Free { address, kind } => {
                let address = self.eval(state, *address);
                return self.free(state, address, *kind);
            }
            Op::Output { function, arguments } => {
                // A format that is not known may have a conversion that stores.
                if let Some(format) = printf::format(function, arguments) {
                    let format = self.eval(state, *format);
                    if !self.only_prints(format) {
                        state.memory().forget();
                        state.be_rough("output that may store");
                    }
                }
            }
            Op::Exit(_) | Op::Abort => return Taken::Blocked,
            Op::Unsupported(reason) => return Taken::Unsupported(reason.to_string()),
            // A call is the only operation of its edge.
            Op::Call { .. } => return Taken::Unsupported("a call among operations".to_owned()),
        }
        Taken::On
    }

    pub(crate) fn only_prints(&mut self, format: TermId) -> bool {
        match self.target(format) {
            Target::Into(Base::Initial(object), offset) => {
                self.terms.number(offset) == Some(0)
                    && printf::only_prints(&self.program.cfa.objects[object])
            }
            _ => false,
        }
    }

    fn size_behind(&mut self, state: &State, address: TermId) -> Option<u64> {
        let Target::Into(base, offset) = self.target(address) else { return None };
        let object = state.memory.get(self.program, base);
        if let Base::Initial(id) = base
            && matches!(self.program.cfa.objects[id].kind, cfa::ObjectKind::Code(_))
        {
            return None;
        }
        let offset = self.terms.number(offset)?;
        let size = object.size.filter(|size| object.alive == Some(true) && offset <= *size)?;
        Some(size - offset)
    }

    /// A condition under which a use of memory is valid. Where it does not hold, nothing is said.
    fn surely_valid(
        &mut self,
        state: &State,
        address: TermId,
        length: TermId,
        access: Access,
    ) -> TermId {
        let mut valid = self.terms.bool(false);
        for (when, address) in self.cases(address) {
            if let Some(condition) = self.is_valid(state, address, length, access) {
                let case = self.terms.and2(when, condition);
                valid = self.terms.or2(valid, case);
            }
        }
        valid
    }

    /// A condition under which a use of memory at an address is valid, if that is plain: if the address is in an object
    /// that is known to live.
    fn is_valid(
        &mut self,
        state: &State,
        address: TermId,
        length: TermId,
        access: Access,
    ) -> Option<TermId> {
        let always = self.terms.bool(true);
        let (base, offset) = match self.target(address) {
            Target::Null if access == Access::Free => return Some(always),
            Target::Into(base, offset) => (base, offset),
            _ => return None,
        };
        let object = state.memory.get(self.program, base);
        if object.alive != Some(true) {
            return None;
        }
        let is_open = match base {
            Base::New(_) => true,
            Base::Initial(id) => match self.program.cfa.objects[id].kind {
                cfa::ObjectKind::Code(_) => false,
                cfa::ObjectKind::ReadOnly => access == Access::Read,
                cfa::ObjectKind::Data => true,
            },
        };
        if access == Access::Free {
            return (object.heap && self.terms.number(offset) == Some(0)).then_some(always);
        }
        let last = object.size?.checked_sub(self.terms.number(length)?).filter(|_| is_open)?;
        let last = self.terms.bv(self.terms.width(offset), u128::from(last));
        Some(self.terms.bv_ule(offset, last))
    }

    fn allocate(
        &mut self,
        state: &mut State,
        var: Var,
        (size, align): (TermId, u64),
        kind: AllocKind,
        zeroed: bool,
    ) {
        let address = self.havoc(state, var);
        if let term::View::Var(symbol) = self.terms.view(address) {
            let has_begun = self.begin(symbol, size, align, &state.memory);
            let object = Object {
                background: zeroed.then_some(Background::Zero),
                size: self.terms.number(size),
                alive: Some(true),
                depth: (kind == AllocKind::Stack).then(|| self.map.depth(state.stack)),
                heap: kind == AllocKind::Heap,
                ..Object::default()
            };
            state.memory().objects.insert(Base::New(symbol), object);
            state.guard.add(&self.terms, has_begun);
        }
        // More may be known of the address: that the object is apart from live objects which the checker does not
        // follow.
        state.be_rough("the address of a new object");
    }

    fn free(&mut self, state: &mut State, address: TermId, kind: AllocKind) -> Taken {
        let cases = self.cases(address);
        if cases.len() > 1 {
            for (_, address) in cases {
                self.may_free(state, address);
            }
            return Taken::On;
        }
        match self.target(address) {
            Target::Null => {}
            Target::Into(base @ Base::New(_), offset) => {
                let object = state.memory.get(self.program, base);
                let fits = object.heap == (kind == AllocKind::Heap);
                let known = object.heap || object.depth.is_some();
                match self.terms.number(offset) {
                    Some(0) if (known && !fits) || object.alive == Some(false) => {
                        return Taken::Blocked;
                    }
                    Some(0) => state.memory().get_mut(self.program, base).alive = Some(false),
                    Some(_) => return self.is_null(state, address),
                    None => {
                        state.memory().get_mut(self.program, base).alive = None;
                        state.be_rough("an object that may have ended");
                    }
                }
            }
            Target::Into(Base::Initial(_), offset) => {
                if self.terms.number(offset).is_some() {
                    return self.is_null(state, address);
                }
                state.be_rough("an object that may have ended");
            }
            Target::Unknown => {
                state.memory().may_end();
                state.be_rough("an object that may have ended");
            }
        }
        Taken::On
    }

    /// Notes that the object to which an address points may have ended.
    fn may_free(&mut self, state: &mut State, address: TermId) {
        match self.target(address) {
            Target::Null => return,
            Target::Into(base, _) => {
                let object = state.memory().get_mut(self.program, base);
                if matches!(base, Base::New(_)) && object.alive == Some(true) {
                    object.alive = None;
                }
            }
            Target::Unknown => state.memory().may_end(),
        }
        state.be_rough("an object that may have ended");
    }

    /// An address that is not the start of an object can be freed only if it is zero.
    fn is_null(&mut self, state: &mut State, address: TermId) -> Taken {
        let Sort::Bv(width) = self.terms.sort(address) else { return Taken::Blocked };
        let zero = self.terms.bv(width, 0);
        let condition = self.terms.eq(address, zero);
        self.restrict(state, condition)
    }

    /// The length of an access as a number.
    pub(crate) fn length(&mut self, state: &mut State, length: TermId) -> Option<u64> {
        let length = self.eval(state, length);
        let known = self.terms.number(length);
        if known.is_none_or(|bytes| bytes > MOST_BYTES) {
            state.be_rough(LENGTH);
        }
        known
    }
}
