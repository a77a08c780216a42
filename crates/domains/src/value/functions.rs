//! Explicit values with summaries of functions: the effect of a function in a given state is computed
//! once, and used wherever the function is called in that state (Sharir & Pnueli 1981; for abstract
//! reachability graphs Wonisch & Wehrheim 2012).
//!
//! A function is explored without the variables of its callers, which are put aside and put back when it
//! returns. Facts that relate these variables to globals, which the function may change, are forgotten
//! first. Objects to which only these variables point keep their names: no object that begins in the
//! function gets such a name.

mod claims;

use std::collections::VecDeque;
use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use cfa::{EdgeId, FuncId, LocId, Op, Reach};
use cpa::{Context, NodeId, Path, Stacks, Step};
use run::{Budget, Certificate, Counterexample, Feasibility, Place, Replayed, StackId, Unknown};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use term::Var;

use base::{Id as _, IndexVec, Random};

use crate::value::cell::{Cell, Distance};
use crate::value::cover::Cover;
use crate::value::object::{NameId, ObjectSite};
use crate::value::post::{INVALID, Post};
use crate::value::prefix::{Preference, counters};
use crate::value::state::State;
use crate::value::tree::{Tree, UNKNOWN};
use crate::value::{Slot, Values};

/// The longest path that is looked at. Summaries within summaries stand for paths of any length.
const LONGEST: usize = 50_000;

/// How many ways to an error are looked at, as long as they stay open.
const TURNS: u32 = 8;

/// How many paths may stay open before the exploration is given up.
const MOST_OPEN: usize = 64;

/// How many ways to a node are kept besides the first.
const OTHERS: usize = 4;

/// How often a path leaves the first ways that were found.
const DETOURS: u32 = 4;

/// How many nodes are expanded from one look at the limits to the next.
const PERIOD: u32 = 64;

base::define_id!(
    /// A function from a state on.
    pub struct InstanceId, "instance"
);

/// How an exploration by summaries ended.
#[derive(Debug)]
pub enum Summarised {
    /// No error is among the abstract states, of which there are this many. The certificate is made if it is asked for.
    Safe(usize, Option<Box<Certificate>>),
    /// An execution reaches an error.
    Unsafe(Box<Counterexample>),
    /// Neither a proof nor an execution was found, for this reason.
    Unknown(Unknown),
}

/// The work that an exploration with summaries has done, in figures.
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
    /// A stack with which the instance is called; with other stacks it has the same effect.
    stack: StackId,
    /// Objects to which only callers of the instance point, if objects that begin in the instance might get their
    /// names.
    reserved: Rc<[NameId]>,
    places: FxHashMap<LocId, Cover>,
    /// The nodes at the exit of the function.
    exits: Vec<NodeId>,
    /// The calls that wait for the instance to return.
    callers: Vec<Caller>,
}

/// A call of an instance.
#[derive(Clone, Copy)]
struct Caller {
    node: NodeId,
    call: EdgeId,
    /// The variables of the caller, which are put aside during the call.
    aside: Tree,
}

struct Node {
    instance: InstanceId,
    location: LocId,
    state: State,
    /// The node before this one in the same instance, and the edge or the call that leads from there to here.
    parent: Option<(NodeId, Via)>,
    /// Other ways that lead to states which the state of this node covers.
    others: SmallVec<[(NodeId, Via); 2]>,
}

#[derive(Clone, Copy)]
enum Via {
    Edge(EdgeId),
    /// A call, and the node of the called instance from which the call returns.
    Call(EdgeId, NodeId),
}

/// An error that an exploration has found, or something that is not modelled: the node before, and the last step.
struct Target {
    from: NodeId,
    via: Via,
    /// If something was met that is not modelled, what it is.
    unsupported: Option<String>,
}

/// What functions do, with the functions that they call.
struct Effects {
    /// Whether objects end with an activation.
    owns: IndexVec<FuncId, bool>,
    /// Where objects begin.
    sites: IndexVec<FuncId, FxHashSet<ObjectSite>>,
}

