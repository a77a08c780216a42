//! Explicit values with summaries of functions: what a function does from a state on is found out once and used
//! wherever it is called in that state (Sharir & Pnueli 1981; for abstract reachability graphs Wonisch & Wehrheim 2012).
//!
//! A function is explored without the variables of its callers, which are put aside and put back when it returns. What
//! is known of them relative to globals, which the function may change, is forgotten first. Objects that only they point to
//! keep their names: none that begins in the function gets one of these.

use std::collections::VecDeque;
use std::rc::Rc;

use cfa::{EdgeId, FuncId, LocId, Op, Reach};
use cpa::{Context, NodeId, Path, Stacks, Step};
use run::{Budget, Counterexample, Feasibility, Place, Replayed, StackId, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

use base::{Id as _, IndexVec};

use crate::value::cell::Cell;
use crate::value::cover::Cover;
use crate::value::object::{NameId, Site};
use crate::value::post::{INVALID, Post};
use crate::value::prefix::{Preference, counters};
use crate::value::relation::Distance;
use crate::value::state::State;
use crate::value::tree::{Tree, UNKNOWN};
use crate::value::{Slot, Values};

/// The longest path that is looked at. Summaries within summaries stand for paths of any length.
const LONGEST: usize = 50_000;

/// How many nodes are expanded from one look at the limits to the next.
const PERIOD: u32 = 64;

base::define_id!(
    /// A function from a state on.
    pub struct InstanceId, "instance"
);

/// How an exploration by summaries ended.
#[derive(Debug)]
pub enum Summarised {
    /// No error is among so many abstract states.
    Safe(usize),
    /// An execution reaches an error.
    Unsafe(Box<Counterexample>),
    /// Neither was found out.
    Unknown(Unknown),
}

/// What was done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// How many nodes were added, in all explorations.
    pub nodes: usize,
    /// How often the precision was refined.
    pub refinements: u64,
    /// How many paths were checked exactly.
    pub checks: u64,
}

/// A function that is explored from a state on.
struct Instance {
    function: FuncId,
    /// A stack with which it is called; the others have the same effect.
    stack: StackId,
    /// Objects that only its callers point to, as far as objects that begin in it might get their names.
    reserved: Rc<[NameId]>,
    places: FxHashMap<LocId, Cover>,
    /// The nodes at its exit.
    exits: Vec<NodeId>,
    /// Who waits for it to return.
    callers: Vec<Caller>,
}

/// A call of an instance.
#[derive(Clone, Copy)]
struct Caller {
    node: NodeId,
    call: EdgeId,
    /// The variables of the caller.
    aside: Tree,
}

struct Node {
    instance: InstanceId,
    location: LocId,
    state: State,
    /// The node before in the same instance, and what leads from there to here.
    parent: Option<(NodeId, Via)>,
}

#[derive(Clone, Copy)]
enum Via {
    Edge(EdgeId),
    /// A call that returns from this node of the instance that it calls.
    Call(EdgeId, NodeId),
}

/// An error that an exploration has found, or something that is not modelled: the node before, and the last step.
struct Target {
    from: NodeId,
    via: Via,
    /// What is not modelled.
    unsupported: Option<String>,
}

/// What functions do, with the functions that they call.
struct Effects {
    /// Whether objects end with an activation.
    owns: IndexVec<FuncId, bool>,
    /// Where objects begin.
    sites: IndexVec<FuncId, FxHashSet<Site>>,
}

