//! The product of a program and an automaton, as a program: so every engine can search it.
//!
//! A location of the product is a location of the program with a state of the automaton. At calls and
//! returns the state is passed on in a variable, so that a function is there once, with one entry and
//! one exit. Which exits belong to which entry is found by tabulation, so that loops of the product
//! are loops of both program and automaton.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op, Program, Reading, Scope, Variable};
use interp::Site;
use passes::{Back, LocationOrigin, OperationOrigin, Rewritten};
use run::{Budget, Exceeded, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Var};

use crate::automaton::{Automaton, StateId};
use crate::ways::landing;

/// What becomes of executions whose last state in the automaton is final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The executions end where the automaton has decided.
    Cut,
    /// The executions are what is looked for, and end where the automaton has decided.
    Target,
    /// The executions go on.
    Free,
}

/// Which executions are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// What becomes of executions in a safe cone.
    pub on_true: Fate,
    /// What becomes of executions that were not analysed.
    pub on_false: Fate,
    /// Whether executions that end while the automaton is in [`StateId::TRUE`] are looked for.
    pub at_end: bool,
    /// Whether errors are looked for that executions reach by steps which were not analysed.
    pub errors: bool,
}

impl Goal {
    /// Shortest executions that were not analysed.
    pub(crate) const FRONTIER: Self =
        Self { on_true: Fate::Cut, on_false: Fate::Target, at_end: false, errors: true };
    /// Shortest executions after which everything was analysed.
    pub(crate) const CONES: Self =
        Self { on_true: Fate::Target, on_false: Fate::Cut, at_end: false, errors: false };
    /// Errors that were not analysed: what is left to verify.
    pub(crate) const REST: Self =
        Self { on_true: Fate::Cut, on_false: Fate::Free, at_end: false, errors: true };
}

/// What an error location of the product stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// Why it is looked for.
    pub kind: TargetKind,
    /// The location of the program where executions arrive.
    pub location: LocId,
}

/// Why a target is looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TargetKind {
    /// The last step was not analysed.
    Frontier,
    /// The last step was not analysed, and something on it is not modelled.
    Unsupported,
    /// The next step may be an error: no analysis could decide.
    Undecided,
    /// All that can follow was analysed.
    Cone,
    /// The program ends here.
    End,
    /// The property is violated.
    Violation,
}

/// The product of a program and an automaton.
pub struct Product {
    /// The program, and the way back.
    pub rewritten: Rewritten,
    /// What each error location of the product stands for.
    pub targets: BTreeMap<LocId, Target>,
    /// The errors that it looks for, with the calls of the functions that they are in.
    pub errors: BTreeMap<LocId, BTreeSet<EdgeId>>,
    /// The locations of the program that executions may reach within what was analysed.
    pub analysed: BTreeSet<LocId>,
}

/// The product of a program and an automaton.
///
/// # Errors
/// If the product has more locations than `most`, or a limit is passed.
pub fn product(
    program: &Program,
    automaton: &mut dyn Automaton,
    goal: Goal,
    most: usize,
    budget: &Budget,
) -> Result<Product, TooLarge> {
    made(Builder::new(program, automaton, goal), most, budget)
}

/// The product in which executions are looked for that reach some locations of the program within what was analysed.
///
/// # Errors
/// Like [`product`].
pub(crate) fn product_to(
    program: &Program,
    automaton: &mut dyn Automaton,
    places: &BTreeSet<LocId>,
    most: usize,
    budget: &Budget,
) -> Result<Product, TooLarge> {
    let goal = Goal { on_true: Fate::Free, on_false: Fate::Cut, at_end: false, errors: false };
    let builder = Builder { places: places.clone(), ..Builder::new(program, automaton, goal) };
    made(builder, most, budget)
}

fn made(mut builder: Builder<'_>, most: usize, budget: &Budget) -> Result<Product, TooLarge> {
    builder.start();
    let mut looks = 0_u32;
    while let Some(found) = builder.todo.pop() {
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(LOOK) {
            budget.check().map_err(TooLarge::Limit)?;
        }
        if builder.made.locations.len() > most {
            return Err(TooLarge::Locations);
        }
        builder.expand(found);
    }
    builder.finish(budget).map_err(TooLarge::Limit)
}

/// The budget is looked at after this many locations: a step of an automaton may take long.
const LOOK: u32 = 64;

/// The budget is looked at after this many edges.
const MADE: usize = 4096;

/// At most this many steps that do nothing are skipped one after the other.
const MAX_FORWARD: usize = 16;

