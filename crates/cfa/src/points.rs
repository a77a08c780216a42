//! Where addresses may point: for each variable, the objects from whose addresses its values may be computed, whatever
//! the order in which things happen.
//!
//! Andersen's analysis over whole objects: a set for each variable and for the bytes of each object,
//! and inclusions between them that are followed until nothing changes. A value that is not computed
//! from the address of an object points outside, or is a number.

use base::{Id as _, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op as Operator, Sort, TermId, Terms, Value, Var, View};

use crate::{Cfa, Contents, EdgeId, ObjectId, Op, Outside, Program, Reading, Scope};

/// An object, or all those that one operation makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectSite {
    /// An object that exists from the start.
    Initial(ObjectId),
    /// What the operation with this number on an edge allocates.
    Alloc(EdgeId, u32),
}

/// What an address may point to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pointees {
    /// The objects, in order.
    pub sites: Vec<ObjectSite>,
    /// Whether the address may come from outside: from an input, or from a variable that was not set.
    pub outside: bool,
    /// Whether the address may come from memory that was not set, or be a number.
    pub unset: bool,
    /// Whether the address may be computed from a number that is an input or was not set: from a signed number, or from
    /// several narrow numbers that were put together. Such a number is mostly no address.
    pub number: bool,
}

/// Where the addresses of a program may point.
pub struct Points {
    sites: Vec<ObjectSite>,
    /// The sets of all variables, then those of the bytes of all objects.
    sets: Vec<Bits>,
    range: Option<Outside>,
}

/// Numbers of two objects that stand for the memory outside of the program's objects.
const OUTSIDE: u32 = 0;
const UNSET: u32 = 1;
/// Stands for no object: marks what is computed from numbers that are no addresses by their type.
const NUMBER: u32 = 2;
/// The number of the first object of the program.
const FIRST: u32 = 3;

impl Points {
    /// Finds out where the addresses of a program may point.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let Program { cfa, terms, .. } = program;
        let mut sites: Vec<ObjectSite> = cfa.objects.ids().map(ObjectSite::Initial).collect();
        for (edge, known) in cfa.edges.entries() {
            let allocs = known.ops.iter().enumerate();
            let allocs = allocs.filter(|(_, op)| matches!(op, Op::Alloc { .. }));
            sites.extend(allocs.map(|(number, _)| ObjectSite::Alloc(edge, number as u32)));
        }
        let variables = cfa.variables.len() as u32;
        let range = cfa.outside.or_else(|| Outside::of_width(cfa.address_width));
        let count = variables as usize + sites.len() + FIRST as usize;
        let mut solver = Solver {
            cfa,
            terms,
            range,
            variables,
            numbers: sites.iter().zip(FIRST..).map(|(site, number)| (*site, number)).collect(),
            nodes: (0..count).map(|_| Node::default()).collect(),
            of_terms: FxHashMap::default(),
            waiting: Vec::new(),
        };
        solver.start(&sites);
        solver.operations();
        solver.solve();
        let sets = solver.nodes.into_iter().take(count).map(|node| node.set).collect();
        Self { sites, sets, range }
    }

    /// What an address of the program may point to.
    #[must_use]
    pub fn pointees(&self, program: &Program, address: TermId) -> Pointees {
        let leaves = leaves(&program.cfa, &program.terms, address, self.range);
        self.any_of(leaves)
    }

    /// What the values of a variable may point to.
    #[must_use]
    pub fn of_var(&self, var: Var) -> Pointees {
        self.any_of(Leaves { vars: vec![(var, false)], outside: false })
    }

    fn any_of(&self, leaves: Leaves) -> Pointees {
        let mut all = Bits::default();
        for (var, is_number) in leaves.vars {
            let mut set = self.sets[var.index()].clone();
            if is_number {
                set.remove_marks();
            }
            all.add_all(&set);
        }
        if leaves.outside {
            all.add(OUTSIDE);
        }
        let sites = all.iter().filter_map(|number| number.checked_sub(FIRST));
        let sites: Vec<ObjectSite> = sites.map(|number| self.sites[number as usize]).collect();
        // An address that is a number points to nothing that the program has.
        let outside = all.has(OUTSIDE);
        let unset = all.has(UNSET) || sites.is_empty() && !outside;
        Pointees { sites, outside, unset, number: all.has(NUMBER) }
    }
}

/// A set of small numbers.
#[derive(Clone, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn add(&mut self, number: u32) -> bool {
        let at = number as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        let old = self.0[at];
        self.0[at] |= 1 << (number % 64);
        self.0[at] != old
    }

    fn remove(&mut self, number: u32) {
        if let Some(word) = self.0.get_mut(number as usize / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Removes what stands for no object of the program.
    fn remove_marks(&mut self) {
        [OUTSIDE, UNSET, NUMBER].into_iter().for_each(|mark| self.remove(mark));
    }

    /// The numbers of the objects that an access through a pointer with this set may access.
    fn accessed(&self) -> impl Iterator<Item = u32> + '_ {
        self.iter().filter(|number| *number != NUMBER)
    }

    /// Adds the numbers of another set, and says whether that changed anything.
    fn add_all(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        })
    }
}