/// Explores a program by summaries, and refines the precision of the values.
///
/// # Panics
/// Never: what is looked up was put there.
pub fn summarised(
    values: &mut Values<'_>,
    preference: Preference,
    reach: &Reach,
    check: &mut dyn FnMut(&[EdgeId]) -> Feasibility,
    budget: &Budget,
) -> (Summarised, Work) {
    let effects = Effects::of(values);
    let mut work = Work::default();
    let counted = counters(&values.program.cfa, &values.program.terms);
    loop {
        let mut search = Search::new(values, reach, &effects);
        let explored = search.explore(budget);
        search.values.reserved = Rc::default();
        work.nodes += search.nodes.len();
        let target = match explored {
            Err(why) => return (Summarised::Unknown(why), work),
            Ok(None) => return (Summarised::Safe(search.nodes.len()), work),
            Ok(Some(target)) => target,
        };
        let Some(path) = search.path(&target) else {
            let why = "a path through summaries of functions is too long".to_owned();
            return (Summarised::Unknown(Unknown::Exhausted(why)), work);
        };
        let stacks = std::mem::take(&mut search.stacks);
        let prefixes = values.prefixes_for(&stacks, &path, preference);
        if prefixes.is_empty() {
            work.checks += 1;
            return (looked_at(&path, check), work);
        }
        let mut found = Vec::with_capacity(prefixes.len());
        for prefix in &prefixes {
            match values.interpolate(&stacks, &path, prefix, budget) {
                Ok(interpolants) => found.push(interpolants),
                Err(why) => return (Summarised::Unknown(why.into()), work),
            }
        }
        let chosen = preference.pick(found, &counted);
        let mut has_learned = false;
        for (node, needed) in chosen.iter().flat_map(|chosen| chosen.needed.iter().enumerate()) {
            for what in needed {
                has_learned |= values.track(path.places[node].location, *what);
            }
        }
        work.refinements += 1;
        if !has_learned {
            let why = "summaries of functions do not keep what excludes a path".to_owned();
            return (Summarised::Unknown(Unknown::Exhausted(why)), work);
        }
    }
}

/// What comes of a path that values do not exclude.
fn looked_at(path: &Path, check: &mut dyn FnMut(&[EdgeId]) -> Feasibility) -> Summarised {
    let mut edges: Vec<EdgeId> = path.steps.iter().filter_map(|step| step.edge()).collect();
    let last = match path.unsupported {
        Some(_) => edges.pop(),
        None => None,
    };
    Summarised::Unknown(match (check(&edges), &path.unsupported) {
        (Feasibility::Feasible(Replayed::Error(found)), _) => {
            return Summarised::Unsafe(Box::new(found));
        }
        (Feasibility::Infeasible, _) => {
            Unknown::Exhausted("explicit values do not exclude a path".to_owned())
        }
        (_, Some(reason)) => Unknown::Unsupported { reason: reason.clone(), edge: last },
        (Feasibility::Feasible(Replayed::Not(why)), None) => Unknown::NotReplayed(why),
        (Feasibility::Unknown(why), None) => why,
    })
}

impl Effects {
    fn of(values: &Values<'_>) -> Self {
        let cfa = &values.program.cfa;
        let functions = || cfa.functions.ids();
        let mut owns: IndexVec<FuncId, bool> =
            functions().map(|function| values.layout.owns_objects(function)).collect();
        let mut sites: IndexVec<FuncId, FxHashSet<Site>> =
            functions().map(|_| FxHashSet::default()).collect();
        let mut calls: FxHashSet<(FuncId, FuncId)> = FxHashSet::default();
        for (id, edge) in cfa.edges.entries() {
            let function = cfa.locations[edge.source].function;
            for (number, op) in (0..).zip(&edge.ops) {
                if matches!(op, Op::Alloc { .. }) {
                    sites[function].insert(Site::Alloc(id, number));
                }
            }
            calls.extend(edge.callee().map(|callee| (function, callee)));
        }
        let calls: Vec<(FuncId, FuncId)> = calls.into_iter().filter(|(a, b)| a != b).collect();
        loop {
            let mut has_changed = false;
            for (caller, callee) in &calls {
                has_changed |= owns[*callee] && !owns[*caller];
                owns[*caller] |= owns[*callee];
                let before = sites[*caller].len();
                let more = std::mem::take(&mut sites[*callee]);
                sites[*caller].extend(&more);
                sites[*callee] = more;
                has_changed |= sites[*caller].len() > before;
            }
            if !has_changed {
                return Self { owns, sites };
            }
        }
    }
}