/// The locations that are left by a single step, which does nothing, each with the location that this step leads to. A
/// step to an error is kept, since an error is told by its location.
fn forwarding(cfa: &Cfa, drafts: &[Draft]) -> FxHashMap<LocId, LocId> {
    let mut leaving: FxHashMap<LocId, usize> = FxHashMap::default();
    for draft in drafts {
        *leaving.entry(draft.ends[0]).or_default() += 1;
    }
    let mut forward = FxHashMap::default();
    for Draft { ends: [from, to], edge, what } in drafts {
        let is_idle = edge.is_none() && matches!(what, What::Nothing);
        if is_idle && leaving.get(from) == Some(&1) && from != to && !cfa.locations[*to].error {
            forward.insert(*from, *to);
        }
    }
    forward
}

/// Why there is no product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// The product would have too many locations.
    Locations,
    /// A limit was passed while it was made.
    Limit(Exceeded),
}

/// How many steps may lead from a check to its error.
const MAX_CHAIN: usize = 32;

/// Whether a step from a location leads, whatever happens, to an error that was not analysed, and executions need not
/// take this step.
pub(crate) fn is_undecided(
    program: &Program,
    automaton: &mut dyn Automaton,
    state: StateId,
    at: LocId,
) -> bool {
    let edges = &program.cfa.locations[at].edges;
    inevitable(program, at).is_none()
        && edges.iter().any(|edge| fails(program, automaton, state, *edge))
}

/// The one edge that all executions take from a location, if there is one.
pub(crate) fn inevitable(program: &Program, at: LocId) -> Option<EdgeId> {
    let [only] = program.cfa.locations[at].edges[..] else { return None };
    let goes_on =
        |op: &Op| !matches!(op, Op::Assume(_) | Op::Exit(_) | Op::Abort | Op::Unsupported(_));
    program.cfa.edges[only].ops.iter().all(goes_on).then_some(only)
}

/// The steps from an edge to an error, if all executions that take the edge get there.
fn to_error(program: &Program, mut edge: EdgeId) -> Option<Vec<EdgeId>> {
    let mut edges = vec![edge];
    while edges.len() <= MAX_CHAIN {
        let at = landing(program, edge);
        if program.cfa.locations[at].error {
            return Some(edges);
        }
        edge = inevitable(program, at)?;
        edges.push(edge);
    }
    None
}

/// The locations of which [`is_undecided`] may be true.
pub(crate) fn decisive(program: &Program) -> BTreeSet<LocId> {
    let leads = |edge: &EdgeId| to_error(program, *edge).is_some();
    let is = |at: &LocId| {
        inevitable(program, *at).is_none() && program.cfa.locations[*at].edges.iter().any(leads)
    };
    program.cfa.locations.ids().filter(is).collect()
}

/// Whether an edge, with steps after it that all executions take, leads to an error that was not
/// analysed.
fn fails(program: &Program, automaton: &mut dyn Automaton, from: StateId, edge: EdgeId) -> bool {
    let Some(edges) = to_error(program, edge) else { return false };
    let mut state = from;
    for edge in edges {
        if state.is_final() {
            break;
        }
        let at = program.cfa.edges[edge].source;
        match automaton.step(state, at, Step::Edge(edge)) {
            Some(next) => state = next,
            None => return false,
        }
    }
    state == StateId::FALSE
}

/// The fact that an activation which was entered in one state gets to a location in another state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Found {
    entered: StateId,
    at: LocId,
    state: StateId,
}

/// A call that waits for exits: its edge, the location of the product after it, and in which state
/// the caller was entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Waiting {
    call: EdgeId,
    after: LocId,
    entered: StateId,
}

struct Builder<'a> {
    original: &'a Program,
    automaton: &'a mut dyn Automaton,
    goal: Goal,
    /// The locations of the program that searched executions end at.
    places: BTreeSet<LocId>,
    /// Whether the start function is called again, so that its exit need not be the end. Then ends are
    /// not looked for.
    start_is_called: bool,
    made: Cfa,
    locations: IndexVec<LocId, Option<LocationOrigin>>,
    edges: Vec<Draft>,
    images: FxHashMap<(LocId, StateId), LocId>,
    expanded: FxHashSet<LocId>,
    seen: FxHashSet<Found>,
    todo: Vec<Found>,
    /// The steps within functions that were found, by the location of the product that they leave.
    ways: FxHashMap<LocId, Vec<Found>>,
    /// The states in which each function is entered.
    entries: BTreeMap<FuncId, BTreeSet<StateId>>,
    /// The states in which an activation that was entered in a state returns.
    exits: FxHashMap<(FuncId, StateId), Vec<StateId>>,
    waiting: FxHashMap<(FuncId, StateId), Vec<Waiting>>,
    calls: FxHashMap<(EdgeId, StateId, StateId, LocId), LocId>,
    /// In how many states executions come to a location after a call.
    returns: FxHashMap<LocId, usize>,
    /// The locations between a step that stores the state in the variable and a call, each with the called function.
    noted: FxHashMap<LocId, FuncId>,
    targets: BTreeMap<(FuncId, Target), LocId>,
    /// The errors that are looked for, with the activations that lead there.
    open: BTreeMap<LocId, BTreeSet<(FuncId, StateId)>>,
}