base::define_id!(
    /// A node of the constraint graph: a variable, a term, or the bytes of an object, with its points-to set.
    pub struct NodeId, "n"
);

#[derive(Default)]
struct Node {
    set: Bits,
    /// The part of the set that has been passed on.
    done: Bits,
    /// Nodes whose sets include this node's set. The flag says that only objects are passed on, since the value
    /// is added as a number.
    into: Vec<(NodeId, bool)>,
    /// Nodes that are loaded through this node: their sets include the sets of the bytes that this node points to.
    loads: Vec<NodeId>,
    /// Nodes that are stored through this node: the sets of the bytes that this node points to include their sets.
    stores: Vec<NodeId>,
}

struct Solver<'p> {
    cfa: &'p Cfa,
    terms: &'p Terms,
    range: Option<Outside>,
    variables: u32,
    numbers: FxHashMap<ObjectSite, u32>,
    nodes: IndexVec<NodeId, Node>,
    /// Nodes for terms that are not variables.
    of_terms: FxHashMap<TermId, NodeId>,
    waiting: Vec<NodeId>,
}

impl Solver<'_> {
    /// The node of the bytes of an object. All memory outside has a single node.
    fn bytes(&self, object: u32) -> NodeId {
        NodeId::from_index(
            (self.variables + if object == UNSET { OUTSIDE } else { object }) as usize,
        )
    }

    fn add(&mut self, node: NodeId, object: u32) {
        if self.nodes[node].set.add(object) {
            self.waiting.push(node);
        }
    }

    fn include(&mut self, from: NodeId, into: NodeId, is_number: bool) {
        if from != into && !self.nodes[from].into.contains(&(into, is_number)) {
            self.nodes[from].into.push((into, is_number));
            let mut set = self.nodes[from].set.clone();
            self.pass(&mut set, into, is_number);
        }
    }

    fn pass(&mut self, set: &mut Bits, into: NodeId, is_number: bool) {
        if is_number {
            set.remove_marks();
        }
        if self.nodes[into].set.add_all(set) {
            self.waiting.push(into);
        }
    }

    /// Includes a set in the set of a variable, even if this variable is an integer: an integer may hold an address or
    /// a part of an address.
    fn include_in(&mut self, from: NodeId, var: Var) {
        self.include(from, Self::of_var(var), false);
    }

    fn of_var(var: Var) -> NodeId {
        NodeId::from_index(var.index())
    }

    fn of_term(&mut self, term: TermId) -> NodeId {
        if let View::Var(var) = self.terms.view(term) {
            return Self::of_var(var);
        }
        if let Some(node) = self.of_terms.get(&term) {
            return *node;
        }
        let node = self.nodes.push(Node::default());
        self.of_terms.insert(term, node);
        let leaves = leaves(self.cfa, self.terms, term, self.range);
        for (var, is_number) in leaves.vars {
            self.include(Self::of_var(var), node, is_number);
        }
        if leaves.outside {
            self.add(node, OUTSIDE);
        }
        node
    }

    /// The objects and pointers that exist before the first step.
    fn start(&mut self, sites: &[ObjectSite]) {
        self.add(self.bytes(OUTSIDE), OUTSIDE);
        for site in sites {
            let number = self.numbers[site];
            let bytes = self.bytes(number);
            let ObjectSite::Initial(id) = *site else { continue };
            let object = &self.cfa.objects[id];
            self.add(Self::of_var(object.address), number);
            match &object.contents {
                Contents::Arbitrary => self.add(bytes, OUTSIDE),
                Contents::Bytes(_, patches) => {
                    for patch in patches {
                        let value = self.of_term(patch.value);
                        self.include(value, bytes, false);
                    }
                }
            }
        }
        for var in unset(self.cfa, self.terms) {
            self.anything(var);
        }
    }

    /// Has a variable be set to any value.
    fn anything(&mut self, var: Var) {
        let mark = if is_integer(self.cfa, self.terms, var) { NUMBER } else { OUTSIDE };
        self.add(Self::of_var(var), mark);
    }

    fn operations(&mut self) {
        let cfa = self.cfa;
        for (edge, known) in cfa.edges.entries() {
            for (number, op) in known.ops.iter().enumerate() {
                self.operation(edge, number as u32, op);
            }
        }
    }

    fn operation(&mut self, edge: EdgeId, number: u32, op: &Op) {
        let cfa = self.cfa;
        match op {
            Op::Assign { var, value } => {
                if self.terms.var_sort(*var) != Sort::Bool {
                    let value = self.of_term(*value);
                    self.include_in(value, *var);
                }
            }
            Op::Havoc { var, .. } => self.anything(*var),
            Op::Load { var, address } => {
                let address = self.of_term(*address);
                self.load(address, Self::of_var(*var));
            }
            Op::Store { address, value } => {
                let address = self.of_term(*address);
                let value = self.of_term(*value);
                self.store(address, value);
            }
            Op::Copy { to, from, .. } => {
                let (to, from) = (self.of_term(*to), self.of_term(*from));
                let between = self.nodes.push(Node::default());
                self.load(from, between);
                self.store(to, between);
            }
            Op::HavocMemory { address, .. } => {
                let address = self.of_term(*address);
                let anything = self.nodes.push(Node::default());
                self.add(anything, OUTSIDE);
                self.store(address, anything);
            }
            Op::HavocReachable { .. } => {
                for (var, known) in cfa.variables.entries() {
                    if known.scope == Scope::Global {
                        self.add(Self::of_var(var), OUTSIDE);
                    }
                }
                for object in FIRST..self.numbers.len() as u32 + FIRST {
                    self.add(self.bytes(object), OUTSIDE);
                }
            }
            Op::Alloc { var, zeroed, .. } => {
                let object = self.numbers[&ObjectSite::Alloc(edge, number)];
                self.add(Self::of_var(*var), object);
                if !zeroed {
                    self.add(self.bytes(object), UNSET);
                }
            }
            Op::Call { callee, arguments, results } => {
                let callee = &cfa.functions[*callee];
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    let argument = self.of_term(*argument);
                    self.include_in(argument, *parameter);
                }
                for (target, result) in results.iter().zip(&callee.results) {
                    self.include_in(Self::of_var(*result), *target);
                }
            }
            // A conversion of `printf` that stores (`%n`) stores a number, and no address.
            Op::Assume(_)
            | Op::Fill { .. }
            | Op::Size { .. }
            | Op::Valid { .. }
            | Op::Free { .. }
            | Op::Check { .. }
            | Op::Output { .. }
            | Op::Exit(_)
            | Op::Abort
            | Op::Unsupported(_) => {}
        }
    }

    fn load(&mut self, address: NodeId, into: NodeId) {
        self.nodes[address].loads.push(into);
        for object in self.nodes[address].set.clone().accessed() {
            self.include(self.bytes(object), into, false);
        }
    }

    fn store(&mut self, address: NodeId, value: NodeId) {
        self.nodes[address].stores.push(value);
        for object in self.nodes[address].set.clone().accessed() {
            self.include(value, self.bytes(object), false);
        }
    }

    fn solve(&mut self) {
        loop {
            while let Some(node) = self.waiting.pop() {
                let known = &mut self.nodes[node];
                if known.set == known.done {
                    continue;
                }
                let new: Vec<u32> =
                    known.set.accessed().filter(|object| !known.done.has(*object)).collect();
                known.done = known.set.clone();
                let (set, into) = (known.set.clone(), known.into.clone());
                let (loads, stores) = (known.loads.clone(), known.stores.clone());
                for (target, is_number) in into {
                    self.pass(&mut set.clone(), target, is_number);
                }
                for object in new {
                    for target in &loads {
                        self.include(self.bytes(object), *target, false);
                    }
                    for value in &stores {
                        self.include(*value, self.bytes(object), false);
                    }
                }
            }
            // An access through an address that points to nothing counts as an access to memory outside.
            let idle = self.nodes.entries().filter(|(_, node)| {
                node.set.accessed().next().is_none()
                    && !(node.loads.is_empty() && node.stores.is_empty())
            });
            let idle: Vec<NodeId> = idle.map(|(node, _)| node).collect();
            if idle.is_empty() {
                return;
            }
            idle.into_iter().for_each(|node| self.add(node, UNSET));
        }
    }
}

