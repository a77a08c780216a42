//! The executor: where states start, how they go on, how they meet.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base::{Id as _, IndexVec};
use cfa::{Cfa, Contents as Initial, EdgeId, FuncId, LocId, Op, Scope, StorageKind};
use run::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Terms, Value, Var, View};

use crate::contents::{Access, Contents, Under};
use crate::event::{Event, Happening, Scenario};
use crate::guard::{Guard, Guards};
use crate::ids::{ObjectIndex, Source};
use crate::memory::Memory;
use crate::object::{FixedObject, Objects};
use crate::outline::Outline;
use crate::parts::{Origin, Parts};
use crate::reading::{Loose, OutsideReading};
use crate::state::{Frame, Slot, State};

/// What contents need of an executor.
macro_rules! access {
    ($executor:expr, $terms:expr) => {
        Access {
            terms: $terms,
            objects: &mut $executor.objects,
            arrays: &mut $executor.arrays,
            sources: &$executor.sources,
            foreign: &mut $executor.foreign,
            forgotten: &mut $executor.forgotten,
            address_width: $executor.cfa.address_width,
        }
    };
}
pub(crate) use access;

/// Executes a program with symbols for what is not fixed.
///
/// All methods take the same table of terms: that of the program, which grows by symbols.
pub struct Executor<'p> {
    pub(crate) cfa: &'p Cfa,
    pub(crate) outline: Rc<Outline>,
    pub(crate) guards: Guards,
    pub(crate) objects: Objects,
    /// Memory when each object began: the object overlaps with nothing that was alive then.
    pub(crate) before: IndexVec<ObjectIndex, Memory>,
    /// For each source whether its values may be addresses that the program does not know.
    pub(crate) sources: IndexVec<Source, bool>,
    /// Symbols of open variables.
    symbols: FxHashMap<(Source, Var), TermId>,
    /// Symbols of open contents.
    pub(crate) arrays: FxHashMap<(Source, ObjectIndex), TermId>,
    /// Symbols whose values come from outside the program.
    pub(crate) foreign: FxHashSet<Var>,
    /// Symbols that stand for values of the program which were forgotten: they may be addresses of
    /// any objects.
    pub(crate) forgotten: FxHashSet<Var>,
    /// The memory outside, as an object whose offsets are addresses.
    pub(crate) region: Option<ObjectIndex>,
    /// Addresses in the memory outside that were accessed, without what is added to them.
    pub(crate) roots: Vec<TermId>,
    pub(crate) known_roots: FxHashSet<TermId>,
    pub(crate) reading: OutsideReading,
    pub(crate) loose: Loose,
    pub(crate) events: Vec<Event>,
    /// The values of the symbols that stand for values of a path.
    pub(crate) definitions: FxHashMap<Var, TermId>,
    pub(crate) addresses: FxHashMap<TermId, Rc<Parts>>,
    /// Conditions with comparisons of addresses decided; other terms are as they were.
    pub(crate) comparisons: FxHashMap<TermId, TermId>,
    /// The objects that values are computed from.
    pub(crate) origins: FxHashMap<TermId, Origin>,
    /// Whether the base of an object is in a term.
    pub(crate) based: FxHashMap<TermId, bool>,
    /// Whether a symbol from outside the program is in a term.
    pub(crate) outside: FxHashMap<TermId, bool>,
    budget: Budget,
    /// How many pieces of operations were executed.
    pieces: Cell<u32>,
    /// Whether an execution was ended because of a limit.
    halted: Cell<bool>,
}

/// How many pieces of an operation are executed from one look at the limits to the next.
const PIECES_PER_LOOK: u32 = 16;

impl<'p> Executor<'p> {
    /// An executor of a program.
    #[must_use]
    pub fn new(cfa: &'p Cfa, terms: &mut Terms) -> Self {
        let outline = Rc::new(Outline::of(cfa, terms));
        Self::with(cfa, outline, terms)
    }

