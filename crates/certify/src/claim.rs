//! Entries of a certificate: what an entry says of the start of a walk, and of its end.

use std::rc::Rc;

use cfa::{Contents, EdgeId, LocId, ObjectKind, Scope};
use run::{Kept, Place, Slot};
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Var, View};

use crate::check::{Checker, Stop};
use crate::functions::Role;
use crate::guard::Guard;
use crate::memory::{Background, Base, MOST_BYTES, Memory, Object, anything, first, unknown};
use crate::state::State;

impl Checker<'_> {
    /// Puts the entries at their places, and checks that their formulas speak of nothing else than what is at these
    /// places.
    pub(crate) fn enlist(&mut self) -> Result<(), Stop> {
        let malformed = |what: &str| Stop::Refuted(format!("a malformed certificate: {what}"));
        for (symbol, slot) in &self.symbols {
            let sort = match slot {
                Slot::Local { depth, var } | Slot::Before { depth, var } => {
                    let known = self.program.cfa.variables.get(*var);
                    let fits = known.is_some_and(|known| match known.scope {
                        Scope::Local(_) => *depth > 0,
                        Scope::Global => *depth == 0 && matches!(slot, Slot::Before { .. }),
                        Scope::Address(_) => false,
                    });
                    fits.then(|| self.terms.var_sort(*var))
                }
                Slot::Bytes { object, offset, length } => {
                    let object = self.program.cfa.objects.get(*object);
                    let inside = object.is_some_and(|object| {
                        offset.checked_add(u64::from(*length)).is_some_and(|end| end <= object.size)
                            && !matches!(object.kind, ObjectKind::Code(_))
                    });
                    (inside && *length > 0 && *length <= 16).then(|| Sort::Bv(8 * length))
                }
            };
            let is_own = self.program.cfa.variables.get(*symbol).is_none();
            if !is_own || sort != Some(self.terms.var_sort(*symbol)) {
                return Err(malformed("a symbol of another sort than its slot"));
            }
        }
        for claim in std::mem::take(&mut self.unplaced) {
            self.look()?;
            let place = self.placed(claim.head, &claim.calls, claim.formula).map_err(malformed)?;
            if !self.map.is_head(claim.head) {
                return Err(malformed("rounds of what is no loop"));
            }
            if self.loop_claims.insert(place, claim).is_some() {
                return Err(malformed("two claims about the rounds of one loop"));
            }
        }
        for index in 0..self.entries.len() {
            self.look()?;
            let entry = self.entries[index].clone();
            let (claim, role) = self.roles[index];
            self.enter(claim);
            let place =
                self.placed(entry.location, &entry.calls, entry.formula).map_err(malformed)?;
            self.mentioned.push(self.terms.vars(entry.formula).into());
            if entry.kept.iter().any(|kept| self.first_bytes(kept).is_none()) {
                return Err(malformed("an object without first bytes"));
            }
            let function = self.functions.function(claim).map(|id| &self.program.cfa.functions[id]);
            let is_there = match (role, function) {
                (Role::Before, Some(function)) => place.location == function.entry,
                (Role::After, Some(function)) => place.location == function.exit,
                _ => true,
            };
            if !is_there || (function.is_some() && !entry.calls.is_empty()) {
                return Err(malformed("a claim about a function that is made elsewhere"));
            }
            if role == Role::Within {
                self.by_place.entry((claim, place)).or_default().push(index);
            }
        }
        Ok(())
    }

    /// The place of a claim, if its formula speaks of what is there.
    fn placed(
        &mut self,
        location: LocId,
        calls: &[EdgeId],
        formula: TermId,
    ) -> Result<Place, &'static str> {
        let Some(function) = self.program.cfa.locations.get(location).map(|at| at.function) else {
            return Err("an entry at no location");
        };
        let Some(stack) = self.map.of_calls(calls) else {
            return Err("calls that do not follow each other");
        };
        if self.map.function(stack, self.map.depth(stack)) != Some(function) {
            return Err("calls that do not lead to the location");
        }
        if self.terms.sort(formula) != Sort::Bool {
            return Err("a formula that is none");
        }
        if !self.terms.vars(formula).into_iter().all(|var| self.may_occur(var, stack)) {
            return Err("a symbol that means nothing at its place");
        }
        Ok(Place { location, stack })
    }

    fn may_occur(&self, var: Var, stack: run::StackId) -> bool {
        match (self.program.cfa.variables.get(var), self.symbols.get(&var)) {
            (Some(known), _) => !matches!(known.scope, Scope::Local(_)),
            // The variable may be of another function: where calls are put in place, variables of callees belong to the
            // activation of the caller.
            (None, Some(Slot::Local { depth, .. })) => self.map.function(stack, *depth).is_some(),
            (None, Some(Slot::Before { depth, .. })) => {
                let is_there = *depth == 0 || self.map.function(stack, *depth).is_some();
                self.rounds.is_some() && is_there
            }
            (None, Some(Slot::Bytes { .. })) => true,
            (None, None) => false,
        }
    }

    /// The size of an object that holds bytes from the start and that can be written.
    fn first_bytes(&self, kept: &Kept) -> Option<u64> {
        let object = self.program.cfa.objects.get(kept.object)?;
        let has = object.kind == ObjectKind::Data && matches!(object.contents, Contents::Bytes(..));
        has.then_some(object.size)
    }

    /// The executions that an entry stands for. `None`: there are none.
    pub(crate) fn open(&mut self, index: usize) -> Option<State> {
        let entry = self.entries[index].clone();
        let stack = self.map.of_calls(&entry.calls)?;
        let mut memory = Memory::default();
        for kept in &entry.kept {
            self.keep_first_bytes(&mut memory, kept);
        }
        for symbol in self.terms.vars(entry.formula) {
            if let Some(Slot::Bytes { object, offset, length }) = self.symbols.get(&symbol).copied()
            {
                let value = self.terms.var(symbol);
                let base = Base::Initial(object);
                memory.get_mut(self.program, base).write(&mut self.terms, offset, length, value);
            }
        }
        let depth = self.map.depth(stack);
        let mut state = State {
            stack,
            low: depth,
            guard: Guard::default(),
            values: Rc::default(),
            memory: Rc::new(memory),
            rough: None,
        };
        self.known = self.conjuncts(entry.formula)?;
        let mut bound = FxHashMap::default();
        for formula in self.known.clone() {
            self.bind(&mut bound, formula);
        }
        self.put(&mut state, &bound);
        Some(state)
    }

    /// Restricts executions that return from a function to those for which an entry at its exit holds. Everything that
    /// the function may change is arbitrary before. Gives `false` if the entry holds for none.
    pub(crate) fn assume_entry(&mut self, state: &mut State, index: usize) -> bool {
        let entry = self.entries[index].clone();
        let Some(parts) = self.conjuncts(entry.formula) else { return false };
        let callee = self.program.cfa.locations[entry.location].function;
        let writes = self.functions.writes(callee);
        for kept in entry.kept.iter().filter(|_| writes) {
            self.keep_first_bytes(state.memory(), kept);
        }
        let mut bound = FxHashMap::default();
        for formula in parts {
            self.bind(&mut bound, formula);
        }
        // A value that the function has not changed stays as it is, and the formula then says something of this value.
        bound.retain(|symbol, _| match self.symbols.get(symbol) {
            None => self.functions.assigns(self.program, callee, *symbol),
            Some(Slot::Local { var, .. } | Slot::Before { var, .. }) => {
                self.functions.assigns(self.program, callee, *var)
            }
            Some(Slot::Bytes { .. }) => writes,
        });
        self.put(state, &bound);
        let mentioned = Rc::clone(&self.mentioned[index]);
        let holds = self.meaning_of(state, None, entry.formula, &mentioned);
        state.guard.add(&self.terms, holds)
    }

    /// The parts of a formula that all have to hold. `None`: the formula is false.
    fn conjuncts(&self, formula: TermId) -> Option<Vec<TermId>> {
        let (mut todo, mut parts) = (vec![formula], Vec::new());
        while let Some(formula) = todo.pop() {
            if self.terms.is_false(formula) {
                return None;
            }
            match self.terms.view(formula) {
                View::App(Op::And, inner) => todo.extend(inner),
                _ => parts.push(formula),
            }
        }
        Some(parts)
    }

    /// Notes that an object holds its first bytes, but for exceptions.
    fn keep_first_bytes(&mut self, memory: &mut Memory, kept: &Kept) {
        let base = Base::Initial(kept.object);
        let background = Some(Background::Initial(kept.object));
        let mut object = Object { background, ..unknown(self.program, base) };
        let spared = kept
            .except
            .iter()
            .fold(0_u64, |sum, (from, to)| sum.saturating_add(to.saturating_sub(*from)));
        if spared > MOST_BYTES {
            return;
        }
        for (from, to) in &kept.except {
            let to = (*to).min(object.size.unwrap_or(0));
            for at in *from..to {
                let any = anything(&mut self.terms, 1);
                object.write(&mut self.terms, at, 1, any);
            }
        }
        memory.objects.insert(base, object);
    }

    /// By how much less the depth of an activation is in an entry of a claim about a function than in this state.
    fn shift(&self, state: &State) -> u32 {
        if self.functions.is_empty() { 0 } else { self.map.depth(state.stack) - 1 }
    }

    /// Notes the value of a symbol if a formula says it: the formula is the symbol, its negation, or an equation of the
    /// symbol with a term that has no variables but constant addresses.
    fn bind(&mut self, bound: &mut FxHashMap<Var, TermId>, formula: TermId) {
        let (symbol, value) = match self.terms.view(formula) {
            View::Var(symbol) => (symbol, self.terms.bool(true)),
            View::App(Op::Not, [inner]) => match self.terms.view(*inner) {
                View::Var(symbol) => (symbol, self.terms.bool(false)),
                _ => return,
            },
            View::App(Op::Eq, &[a, b]) => match (self.assignable(a), self.assignable(b)) {
                (Some(symbol), _) if self.is_constant(b) => (symbol, b),
                (_, Some(symbol)) if self.is_constant(a) => (symbol, a),
                _ => return,
            },
            _ => return,
        };
        if self.is_global(symbol) || self.symbols.contains_key(&symbol) {
            bound.entry(symbol).or_insert(value);
        }
    }

    /// The symbol that a term is, if it is one that can be given a value.
    fn assignable(&self, term: TermId) -> Option<Var> {
        let View::Var(symbol) = self.terms.view(term) else { return None };
        (self.is_global(symbol) || self.symbols.contains_key(&symbol)).then_some(symbol)
    }

    fn is_constant(&self, term: TermId) -> bool {
        self.terms.value(term).is_some()
            || self.terms.vars(term).into_iter().all(|var| {
                let known = self.program.cfa.variables.get(var);
                known.is_some_and(|known| matches!(known.scope, Scope::Address(_)))
            })
    }

    /// Assigns the values of symbols to the variables and bytes that the symbols stand for.
    fn put(&mut self, state: &mut State, bound: &FxHashMap<Var, TermId>) {
        let shift = self.shift(state);
        let mut sorted: Vec<(Var, TermId)> =
            bound.iter().map(|(var, value)| (*var, *value)).collect();
        sorted.sort_unstable();
        for (symbol, value) in sorted {
            match self.symbols.get(&symbol).copied() {
                None => state.assign((0, symbol), value),
                Some(Slot::Local { depth, var }) => state.assign((depth + shift, var), value),
                // Entries do not speak of loops.
                Some(Slot::Before { .. }) => {}
                Some(Slot::Bytes { object, offset, length }) => {
                    let object = state.memory().get_mut(self.program, Base::Initial(object));
                    object.write(&mut self.terms, offset, length, value);
                }
            }
        }
    }

    /// An entry as a formula over what was there at the start of the walk.
    pub(crate) fn holds(&mut self, state: &mut State, index: usize) -> TermId {
        let formula = self.entries[index].formula;
        let mut parts = Vec::new();
        for kept in self.entries[index].kept.clone() {
            let part = self.is_kept(state, &kept);
            if self.terms.is_false(part) {
                return part;
            }
            parts.push(part);
        }
        let mentioned = Rc::clone(&self.mentioned[index]);
        parts.push(self.meaning_of(state, None, formula, &mentioned));
        self.terms.and(&parts)
    }

    /// The formula of a claim in a state. `entered` is the state at the entry of the loop, which the formula may
    /// refer to.
    pub(crate) fn meaning(
        &mut self,
        state: &mut State,
        entered: Option<&State>,
        formula: TermId,
    ) -> TermId {
        let mentioned = self.terms.vars(formula);
        self.meaning_of(state, entered, formula, &mentioned)
    }

    fn meaning_of(
        &mut self,
        state: &mut State,
        entered: Option<&State>,
        formula: TermId,
        mentioned: &[Var],
    ) -> TermId {
        let shift = self.shift(state);
        let mut values = FxHashMap::default();
        for symbol in mentioned.iter().copied() {
            let value = match (self.symbols.get(&symbol).copied(), entered) {
                (Some(Slot::Local { depth, var }), _) => self.read(state, (depth + shift, var)),
                (Some(Slot::Before { depth, var }), Some(entered)) => {
                    self.read(entered, (depth, var))
                }
                (Some(Slot::Bytes { object, offset, length }), _) => {
                    self.bytes(state, Base::Initial(object), offset, length)
                }
                (None, _) if self.is_global(symbol) => self.read(state, (0, symbol)),
                _ => continue,
            };
            values.insert(symbol, value);
        }
        self.terms.substitute(formula, &mut |var| values.get(&var).copied())
    }

    /// The formula that an object still holds the bytes that it has at the start, but for exceptions.
    fn is_kept(&mut self, state: &State, kept: &Kept) -> TermId {
        let object = state.memory.get(self.program, Base::Initial(kept.object));
        let initial = Background::Initial(kept.object);
        let size = object.size.unwrap_or(0);
        let is_excepted = |at: u64| kept.except.iter().any(|(from, to)| (*from..*to).contains(&at));
        let mut parts = Vec::new();
        let check = |checker: &mut Self, at: u64| {
            let now = object.peek(checker.program, &mut checker.terms, at, 1)?;
            let then = first(checker.program, &mut checker.terms, initial, at, 1)?;
            Some(checker.terms.eq(now, then))
        };
        if object.background == Some(initial) {
            for (start, (length, _)) in &object.cells {
                for at in (*start..start + u64::from(*length)).filter(|at| !is_excepted(*at)) {
                    match check(self, at) {
                        Some(part) => parts.push(part),
                        None => return self.terms.bool(false),
                    }
                }
            }
        } else {
            let uncovered = (0..size).filter(|at| !is_excepted(*at));
            for at in uncovered {
                match check(self, at) {
                    Some(part) => parts.push(part),
                    None => return self.terms.bool(false),
                }
            }
        }
        self.terms.and(&parts)
    }
}