/// The variables and addresses that the value of a term is computed from.
struct Leaves {
    /// Variables, and whether each is only added as a number to an address.
    vars: Vec<(Var, bool)>,
    /// Whether a constant is an address outside.
    outside: bool,
}

fn leaves(cfa: &Cfa, terms: &Terms, term: TermId, range: Option<Outside>) -> Leaves {
    let mut found = Leaves { vars: Vec::new(), outside: false };
    let sort = terms.sort(term);
    let pointers = pointers_in(cfa, terms, term);
    let mut seen = FxHashSet::default();
    // Constants count as addresses only where the whole value may be this constant.
    let mut todo = vec![(term, false, true)];
    while let Some((at, is_number, is_whole)) = todo.pop() {
        // Comparisons give no addresses.
        if terms.sort(at) == Sort::Bool || !seen.insert((at, is_number, is_whole)) {
            continue;
        }
        match terms.view(at) {
            View::Var(var) => {
                // A value that is too narrow for an address may be a part of an address from outside, and the term puts
                // these parts together again.
                found.outside |=
                    !is_number && is_narrow(cfa, terms.sort(at)) && !is_narrow(cfa, sort);
                found.vars.push((var, is_number));
            }
            View::Const(Value::Bv(bits)) => {
                let inside = |range: Outside| bits.to_u64().is_some_and(|at| range.contains(at));
                found.outside |=
                    is_whole && bits.width() == cfa.address_width && range.is_some_and(inside);
            }
            View::Const(_) => {}
            View::App(Operator::BvAdd, &[a, b]) => {
                let sides = [a, b].map(|side| pointers.contains(&side));
                todo.push((b, is_number || sides[0], false));
                todo.push((a, is_number || sides[1] && !sides[0], false));
            }
            View::App(Operator::BvSub, &[a, b]) => {
                todo.push((a, is_number, false));
                todo.push((b, is_number || pointers.contains(&a), false));
            }
            View::App(op, args) => {
                let is_whole = is_whole && op == Operator::Ite;
                todo.extend(args.iter().map(|arg| (*arg, is_number, is_whole)));
            }
        }
    }
    found
}