/// An edge in the making.
struct Draft {
    ends: [LocId; 2],
    /// The edge of the original that it stands for.
    edge: Option<EdgeId>,
    what: What,
}

enum What {
    /// This many operations of the original edge.
    Ops(usize),
    Nothing,
    /// The state is stored in the variable.
    Set(StateId),
    /// The variable has this state.
    If(StateId),
}

impl<'a> Builder<'a> {
    fn new(original: &'a Program, automaton: &'a mut dyn Automaton, goal: Goal) -> Self {
        let mut made = original.cfa.clone();
        made.locations = IndexVec::new();
        made.edges = IndexVec::new();
        let mut locations = IndexVec::new();
        for id in original.cfa.functions.ids() {
            let known = &original.cfa.functions[id];
            for end in [known.entry, known.exit] {
                made.add_location(id);
                locations.push(Some(LocationOrigin { location: end, whole: false }));
            }
            let count = made.locations.len();
            made.functions[id].entry = base::Id::from_index(count - 2);
            made.functions[id].exit = base::Id::from_index(count - 1);
        }
        let start = original.cfa.start;
        let start_is_called =
            original.cfa.edges.iter().any(|edge| edge.callee().is_some_and(|f| Some(f) == start));
        Self {
            original,
            automaton,
            goal,
            places: BTreeSet::new(),
            start_is_called,
            made,
            locations,
            edges: Vec::new(),
            images: FxHashMap::default(),
            expanded: FxHashSet::default(),
            seen: FxHashSet::default(),
            todo: Vec::new(),
            ways: FxHashMap::default(),
            entries: BTreeMap::new(),
            exits: FxHashMap::default(),
            waiting: FxHashMap::default(),
            calls: FxHashMap::default(),
            returns: FxHashMap::default(),
            noted: FxHashMap::default(),
            targets: BTreeMap::new(),
            open: BTreeMap::new(),
        }
    }

    fn start(&mut self) {
        let Some(start) = self.original.cfa.start else { return };
        let state = self.automaton.initial();
        self.enter(start, state);
    }

    fn enter(&mut self, function: FuncId, state: StateId) {
        self.entries.entry(function).or_default().insert(state);
        let at = self.original.cfa.functions[function].entry;
        self.find(Found { entered: state, at, state });
    }

    fn find(&mut self, found: Found) {
        if self.seen.insert(found) {
            self.todo.push(found);
        }
    }

    /// The location of the product for a location with a state.
    fn image(&mut self, at: LocId, state: StateId) -> LocId {
        if let Some(known) = self.images.get(&(at, state)) {
            return *known;
        }
        let image = self.add_location(at);
        self.images.insert((at, state), image);
        image
    }

    fn add_location(&mut self, at: LocId) -> LocId {
        let known = &self.original.cfa.locations[at];
        let id = self.made.add_location(known.function);
        let place = &mut self.made.locations[id];
        place.name.clone_from(&known.name);
        place.span = known.span;
        self.locations.push(Some(LocationOrigin { location: at, whole: false }));
        id
    }

    /// The error location for a target, in the function of the step that leads there.
    fn target(&mut self, kind: TargetKind, location: LocId, from: LocId) -> LocId {
        let target = Target { kind, location };
        // A step that enters a function ends in the caller, for edges do not leave functions.
        let function = self.made.locations[from].function;
        if let Some(known) = self.targets.get(&(function, target)) {
            return *known;
        }
        let id = self.add_location(location);
        self.made.locations[id].function = function;
        self.made.locations[id].error = true;
        self.targets.insert((function, target), id);
        id
    }