    /// An executor of a program of which the outline is known.
    #[must_use]
    pub fn with(cfa: &'p Cfa, outline: Rc<Outline>, terms: &mut Terms) -> Self {
        let truth = terms.bool(true);
        Self {
            cfa,
            outline,
            guards: Guards::new(truth),
            objects: Objects::default(),
            before: IndexVec::new(),
            sources: IndexVec::new(),
            symbols: FxHashMap::default(),
            arrays: FxHashMap::default(),
            foreign: FxHashSet::default(),
            forgotten: FxHashSet::default(),
            region: None,
            roots: Vec::new(),
            known_roots: FxHashSet::default(),
            reading: OutsideReading::Exact,
            loose: Loose::default(),
            events: Vec::new(),
            definitions: FxHashMap::default(),
            addresses: FxHashMap::default(),
            comparisons: FxHashMap::default(),
            origins: FxHashMap::default(),
            based: FxHashMap::default(),
            outside: FxHashMap::default(),
            budget: Budget::default(),
            pieces: Cell::new(0),
            halted: Cell::new(false),
        }
    }

    /// Ends executions where they are as soon as a limit is passed. Such an execution meets
    /// something that is not modelled, so that nothing is concluded from its end.
    pub fn keep_within(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    /// Whether a long operation should end. Only every few calls look at the limits.
    pub(crate) fn is_halted(&self) -> bool {
        self.pieces.set(self.pieces.get().wrapping_add(1));
        let halted =
            self.pieces.get().is_multiple_of(PIECES_PER_LOOK) && self.budget.exceeded().is_some();
        self.halted.set(self.halted.get() || halted);
        halted
    }

    /// Whether an execution was ever ended because the executor had to halt.
    #[must_use]
    pub fn was_halted(&self) -> bool {
        self.halted.get()
    }

    /// Where all executions start; `None` if the program has no start.
    pub fn start(&mut self, terms: &mut Terms) -> Option<State> {
        let function = self.cfa.start?;
        let mut memory = Memory::default();
        let alive = terms.bool(true);
        let width = self.cfa.address_width;
        for object in &self.cfa.objects {
            let size = if matches!(StorageKind::from(object.kind), StorageKind::Code) {
                1
            } else {
                object.size
            };
            let (under, initial) = match &object.contents {
                Initial::Bytes(bytes, _) => (Under::Bytes(Rc::from(&bytes[..])), None),
                Initial::Arbitrary => {
                    let source = self.source();
                    (Under::Open(source), Some(source))
                }
            };
            let known = FixedObject {
                base: terms.var(object.address),
                size: terms.bv(width, u128::from(size)),
                bytes: Some(size),
                align: object.align,
                kind: object.kind.into(),
                unit: None,
                initial,
            };
            self.begin(terms, &mut memory, Some(object.address), known, under);
        }
        if let Some(outside) = self.cfa.outside {
            self.begin_region(terms, outside, &mut memory);
        }
        let objects = self.objects.table.ids().zip(&self.cfa.objects);
        for (index, object) in objects.collect::<Vec<_>>() {
            let Initial::Bytes(_, patches) = &object.contents else { continue };
            for patch in patches {
                let offset = terms.bv(width, u128::from(patch.offset));
                let value = self.stored(terms, patch.value);
                let mut access = access!(self, terms);
                memory.change(index, |object| {
                    object.contents.store(&mut access, index, offset, value, alive);
                });
            }
        }
        let open = self.source();
        let count = self.cfa.variables.iter().filter(|known| known.scope == Scope::Global).count();
        let mut state = State {
            location: self.cfa.functions[function].entry,
            guard: Guards::always(),
            globals: Rc::new(vec![Slot::Open(open); count]),
            frames: Vec::new(),
            memory,
            trail: Vec::new(),
        };
        self.event(&state, 0, Happening::Call(open));
        self.enter(&mut state, function, None);
        Some(state)
    }

    /// Has the memory outside begin. Its base is zero, so that offsets in it are addresses.
    fn begin_region(&mut self, terms: &mut Terms, outside: cfa::Outside, memory: &mut Memory) {
        let width = self.cfa.address_width;
        let source = self.source();
        let known = FixedObject {
            base: terms.bv(width, 0),
            size: terms.bv(width, u128::from(outside.to)),
            bytes: None,
            align: 1,
            kind: StorageKind::Data,
            unit: Some(0),
            initial: Some(source),
        };
        self.region = Some(self.begin(terms, memory, None, known, Under::Open(source)));
    }

    /// The memory outside, as an object.
    #[must_use]
    pub fn region(&self) -> Option<ObjectIndex> {
        self.region
    }

    /// A new source of open values.
    pub(crate) fn source(&mut self) -> Source {
        self.sources.push(false)
    }

    /// A new source of values that may point to objects which the state does not have.
    pub(crate) fn foreign_source(&mut self) -> Source {
        self.sources.push(true)
    }

    /// Puts an activation on top, with every variable open.
    pub(crate) fn enter(&mut self, state: &mut State, function: FuncId, call: Option<EdgeId>) {
        let source = self.source();
        if let Some(call) = call {
            // The number of the call, so that two calls from one place are told apart.
            state.trail.push(call.index() as u32);
        }
        let start = state.trail.len();
        let called = &self.cfa.functions[function];
        state.frames.push(Frame {
            function,
            call,
            locals: Rc::new(vec![Slot::Open(source); called.locals.len()]),
            start,
            objects: Rc::default(),
        });
        state.location = called.entry;
        self.outline.order.enter(&mut state.trail, called.entry);
        self.event(state, 0, Happening::Call(source));
    }

    /// Moves control within the topmost activation.
    pub(crate) fn go(&self, state: &mut State, source: LocId, target: LocId) {
        let start = state.frames.last().map_or(0, |frame| frame.start);
        self.outline.order.go(&mut state.trail, start, source, target);
        state.location = target;
    }

    pub(crate) fn event(&mut self, state: &State, op: u32, what: Happening) {
        let place = state.trail.as_slice().into();
        self.events.push(Event { place, op, guard: state.guard, what });
    }

    /// What happened so far, in no particular order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The conditions of a guard.
    #[must_use]
    pub fn conditions(&self, guard: Guard) -> Vec<TermId> {
        self.guards.beyond(guard, Guards::always())
    }

    /// How many conditions a guard has.
    #[must_use]
    pub fn length(&self, guard: Guard) -> usize {
        self.guards.length(guard)
    }

    /// The guard with the first `length` conditions of a guard.
    #[must_use]
    pub fn prefix(&self, guard: Guard, length: usize) -> Guard {
        self.guards.prefix(guard, length)
    }

    /// What happens in the execution that a model describes, in order; the model is given by the
    /// truth of conditions.
    pub fn scenario(&self, holds: &mut dyn FnMut(TermId) -> bool) -> Scenario {
        let values = self.guards.valuate(holds);
        let mut events: Vec<Event> =
            self.events.iter().filter(|event| values[event.guard]).cloned().collect();
        events.sort_by(|a, b| (&a.place, a.op).cmp(&(&b.place, b.op)));
        Scenario { events }
    }

    /// The symbol of an open variable, if the variable was ever read.
    #[must_use]
    pub fn symbol(&self, source: Source, var: Var) -> Option<TermId> {
        self.symbols.get(&(source, var)).copied()
    }

    /// The bytes that an object had at its beginning, as a bit-vector, if they were arbitrary and were ever read.
    pub fn initial_bytes(
        &mut self,
        terms: &mut Terms,
        object: ObjectIndex,
        offset: u64,
        length: u64,
    ) -> Option<TermId> {
        let source = self.objects.table.get(object)?.initial?;
        self.arrays.get(&(source, object))?;
        let offset = terms.bv(self.cfa.address_width, u128::from(offset));
        let mut contents = Contents::new(Under::Open(source));
        Some(contents.load(&mut access!(self, terms), object, offset, length))
    }

    /// The object that an address points into and the offset there, in a model that is given by the values of terms.
    pub fn locate(
        &mut self,
        terms: &mut Terms,
        address: TermId,
        value: &mut dyn FnMut(&Terms, TermId) -> Value,
    ) -> Option<(ObjectIndex, u64)> {
        let parts = self.parts(terms, address);
        let target =
            parts.targets.iter().find(|target| value(terms, target.condition) == Value::Bool(true));
        let (object, offset) = match target {
            Some(target) => (target.object, target.offset),
            None => (self.region?, address),
        };
        Some((object, value(terms, offset).as_bv()?.to_u64()?))
    }

    /// The address and the size of an object.
    #[must_use]
    pub fn extent(&self, object: ObjectIndex) -> Option<(TermId, TermId)> {
        self.objects.table.get(object).map(|known| (known.base, known.size))
    }

    /// The value of a variable.
    pub(crate) fn read(&mut self, terms: &mut Terms, state: &State, var: Var) -> TermId {
        // A symbol that is no variable has the same value in every state.
        let Some(known) = self.cfa.variables.get(var) else { return terms.var(var) };
        match known.scope {
            Scope::Address(_) => terms.var(var),
            Scope::Global => {
                let slot = state.globals[self.outline.slots[var]];
                self.slot(terms, slot, var)
            }
            Scope::Local(_) => match state.frames.last() {
                Some(frame) => {
                    let slot = frame.locals[self.outline.slots[var]];
                    self.slot(terms, slot, var)
                }
                None => terms.var(var),
            },
        }
    }

    fn slot(&mut self, terms: &mut Terms, slot: Slot, var: Var) -> TermId {
        match slot {
            Slot::Term(term) => term,
            Slot::Open(source) => {
                if let Some(symbol) = self.symbols.get(&(source, var)) {
                    return *symbol;
                }
                let name = format!("{}#{}", terms.var_name(var), source.index());
                let symbol = terms.declare(name, terms.var_sort(var));
                if self.sources[source] {
                    self.foreign.insert(symbol);
                    self.forgotten.insert(symbol);
                }
                let symbol = terms.var(symbol);
                self.symbols.insert((source, var), symbol);
                symbol
            }
        }
    }

    pub(crate) fn assign(&mut self, state: &mut State, var: Var, slot: Slot) {
        let place = self.outline.slots[var];
        match self.cfa.variables[var].scope {
            Scope::Global => Rc::make_mut(&mut state.globals)[place] = slot,
            Scope::Local(_) => {
                if let Some(frame) = state.frames.last_mut() {
                    Rc::make_mut(&mut frame.locals)[place] = slot;
                }
            }
            Scope::Address(_) => {}
        }
    }

    /// A term of the program as it is in a state.
    pub(crate) fn eval(&mut self, terms: &mut Terms, state: &State, term: TermId) -> TermId {
        match terms.view(term) {
            View::Const(_) => term,
            View::Var(var) => self.read(terms, state, var),
            View::App(..) => {
                let vars = terms.vars(term);
                let values: FxHashMap<Var, TermId> =
                    vars.iter().map(|var| (*var, self.read(terms, state, *var))).collect();
                terms.substitute(term, &mut |var| values.get(&var).copied())
            }
        }
    }

    /// A value as memory holds it.
    pub(crate) fn stored(&self, terms: &mut Terms, value: TermId) -> TermId {
        match terms.sort(value) {
            term::Sort::Float(_) => terms.fp_to_bits(value),
            _ => value,
        }
    }

    /// Takes a state along every edge, and gives the states that come out.
    pub fn step(&mut self, terms: &mut Terms, state: State, out: &mut Vec<State>) {
        let here = state.location;
        if self.cfa.locations[here].error {
            self.event(&state, 0, Happening::Error(here));
            return;
        }
        if self.is_exit(&state) {
            out.extend(self.leave(terms, state));
            return;
        }
        let edges = &self.cfa.locations[here].edges;
        let mut state = state;
        let free = !self.outline.deterministic[here];
        for (index, edge) in edges.iter().enumerate() {
            let last = index + 1 == edges.len();
            let mut taken = state.clone();
            if free && !last {
                let choice = terms.declare(format!("edge#{}", edge.index()), term::Sort::Bool);
                let choice = terms.var(choice);
                let other = terms.not(choice);
                let (Some(yes), Some(no)) = (
                    self.guards.extend(terms, state.guard, choice),
                    self.guards.extend(terms, state.guard, other),
                ) else {
                    continue;
                };
                taken.guard = yes;
                state.guard = no;
            }
            if free {
                self.event(&taken, 0, Happening::Edge(*edge));
            }
            out.extend(self.take(terms, taken, *edge));
        }
    }

    /// Whether control is where a function returns.
    #[must_use]
    pub fn is_exit(&self, state: &State) -> bool {
        let function = self.cfa.locations[state.location].function;
        self.cfa.functions[function].exit == state.location
    }

    /// Takes a state along one edge of its location; `None` if it clearly cannot be taken.
    pub fn take(&mut self, terms: &mut Terms, mut state: State, edge: EdgeId) -> Option<State> {
        let taken = &self.cfa.edges[edge];
        for (number, op) in taken.ops.iter().enumerate() {
            if let Op::Call { callee, arguments, .. } = op {
                let values: Vec<TermId> =
                    arguments.iter().map(|each| self.eval(terms, &state, *each)).collect();
                self.enter(&mut state, *callee, Some(edge));
                let parameters = &self.cfa.functions[*callee].parameters;
                for (parameter, value) in parameters.iter().zip(values) {
                    self.assign(&mut state, *parameter, Slot::Term(value));
                }
                return Some(state);
            }
            self.perform(terms, &mut state, edge, number as u32, op)?;
        }
        self.go(&mut state, taken.source, taken.target);
        Some(state)
    }

    /// Returns from the topmost activation; `None` at the end of the program.
    pub fn leave(&mut self, terms: &mut Terms, mut state: State) -> Option<State> {
        let frame = state.frames.pop()?;
        let call = frame.call?;
        let no = terms.bool(false);
        for object in frame.objects.iter() {
            state.memory.change(*object, |object| object.alive = no);
        }
        let edge = &self.cfa.edges[call];
        state.trail.truncate(frame.start - 1);
        let results = &self.cfa.functions[frame.function].results;
        if let Some(Op::Call { results: targets, .. }) = edge.ops.last() {
            for (target, result) in targets.iter().zip(results) {
                // A result that was never set stays open, under its own name.
                let value = self.slot(terms, frame.locals[self.outline.slots[*result]], *result);
                self.assign(&mut state, *target, Slot::Term(value));
            }
        }
        self.go(&mut state, edge.source, edge.target);
        Some(state)
    }

    /// Formulas that hold together exactly if one of some guards holds.
    pub fn any(&self, terms: &mut Terms, guards: &[Guard]) -> Vec<TermId> {
        self.guards.any(terms, guards)
    }

    /// Joins states of one place; `None` if there are none. States whose guards have most in common are joined first,
    /// so that few conditions tell joined states apart.
    ///
    /// # Panics
    /// If the states are not of one place.
    pub fn merge_all(&mut self, terms: &mut Terms, states: Vec<State>) -> Option<State> {
        // States by a guard that their own guards are known to extend; each state with its number, to keep the order.
        let mut groups: BTreeMap<Guard, Vec<(usize, State)>> = BTreeMap::new();
        for (number, state) in states.into_iter().enumerate() {
            groups.entry(state.guard).or_default().push((number, state));
        }
        while let Some((guard, mut group)) = groups.pop_last() {
            group.sort_by_key(|(number, _)| *number);
            let joined = group.into_iter().reduce(|(number, a), (_, b)| {
                let joined = self.merge(terms, a, &b);
                (number, joined)
            });
            if groups.is_empty() {
                return joined.map(|(_, state)| state);
            }
            groups.entry(self.guards.parent(guard)).or_default().extend(joined);
        }
        None
    }

    /// Joins two states of one place.
    ///
    /// # Panics
    /// If the states are not of one place.
    pub fn merge(&mut self, terms: &mut Terms, mut a: State, b: &State) -> State {
        assert_eq!(a.trail, b.trail, "only states of one place are merged");
        let common = self.guards.common(a.guard, b.guard);
        let only_a = terms.and(&self.guards.beyond(a.guard, common));
        let only_b = terms.and(&self.guards.beyond(b.guard, common));
        let either = terms.or2(only_a, only_b);
        a.guard = self.guards.extend(terms, common, either).unwrap_or(common);
        let vars = self.cfa.variables.entries();
        if !Rc::ptr_eq(&a.globals, &b.globals) {
            let vars: Vec<Var> = vars
                .filter(|(_, known)| known.scope == Scope::Global)
                .map(|(var, _)| var)
                .collect();
            self.merge_slots(terms, only_a, &mut a.globals, &b.globals, &vars);
        }
        for (mine, theirs) in a.frames.iter_mut().zip(&b.frames) {
            let cfa = self.cfa;
            let locals = &cfa.functions[mine.function].locals;
            self.merge_slots(terms, only_a, &mut mine.locals, &theirs.locals, locals);
            if mine.objects != theirs.objects {
                let objects = Rc::make_mut(&mut mine.objects);
                objects.extend(theirs.objects.iter());
                objects.sort_unstable();
                objects.dedup();
            }
        }
        let mut memory = std::mem::take(&mut a.memory);
        memory.merge(&mut access!(self, terms), only_a, &b.memory);
        a.memory = memory;
        a
    }

    fn merge_slots(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        mine: &mut Rc<Vec<Slot>>,
        theirs: &Rc<Vec<Slot>>,
        vars: &[Var],
    ) {
        if Rc::ptr_eq(mine, theirs) {
            return;
        }
        for var in vars {
            let place = self.outline.slots[*var];
            let (a, b) = (mine[place], theirs[place]);
            if a != b {
                let (a, b) = (self.slot(terms, a, *var), self.slot(terms, b, *var));
                let merged = terms.ite(condition, a, b);
                Rc::make_mut(mine)[place] = Slot::Term(merged);
            }
        }
    }
}