fn is_narrow(cfa: &Cfa, sort: Sort) -> bool {
    !matches!(sort, Sort::Bv(width) if width >= cfa.address_width)
}

/// Whether an input or a variable that was not set is no address from outside: it is too narrow for an address, or it
/// is a signed number.
fn is_integer(cfa: &Cfa, terms: &Terms, var: Var) -> bool {
    is_narrow(cfa, terms.var_sort(var))
        || cfa.variables.get(var).is_some_and(|known| known.reading == Reading::Signed)
}

/// The parts of a term that the source has as addresses: pointers and addresses of objects,
/// with something added.
fn pointers_in(cfa: &Cfa, terms: &Terms, term: TermId) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for part in terms.post_order(&[term]) {
        let is_pointer = match terms.view(part) {
            View::Var(var) => cfa.variables.get(var).is_some_and(|known| {
                known.reading == Reading::Address || matches!(known.scope, Scope::Address(_))
            }),
            View::App(Operator::BvAdd, &[a, b]) => found.contains(&a) || found.contains(&b),
            View::App(Operator::BvSub, &[a, _]) => found.contains(&a),
            _ => false,
        };
        if is_pointer {
            found.insert(part);
        }
    }
    found
}

/// Variables that may be read before they are set.
fn unset(cfa: &Cfa, terms: &Terms) -> Vec<Var> {
    let mut found = Vec::new();
    let mut set: FxHashSet<Var> = FxHashSet::default();
    if let Some(start) = cfa.start {
        let in_start = |edge: &&crate::Edge| cfa.locations[edge.source].function == start;
        for edge in cfa.edges.iter().filter(in_start) {
            set.extend(edge.ops.iter().flat_map(|op| op.assigned()));
        }
    }
    for (var, known) in cfa.variables.entries() {
        if known.scope == Scope::Global && !set.contains(&var) {
            found.push(var);
        }
    }
    let mut before: IndexVec<crate::LocId, Vec<EdgeId>> =
        IndexVec::filled(Vec::new(), cfa.locations.len());
    for (id, edge) in cfa.edges.entries() {
        before[edge.target].push(id);
    }
    let mut place = vec![0_u32; cfa.variables.len()];
    let mut live: IndexVec<crate::LocId, Bits> =
        IndexVec::filled(Bits::default(), cfa.locations.len());
    for function in &cfa.functions {
        for (at, var) in function.locals.iter().enumerate() {
            place[var.index()] = at as u32;
        }
        for result in &function.results {
            live[function.exit].add(place[result.index()]);
        }
    }
    let is_local = |var: &Var| matches!(cfa.variables[*var].scope, Scope::Local(_));
    let mut waiting: Vec<crate::LocId> = cfa.locations.ids().collect();
    while let Some(at) = waiting.pop() {
        for edge in before[at].clone() {
            let known = &cfa.edges[edge];
            let mut read = live[at].clone();
            for op in known.ops.iter().rev() {
                for var in op.assigned().iter().filter(|var| is_local(var)) {
                    read.remove(place[var.index()]);
                }
                for term in op.terms() {
                    for var in terms.vars(term).iter().filter(|var| is_local(var)) {
                        read.add(place[var.index()]);
                    }
                }
            }
            if live[known.source].add_all(&read) {
                waiting.push(known.source);
            }
        }
    }
    for function in &cfa.functions {
        let locals = function.locals.iter().filter(|var| !function.parameters.contains(var));
        let is_read = |var: &&Var| live[function.entry].has(place[var.index()]);
        found.extend(locals.filter(is_read).copied());
    }
    found
}