    /// Computes the steps from a location with a state, only once, and follows these steps for one activation.
    fn expand(&mut self, found: Found) {
        let Found { entered, at, state } = found;
        let from = self.image(at, state);
        let function = self.original.cfa.locations[at].function;
        if self.original.cfa.functions[function].exit == at {
            self.leave(function, found, from);
            return;
        }
        if self.expanded.insert(from) {
            for edge in self.original.cfa.locations[at].edges.clone() {
                self.step(from, found, edge);
            }
            self.note_check(from, found);
            if self.places.contains(&at) && state != StateId::FALSE {
                let here = self.target(TargetKind::Frontier, at, from);
                self.edges.push(Draft { ends: [from, here], edge: None, what: What::Nothing });
            }
        } else if let Some(ways) = self.ways.get(&from).cloned() {
            // The steps from here were computed for another activation; this activation can take the same steps.
            for way in ways {
                self.find(Found { entered, ..way });
            }
        }
        for edge in self.original.cfa.locations[at].edges.clone() {
            if let Some(callee) = self.original.cfa.edges[edge].callee() {
                self.call(from, found, edge, callee);
            }
        }
    }

    /// Makes a target of a location in front of a check that no analysis could decide: the last location from which a
    /// step leads elsewhere than to the error.
    fn note_check(&mut self, from: LocId, found: Found) {
        let Found { at, state, .. } = found;
        if self.goal.on_false != Fate::Target || state.is_final() {
            return;
        }
        let program = self.original;
        if is_undecided(program, self.automaton, state, at) {
            let open = self.target(TargetKind::Undecided, at, from);
            self.edges.push(Draft { ends: [from, open], edge: None, what: What::Nothing });
        }
    }

    /// A step that is no call.
    fn step(&mut self, from: LocId, found: Found, id: EdgeId) {
        let edge = &self.original.cfa.edges[id];
        if edge.callee().is_some() {
            return;
        }
        let Some(after) = self.next(found.state, found.at, Step::Edge(id)) else { return };
        let ends = |op: &Op| matches!(op, Op::Exit(_));
        if let Some(place) = edge.ops.iter().position(ends)
            && self.goal.at_end
            && after == StateId::TRUE
        {
            let end = self.target(TargetKind::End, edge.target, from);
            self.edges.push(Draft { ends: [from, end], edge: Some(id), what: What::Ops(place) });
            return;
        }
        let whole = edge.ops.len();
        self.land(from, found, (Some(id), What::Ops(whole)), edge.target, after);
    }

    fn next(&mut self, state: StateId, at: LocId, step: Step) -> Option<StateId> {
        if state.is_final() { Some(state) } else { self.automaton.step(state, at, step) }
    }

    /// What becomes of executions in a state.
    fn fate(&self, state: StateId) -> Fate {
        match state {
            StateId::TRUE => self.goal.on_true,
            StateId::FALSE => self.goal.on_false,
            _ => Fate::Free,
        }
    }

    /// Adds the edge of a step to the location that the step leads to in this state, or to a target.
    fn land(
        &mut self,
        from: LocId,
        found: Found,
        (edge, what): (Option<EdgeId>, What),
        target: LocId,
        state: StateId,
    ) {
        if self.original.cfa.locations[target].error {
            if self.goal.errors && state == StateId::FALSE {
                let function = self.original.cfa.locations[found.at].function;
                self.open.entry(target).or_default().insert((function, found.entered));
                let error = self.target(TargetKind::Violation, target, from);
                self.edges.push(Draft { ends: [from, error], edge, what });
            }
            return;
        }
        match self.fate(state) {
            Fate::Cut => {}
            Fate::Target => {
                let (kind, what) = match (state, edge, what) {
                    (StateId::TRUE, _, what) => (TargetKind::Cone, what),
                    (_, Some(edge), What::Ops(all)) => {
                        let ops = &self.original.cfa.edges[edge].ops;
                        let stop = ops.iter().position(|op| matches!(op, Op::Unsupported(_)));
                        let kind = stop.map_or(TargetKind::Frontier, |_| TargetKind::Unsupported);
                        (kind, What::Ops(stop.unwrap_or(all)))
                    }
                    (_, _, what) => (TargetKind::Frontier, what),
                };
                let target = self.target(kind, target, from);
                self.edges.push(Draft { ends: [from, target], edge, what });
            }
            Fate::Free => {
                let to = self.image(target, state);
                self.edges.push(Draft { ends: [from, to], edge, what });
                let found = Found { at: target, state, ..found };
                self.ways.entry(from).or_default().push(found);
                self.find(found);
            }
        }
    }