/// What instances of a function are told apart by: the depth, the state, and the names that are taken.
type Key = (FuncId, u32, State, Rc<[NameId]>);

struct Search<'s, 'p> {
    values: &'s mut Values<'p>,
    reach: &'s Reach,
    effects: &'s Effects,
    stacks: Stacks,
    nodes: IndexVec<NodeId, Node>,
    instances: IndexVec<InstanceId, Instance>,
    /// The instances of a function; those at different depths are apart where objects end with activations.
    known: FxHashMap<Key, InstanceId>,
    open: VecDeque<NodeId>,
    found: Option<Target>,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(values: &'s mut Values<'p>, reach: &'s Reach, effects: &'s Effects) -> Self {
        Self {
            values,
            reach,
            effects,
            stacks: Stacks::default(),
            nodes: IndexVec::new(),
            instances: IndexVec::new(),
            known: FxHashMap::default(),
            open: VecDeque::new(),
            found: None,
        }
    }

    /// Explores until an error is found or there is nothing left.
    fn explore(&mut self, budget: &Budget) -> Result<Option<Target>, Unknown> {
        let cfa = &self.values.program.cfa;
        let Some(start) = cfa.start else { return Ok(None) };
        let (location, stack) = (cfa.functions[start].entry, self.stacks.empty());
        if cfa.locations[location].error {
            return Err(Unknown::Exhausted("the program starts with an error".to_owned()));
        }
        let state = self.values.start();
        let state = self.values.adjust(state, Context { location, stack, stacks: &self.stacks });
        self.instance(start, stack, 0, state, Rc::default());
        let mut expanded: u32 = 0;
        while let Some(node) = self.open.pop_front() {
            if expanded.is_multiple_of(PERIOD)
                && let Some(why) = budget.exceeded()
            {
                return Err(why.into());
            }
            expanded = expanded.wrapping_add(1);
            self.expand(node);
            if let Some(found) = self.found.take() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn expand(&mut self, id: NodeId) {
        let cfa = &self.values.program.cfa;
        let Node { instance, location, state, .. } = self.nodes[id];
        let Instance { function, stack, ref reserved, .. } = self.instances[instance];
        self.values.reserved = Rc::clone(reserved);
        if cfa.functions[function].exit == location {
            self.instances[instance].exits.push(id);
            // The list grows only when other nodes are expanded.
            for index in 0..self.instances[instance].callers.len() {
                let caller = self.instances[instance].callers[index];
                self.return_to(caller, id);
            }
            return;
        }
        for edge in &cfa.locations[location].edges {
            let taken = &cfa.edges[*edge];
            match taken.callee() {
                Some(callee) => self.call(id, *edge, callee, state, stack),
                None if self.is_relevant(taken.target) => {
                    let context = Context { location: taken.target, stack, stacks: &self.stacks };
                    let post = self.values.step(context, state, Step::Edge(*edge), false);
                    self.posted(id, Via::Edge(*edge), taken.target, post);
                }
                None => {}
            }
        }
    }

    fn is_relevant(&self, location: LocId) -> bool {
        !self.reach.inconclusive().is_empty() || self.reach.relevant(location)
    }

    /// Adds what comes of a step to a location of the same activation.
    fn posted(&mut self, from: NodeId, via: Via, location: LocId, post: Post) {
        let unsupported = match post {
            Post::Blocked => return,
            Post::State(state) => {
                let instance = self.nodes[from].instance;
                let stack = self.instances[instance].stack;
                let context = Context { location, stack, stacks: &self.stacks };
                let state = self.values.adjust(state, context);
                if !self.values.program.cfa.locations[location].error {
                    self.add(instance, location, state, Some((from, via)));
                    return;
                }
                None
            }
            Post::Unsupported(_, reason) => Some(reason),
            Post::Invalid(_) => Some(INVALID.to_owned()),
        };
        self.found.get_or_insert(Target { from, via, unsupported });
    }

    fn add(
        &mut self,
        instance: InstanceId,
        location: LocId,
        state: State,
        parent: Option<(NodeId, Via)>,
    ) {
        let cover = self.instances[instance].places.entry(location).or_default();
        if cover.find(&self.values.forest, state).is_some() {
            return;
        }
        let node = self.nodes.push(Node { instance, location, state, parent });
        cover.insert(&mut self.values.forest, state, node);
        self.open.push_back(node);
    }

    /// The instance of a function from a state on. If it is new, its first node is open.
    fn instance(
        &mut self,
        function: FuncId,
        stack: StackId,
        depth: u32,
        state: State,
        reserved: Rc<[NameId]>,
    ) -> InstanceId {
        let depth = if self.effects.owns[function] { depth } else { 0 };
        let key = (function, depth, state, Rc::clone(&reserved));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let places = FxHashMap::default();
        let (exits, callers) = (Vec::new(), Vec::new());
        let instance =
            self.instances.push(Instance { function, stack, reserved, places, exits, callers });
        let entry = self.values.program.cfa.functions[function].entry;
        self.known.insert(key, instance);
        self.add(instance, entry, state, None);
        instance
    }

    fn call(&mut self, from: NodeId, call: EdgeId, callee: FuncId, state: State, below: StackId) {
        let cfa = &self.values.program.cfa;
        let location = cfa.functions[callee].entry;
        if !self.is_relevant(location) {
            return;
        }
        let stack = self.stacks.push(below, call);
        let context = Context { location, stack, stacks: &self.stacks };
        let inside = match self.values.step(context, state, Step::Edge(call), false) {
            Post::State(inside) => self.values.adjust(inside, context),
            other => return self.posted(from, Via::Edge(call), location, other),
        };
        if cfa.locations[location].error {
            let via = Via::Edge(call);
            self.found.get_or_insert(Target { from, via, unsupported: None });
            return;
        }
        let depth = self.stacks.depth(stack);
        let forest = &mut self.values.forest;
        let [globals, frames, memory] = [0, 1, 2].map(|part| forest.child(inside, part));
        let (locals, callers) = (forest.child(frames, 0), forest.child(frames, 1));
        let frames = forest.node(&[locals, Tree::EMPTY]);
        let entry = forest.node(&[globals, frames, memory]);
        let function = self.instances[self.nodes[from].instance].function;
        let reserved = self.reserved(callers, callee, depth);
        let aside = self.put_aside(callers, function);
        let instance = self.instance(callee, stack, depth, entry, reserved);
        let caller = Caller { node: from, call, aside };
        self.instances[instance].callers.push(caller);
        for index in 0..self.instances[instance].exits.len() {
            let exit = self.instances[instance].exits[index];
            self.return_to(caller, exit);
        }
    }

    /// The objects that only callers point to, the caller's own callers among them, whose names an object might get that
    /// begins in a function or in one that it calls.
    fn reserved(&self, callers: Tree, callee: FuncId, depth: u32) -> Rc<[NameId]> {
        let Values { cells, names, forest, reserved, .. } = &*self.values;
        let sites = &self.effects.sites[callee];
        let mut found: Vec<NameId> = reserved.to_vec();
        forest.each_value(callers, &mut |id| {
            if let Some(Cell::Pointer(object, _)) = cells.get(id) {
                found.push(*object);
            }
        });
        found.retain(|object| {
            let name = names.name(*object);
            sites.contains(&name.site) && name.activation.is_none_or(|at| at >= depth)
        });
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    /// The variables of a caller while a function is active that does not see them.
    fn put_aside(&mut self, callers: Tree, function: FuncId) -> Tree {
        let Values { cells, layout, forest, .. } = &mut *self.values;
        let height = layout.local_height(function);
        let mut change = |_: u32, id: u32| match cells.get(id) {
            Some(Cell::Distance(Distance { base, .. }))
                if matches!(layout.slot(*base), Slot::Global(_)) =>
            {
                UNKNOWN
            }
            _ => id,
        };
        let mut locals = forest.child(callers, 0);
        if !locals.is_empty() {
            locals = forest.map(locals, height, &mut change);
        }
        forest.node(&[locals, Tree::EMPTY])
    }

    /// A call returns from a node at the exit of what it calls.
    fn return_to(&mut self, caller: Caller, exit: NodeId) {
        let cfa = &self.values.program.cfa;
        let location = cfa.edges[caller.call].target;
        if !self.is_relevant(location) {
            return;
        }
        let forest = &mut self.values.forest;
        let state = self.nodes[exit].state;
        let [globals, frames, memory] = [0, 1, 2].map(|part| forest.child(state, part));
        let locals = forest.child(frames, 0);
        let frames = forest.node(&[locals, caller.aside]);
        let state = forest.node(&[globals, frames, memory]);
        let stack = self.instances[self.nodes[caller.node].instance].stack;
        let context = Context { location, stack, stacks: &self.stacks };
        let post = self.values.step(context, state, Step::Return(caller.call), false);
        self.posted(caller.node, Via::Call(caller.call, exit), location, post);
    }

    /// The path of the program that a target stands for; none if it is too long.
    fn path(&mut self, target: &Target) -> Option<Path> {
        let mut way = Way { steps: Vec::new() };
        self.lead_to(target.from, &mut way)?;
        self.follow(target.via, &mut way)?;
        let cfa = &self.values.program.cfa;
        let location = cfa.functions[cfa.start?].entry;
        let mut place = Place { location, stack: self.stacks.empty() };
        let mut places = vec![place];
        for step in &way.steps {
            place = match *step {
                Step::Edge(edge) => match cfa.edges[edge].callee() {
                    Some(callee) => Place {
                        location: cfa.functions[callee].entry,
                        stack: self.stacks.push(place.stack, edge),
                    },
                    None => Place { location: cfa.edges[edge].target, ..place },
                },
                Step::Return(call) => Place {
                    location: cfa.edges[call].target,
                    stack: self.stacks.pop(place.stack)?.1,
                },
            };
            places.push(place);
        }
        let nodes = vec![NodeId::from_index(0); places.len()];
        let unsupported = target.unsupported.clone();
        Some(Path { nodes, steps: way.steps, places, unsupported })
    }

    /// The steps from the start of the program to a node.
    fn lead_to(&self, node: NodeId, way: &mut Way) -> Option<()> {
        let mut calls = vec![node];
        // The first caller of an instance is older than the instance. That of the start function has none.
        loop {
            let instance = self.nodes[*calls.last()?].instance;
            if instance.index() == 0 {
                break;
            }
            way.grow(calls.len())?;
            calls.push(self.instances[instance].callers.first()?.node);
        }
        for (index, node) in calls.iter().enumerate().rev() {
            self.lead_within(*node, way)?;
            if index > 0 {
                let inner = self.nodes[calls[index - 1]].instance;
                way.steps.push(Step::Edge(self.instances[inner].callers.first()?.call));
            }
        }
        Some(())
    }

    /// The steps from the entry of an instance to one of its nodes.
    fn lead_within(&self, node: NodeId, way: &mut Way) -> Option<()> {
        let mut vias = Vec::new();
        let mut at = node;
        while let Some((before, via)) = self.nodes[at].parent {
            vias.push(via);
            at = before;
        }
        vias.into_iter().rev().try_for_each(|via| self.follow(via, way))
    }

    fn follow(&self, via: Via, way: &mut Way) -> Option<()> {
        way.grow(0)?;
        match via {
            Via::Edge(edge) => way.steps.push(Step::Edge(edge)),
            Via::Call(call, exit) => {
                way.steps.push(Step::Edge(call));
                self.lead_within(exit, way)?;
                way.steps.push(Step::Return(call));
            }
        }
        Some(())
    }
}

/// A path that is being put together.
struct Way {
    steps: Vec<Step>,
}

impl Way {
    /// Whether the path may still grow.
    fn grow(&self, more: usize) -> Option<()> {
        (self.steps.len() + more < LONGEST).then_some(())
    }
}