/// Explores a program by summaries, and refines the precision of the values. If a certificate is wanted for a proof,
/// the last argument limits the work for the certificate.
///
/// # Panics
/// Never: what is looked up was put there.
pub fn summarised(
    values: &mut Values<'_>,
    preference: Preference,
    reach: &Reach,
    check: &mut dyn FnMut(&[EdgeId]) -> Feasibility,
    budget: &Budget,
    certified: Option<&Budget>,
) -> (Summarised, Work) {
    let effects = Effects::of(values);
    let counted = counters(&values.program.cfa, &values.program.terms);
    let mut refining = Refining {
        preference,
        counted,
        budget,
        certified,
        check,
        work: Work::default(),
        open: FxHashMap::default(),
    };
    loop {
        let mut search = Search::new(values, reach, &effects);
        let explored = refining.explore(&mut search);
        search.values.reserved = Rc::default();
        refining.work.nodes += search.nodes.len();
        match explored {
            Ok(Some(ended)) => return (ended, refining.work),
            Err(why) => return (Summarised::Unknown(why), refining.work),
            Ok(None) => {}
        }
    }
}

/// Explorations, and what they have found out.
struct Refining<'a> {
    preference: Preference,
    counted: FxHashSet<Var>,
    budget: &'a Budget,
    /// The budget for the certificate of a proof, if one is asked for.
    certified: Option<&'a Budget>,
    check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
    work: Work,
    /// Paths that neither values nor the exact check have settled, by a number for their steps, and why.
    open: FxHashMap<u64, Unknown>,
}

/// What a refinement makes of a path to an error.
enum Looked {
    Ended(Summarised),
    /// The precision has grown.
    Refined,
    /// The path stays open.
    Open(Unknown),
}

impl Refining<'_> {
    /// Explores until an end is found, or until the precision has grown. A path that stays open does not end the
    /// exploration: another one may lead to an error.
    fn explore(&mut self, search: &mut Search<'_, '_>) -> Result<Option<Summarised>, Unknown> {
        let mut first = None;
        while let Some(target) = search.explore(self.budget)? {
            for turn in 0..TURNS {
                match self.look(search, &target, turn)? {
                    Looked::Ended(ended) => return Ok(Some(ended)),
                    Looked::Refined => return Ok(None),
                    Looked::Open(why) => first.get_or_insert(why),
                };
                if self.open.len() > MOST_OPEN {
                    break;
                }
            }
            if self.open.len() > MOST_OPEN {
                break;
            }
        }
        if let Some(why) = first {
            return Err(why);
        }
        // Something that is not modelled matters only if no error is left to be looked at.
        let Some(doubt) = search.doubt.take() else {
            let certificate = self.certified.map(|budget| Box::new(search.certificate(budget)));
            return Ok(Some(Summarised::Safe(search.nodes.len(), certificate)));
        };
        match self.look(search, &doubt, 0)? {
            Looked::Ended(ended) => Ok(Some(ended)),
            Looked::Refined => Ok(None),
            Looked::Open(why) => Err(why),
        }
    }

    /// Looks at a way to a target: the first one that was found, or another one.
    fn look(
        &mut self,
        search: &mut Search<'_, '_>,
        target: &Target,
        turn: u32,
    ) -> Result<Looked, Unknown> {
        let Some(path) = search.path(target, turn) else {
            let why = "a path through summaries of functions is too long".to_owned();
            return Ok(Looked::Open(Unknown::Exhausted(why)));
        };
        let mut hasher = FxHasher::default();
        path.steps.hash(&mut hasher);
        let number = hasher.finish();
        if let Some(why) = self.open.get(&number) {
            return Ok(Looked::Open(why.clone()));
        }
        let Search { values, stacks, .. } = search;
        let prefixes = values.prefixes_for(stacks, &path, self.preference);
        if prefixes.is_empty() {
            self.work.checks += 1;
            if let Some(why) = self.budget.exceeded() {
                return Err(why.into());
            }
            return Ok(match looked_at(&path, self.check) {
                Summarised::Unknown(why) => {
                    self.open.insert(number, why.clone());
                    Looked::Open(why)
                }
                ended => Looked::Ended(ended),
            });
        }
        let mut found = Vec::with_capacity(prefixes.len());
        for prefix in &prefixes {
            found.push(values.interpolate(stacks, &path, prefix, self.budget)?);
        }
        let chosen = self.preference.pick(found, &self.counted);
        let mut has_learned = false;
        for (node, needed) in chosen.iter().flat_map(|chosen| chosen.needed.iter().enumerate()) {
            for what in needed {
                has_learned |= values.track(path.places[node].location, *what);
            }
        }
        self.work.refinements += 1;
        if has_learned {
            return Ok(Looked::Refined);
        }
        let why = "summaries of functions do not keep what excludes a path".to_owned();
        Ok(Looked::Open(Unknown::Exhausted(why)))
    }
}