    fn call(&mut self, from: LocId, found: Found, id: EdgeId, callee: FuncId) {
        let Some(state) = self.next(found.state, found.at, Step::Edge(id)) else { return };
        let entry = self.original.cfa.functions[callee].entry;
        if self.fate(state) != Fate::Free || self.original.cfa.locations[entry].error {
            let key = (id, state, found.state, from);
            if let std::collections::hash_map::Entry::Vacant(new) = self.calls.entry(key) {
                new.insert(from);
                self.land(from, found, (Some(id), What::Nothing), entry, state);
            }
            return;
        }
        let key = (id, state, found.entered, from);
        if self.calls.contains_key(&key) {
            return;
        }
        let before = self.add_location(found.at);
        let after = self.add_location(self.original.cfa.edges[id].target);
        self.calls.insert(key, after);
        self.noted.insert(before, callee);
        self.edges.push(Draft { ends: [from, before], edge: None, what: What::Set(state) });
        self.edges.push(Draft { ends: [before, after], edge: Some(id), what: What::Ops(1) });
        let waiting = Waiting { call: id, after, entered: found.entered };
        self.waiting.entry((callee, state)).or_default().push(waiting);
        for exit in self.exits.get(&(callee, state)).cloned().unwrap_or_default() {
            self.come_back(waiting, callee, exit);
        }
        self.enter(callee, state);
    }

    fn leave(&mut self, function: FuncId, found: Found, from: LocId) {
        let Found { entered, state, at } = found;
        let exit = self.made.functions[function].exit;
        if self.original.cfa.start == Some(function) && !self.start_is_called {
            if self.expanded.insert(from) {
                let ended = self.goal.at_end && state == StateId::TRUE;
                let to = if ended { self.target(TargetKind::End, at, from) } else { exit };
                self.edges.push(Draft { ends: [from, to], edge: None, what: What::Nothing });
            }
            return;
        }
        if self.expanded.insert(from) {
            let what = What::Set(state);
            self.edges.push(Draft { ends: [from, exit], edge: None, what });
        }
        self.exits.entry((function, entered)).or_default().push(state);
        for waiting in self.waiting.get(&(function, entered)).cloned().unwrap_or_default() {
            self.come_back(waiting, function, state);
        }
    }

    /// Adds the return from an exit in a state to the location behind the call.
    fn come_back(&mut self, waiting: Waiting, callee: FuncId, state: StateId) {
        let Waiting { call, after, entered } = waiting;
        let exit = self.original.cfa.functions[callee].exit;
        let Some(next) = self.next(state, exit, Step::Return(call)) else { return };
        let target = self.original.cfa.edges[call].target;
        let found = Found { entered, at: exit, state };
        *self.returns.entry(after).or_default() += 1;
        self.land(after, found, (None, What::If(state)), target, next);
    }

    fn finish(mut self, budget: &Budget) -> Result<Product, Exceeded> {
        let mut terms = self.original.terms.clone();
        let variables = self.original.cfa.variables.len();
        let sources = self.original.sources.clone();
        let mut cfa = std::mem::take(&mut self.made);
        let behind: FxHashSet<LocId> = self.original.cfa.behind_cuts.iter().copied().collect();
        let is_behind = |origin: &Option<LocationOrigin>| {
            origin.as_ref().is_some_and(|origin| behind.contains(&origin.location))
        };
        let images = self.locations.entries().filter(|(_, origin)| is_behind(origin));
        cfa.behind_cuts = images.map(|(image, _)| image).collect();
        let mut program = Program { terms: std::mem::take(&mut terms), cfa, sources };
        let state = program.declare(
            "@automaton",
            Sort::Bv(32),
            Variable {
                scope: Scope::Global,
                reading: Reading::Plain,
                source_name: None,
                span: None,
            },
        );
        for (function, states) in &self.entries {
            let entry = program.cfa.functions[*function].entry;
            let at = self.original.cfa.functions[*function].entry;
            for each in states {
                let Some(to) = self.images.get(&(at, *each)).copied() else { continue };
                let what = if states.len() > 1 { What::If(*each) } else { What::Nothing };
                self.edges.push(Draft { ends: [entry, to], edge: None, what });
            }
        }
        let drafts = self.shortened(&mut program);
        let mut edges = IndexVec::new();
        let mut ops = IndexVec::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            if number % MADE == MADE - 1 {
                budget.check()?;
            }
            let (made, sources) = self.ops(&mut program, state, &draft);
            let span = draft.edge.and_then(|edge| self.original.cfa.edges[edge].span);
            program.cfa.add_edge(draft.ends[0], draft.ends[1], made, span);
            edges.push(Some(draft.edge.into_iter().collect()));
            ops.push(sources);
        }
        let back = Back::noted(self.locations, edges, ops, variables);
        let mut errors: BTreeMap<LocId, BTreeSet<EdgeId>> = BTreeMap::new();
        for (error, activations) in self.open {
            let calls = errors.entry(error).or_default();
            for activation in activations {
                let waiting = self.waiting.get(&activation).into_iter().flatten();
                calls.extend(waiting.map(|waiting| waiting.call));
            }
        }
        let passed = self.images.keys().filter(|(_, state)| *state != StateId::FALSE);
        let analysed = passed.map(|(at, _)| *at).collect();
        let targets = self.targets.into_iter().map(|((_, target), id)| (id, target)).collect();
        Ok(Product { rewritten: Rewritten { program, back }, targets, errors, analysed })
    }

    /// The edges without those that do nothing: a state is stored only where the variable is read, and a location
    /// that is left only by a step that does nothing is replaced by the location that this step leads to. Without
    /// this, a product would have more locations than the program wherever a function is called.
    fn shortened(&mut self, program: &mut Program) -> Vec<Draft> {
        let mut drafts = std::mem::take(&mut self.edges);
        let asks =
            |waiting: &&Waiting| self.returns.get(&waiting.after).is_some_and(|many| *many > 1);
        let asked = self.waiting.iter().filter(|(_, list)| list.iter().any(|each| asks(&each)));
        let asked: FxHashSet<FuncId> = asked.map(|((callee, _), _)| *callee).collect();
        for draft in &mut drafts {
            let function = program.cfa.locations[draft.ends[1]].function;
            let is_idle = match (&draft.what, self.noted.get(&draft.ends[1])) {
                (What::Set(_), Some(callee)) => {
                    self.entries.get(callee).is_none_or(|states| states.len() < 2)
                }
                (What::Set(_), None) => !asked.contains(&function),
                (What::If(_), _) => self.returns.get(&draft.ends[0]) == Some(&1),
                _ => false,
            };
            if is_idle {
                draft.what = What::Nothing;
            }
        }
        let forward = forwarding(&program.cfa, &drafts);
        let lands = |mut at: LocId| {
            // A cycle of steps that do nothing is an endless loop, which must stay one.
            for _ in 0..MAX_FORWARD {
                match forward.get(&at) {
                    Some(next) => at = *next,
                    None => break,
                }
            }
            at
        };
        let mut entered: FxHashMap<LocId, usize> = FxHashMap::default();
        for draft in &mut drafts {
            draft.ends[1] = lands(draft.ends[1]);
            *entered.entry(draft.ends[1]).or_default() += 1;
        }
        for function in program.cfa.functions.iter_mut() {
            // The location becomes the entry if no other edge leads to it.
            if let Some(next) = forward.get(&function.entry).map(|next| lands(*next))
                && entered.get(&next) == Some(&1)
            {
                function.entry = next;
            }
        }
        let entries: FxHashSet<LocId> =
            program.cfa.functions.iter().map(|function| function.entry).collect();
        let reached = |at: &LocId| entered.contains_key(at) || entries.contains(at);
        drafts.retain(|draft| !forward.contains_key(&draft.ends[0]) || reached(&draft.ends[0]));
        drafts
    }

    fn ops(
        &self,
        program: &mut Program,
        state: Var,
        draft: &Draft,
    ) -> (Vec<Op>, Box<[OperationOrigin]>) {
        let number =
            |program: &mut Program, id: StateId| program.terms.bv(32, u128::from(id.number()));
        match (&draft.what, draft.edge) {
            (What::Ops(count), Some(edge)) => {
                let known = self.original.cfa.edges[edge].ops.iter().take(*count).cloned();
                let known: Vec<Op> = known.collect();
                // Edges have fewer than 2^32 operations.
                let sites =
                    (0..known.len() as u32).map(|op| OperationOrigin::Op(Site { edge, op }));
                (known, sites.collect())
            }
            (What::Set(id), _) => {
                let value = number(program, *id);
                (vec![Op::Assign { var: state, value }], [OperationOrigin::Added].into())
            }
            (What::If(id), _) => {
                let value = number(program, *id);
                let here = program.terms.var(state);
                let condition = program.terms.eq(here, value);
                (vec![Op::Assume(condition)], [OperationOrigin::Added].into())
            }
            _ => (Vec::new(), [].into()),
        }
    }
}