/// What the exact check says of a path that values do not exclude.
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
        let mut sites: IndexVec<FuncId, FxHashSet<ObjectSite>> =
            functions().map(|_| FxHashSet::default()).collect();
        let mut calls: FxHashSet<(FuncId, FuncId)> = FxHashSet::default();
        for (id, edge) in cfa.edges.entries() {
            let function = cfa.locations[edge.source].function;
            for (number, op) in (0..).zip(&edge.ops) {
                if matches!(op, Op::Alloc { .. }) {
                    sites[function].insert(ObjectSite::Alloc(id, number));
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
    /// The instances of functions. Those at different depths are kept apart if objects that end with activations are
    /// known where the function begins.
    known: FxHashMap<Key, InstanceId>,
    open: VecDeque<NodeId>,
    found: VecDeque<Target>,
    /// The first thing that was met and is not modelled, if there is any.
    doubt: Option<Target>,
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
            found: VecDeque::new(),
            doubt: None,
        }
    }

    /// Explores until another error is found or there is nothing left.
    fn explore(&mut self, budget: &Budget) -> Result<Option<Target>, Unknown> {
        let cfa = &self.values.program.cfa;
        let Some(start) = cfa.start else { return Ok(None) };
        let (location, stack) = (cfa.functions[start].entry, self.stacks.empty());
        if cfa.locations[location].error {
            return Err(Unknown::Exhausted("the program starts with an error".to_owned()));
        }
        if self.nodes.is_empty() {
            let state = self.values.start();
            let context = Context { location, stack, stacks: &self.stacks };
            let state = self.values.adjust(state, context);
            self.instance(start, stack, 0, state, Rc::default());
        }
        let mut expanded: u32 = 0;
        loop {
            if let Some(found) = self.found.pop_front() {
                return Ok(Some(found));
            }
            let Some(node) = self.open.pop_front() else { return Ok(None) };
            if expanded.is_multiple_of(PERIOD)
                && let Some(why) = budget.exceeded()
            {
                return Err(why.into());
            }
            expanded = expanded.wrapping_add(1);
            self.expand(node);
        }
    }

    fn expand(&mut self, id: NodeId) {
        let cfa = &self.values.program.cfa;
        let (instance, location, state) = {
            let node = &self.nodes[id];
            (node.instance, node.location, node.state)
        };
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
                None if self.reach.is_followed(taken.target) => {
                    let context = Context { location: taken.target, stack, stacks: &self.stacks };
                    let post = self.values.step(context, state, Step::Edge(*edge), false);
                    self.posted(id, Via::Edge(*edge), taken.target, post);
                }
                None => {}
            }
        }
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
        let target = Target { from, via, unsupported };
        match target.unsupported {
            None => self.found.push_back(target),
            Some(_) => {
                self.doubt.get_or_insert(target);
            }
        }
    }

    fn add(
        &mut self,
        instance: InstanceId,
        location: LocId,
        state: State,
        parent: Option<(NodeId, Via)>,
    ) {
        let cover = self.instances[instance].places.entry(location).or_default();
        if let Some(known) = cover.find(&self.values.forest, state) {
            let others = &mut self.nodes[known].others;
            others.extend(parent.filter(|_| others.len() < OTHERS));
            return;
        }
        let others = SmallVec::new();
        let node = self.nodes.push(Node { instance, location, state, parent, others });
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
        let depth =
            if self.effects.owns[function] && self.names_activations(function, state, &reserved) {
                depth
            } else {
                0
            };
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

    /// Whether an object that ends with an activation is known where a function begins. Otherwise nothing there depends
    /// on the depth of activations.
    fn names_activations(
        &mut self,
        function: FuncId,
        state: State,
        reserved: &Rc<[NameId]>,
    ) -> bool {
        let before = std::mem::replace(&mut self.values.reserved, Rc::clone(reserved));
        let work = self.values.open(state, function, 0);
        let mentioned = self.values.mentioned(&work);
        self.values.reserved = before;
        mentioned.into_iter().any(|name| self.values.names.name(name).activation.is_some())
    }

    fn call(&mut self, from: NodeId, call: EdgeId, callee: FuncId, state: State, below: StackId) {
        let cfa = &self.values.program.cfa;
        let location = cfa.functions[callee].entry;
        if !self.reach.is_followed(location) {
            return;
        }
        let stack = self.stacks.push(below, call);
        let context = Context { location, stack, stacks: &self.stacks };
        let inside = match self.values.step(context, state, Step::Edge(call), false) {
            Post::State(inside) => self.values.adjust(inside, context),
            other => return self.posted(from, Via::Edge(call), location, other),
        };
        if cfa.locations[location].error {
            self.found.push_back(Target { from, via: Via::Edge(call), unsupported: None });
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

    /// The objects to which only callers point, near or far, and whose names could be given to objects that begin in a
    /// function or in a function that it calls.
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

    /// Returns from a call, from a node at the exit of the called function.
    fn return_to(&mut self, caller: Caller, exit: NodeId) {
        let cfa = &self.values.program.cfa;
        let location = cfa.edges[caller.call].target;
        if !self.reach.is_followed(location) {
            return;
        }
        let forest = &mut self.values.forest;
        let state = self.nodes[exit].state;
        let [globals, frames, memory] = [0, 1, 2].map(|part| forest.child(state, part));
        let locals = forest.child(frames, 0);
        let frames = forest.node(&[locals, caller.aside]);
        let state = forest.node(&[globals, frames, memory]);
        // The objects that the return ends have the depth at which the function was explored.
        let explored = self.instances[self.nodes[exit].instance].stack;
        let Some((_, stack)) = self.stacks.pop(explored) else { return };
        let context = Context { location, stack, stacks: &self.stacks };
        let post = self.values.step(context, state, Step::Return(caller.call), false);
        self.posted(caller.node, Via::Call(caller.call, exit), location, post);
    }

    /// A path of the program to a target; none if it is too long. Turn zero gives the path that was found first; the
    /// paths of other turns leave that path at some places.
    fn path(&mut self, target: &Target, turn: u32) -> Option<Path> {
        let detours = if turn == 0 { 0 } else { DETOURS };
        let mut way = Way { steps: Vec::new(), detours, chance: Random::new(u64::from(turn)) };
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
        // The first caller of an instance is older than the instance. The instance of the start function has no caller.
        let mut through = Vec::new();
        loop {
            let instance = self.nodes[*calls.last()?].instance;
            if instance.index() == 0 {
                break;
            }
            way.grow(calls.len())?;
            let callers = &self.instances[instance].callers;
            let caller = callers[way.choose(callers.len())];
            calls.push(caller.node);
            through.push(caller.call);
        }
        for (index, node) in calls.iter().enumerate().rev() {
            self.lead_within(*node, way)?;
            if index > 0 {
                way.steps.push(Step::Edge(through[index - 1]));
            }
        }
        Some(())
    }

    /// The steps from the entry of an instance to one of its nodes.
    fn lead_within(&self, node: NodeId, way: &mut Way) -> Option<()> {
        let mut vias = Vec::new();
        let mut at = node;
        while let Some(first) = self.nodes[at].parent {
            let others = &self.nodes[at].others;
            let (before, via) = match way.choose(others.len() + 1) {
                0 => first,
                number => others[number - 1],
            };
            way.grow(vias.len())?;
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
    /// How many more times the path may use another predecessor than the first recorded one. First predecessors
    /// are older nodes, so that a path of first predecessors ends.
    detours: u32,
    /// What decides where detours are.
    chance: Random,
}

impl Way {
    /// Chooses one of several ways: the first one if the path may make no more detours.
    fn choose(&mut self, ways: usize) -> usize {
        if self.detours == 0 || ways < 2 {
            return 0;
        }
        let chosen = self.chance.below(ways);
        self.detours -= u32::from(chosen > 0);
        chosen
    }

    /// Whether the path may still grow.
    fn grow(&self, more: usize) -> Option<()> {
        (self.steps.len() + more < LONGEST).then_some(())
    }
}
