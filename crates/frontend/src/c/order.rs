//! Expressions whose meaning depends on an order of evaluation that C leaves open.
//!
//! While an expression is lowered, what its parts do is noted: operands, arguments, initialisers, the sides of an
//! assignment. When all functions are lowered, it is known what the calls among them read and change, and whether they
//! may end the program. Where one part may change what another part uses, or end the program before another part fails,
//! the run lists the order that was chosen as an assumption. Only this list depends on the analysis: the list may name
//! an expression whose parts may be evaluated in any order, but must not miss an expression where the order matters. So
//! memory is told apart by objects only, and a part with very many operations is taken to do anything.

use base::{Id as _, Span};
use cfa::{AllocKind, AssumptionKind, Calls, Check, Checks, FuncId, Op, Program, Scope};
use rucc_sema::ExprId;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Terms, Var, View};

use super::body::{Ends, Mark};
use super::facts::Effect;
use super::function::Lower;
use super::link::Linker;
use super::shape::Shape;
use super::storage::Lvalue;
use crate::task::PropertyKind;

/// A part with more operations than this is taken to do anything. In a long expression the operations of each part are
/// among those of the next part, so that looking at all of them would take long.
const MOST_OPERATIONS: usize = 1 << 9;

/// A part that uses more variables than this, with all functions that it calls, is taken to do anything; a part
/// that uses more objects than this is taken to use every object.
const MOST_USED: usize = 1 << 9;

/// The parts of one expression between which C leaves the order open.
pub(super) struct Unordered {
    parts: Vec<Part>,
    span: Option<Span>,
}

/// What a part of an expression does, without what is done by the functions that it calls.
#[derive(Default)]
pub(super) struct Part {
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
    /// The addresses at which the part reads memory (`loads`) and changes memory (`stores`).
    loads: BTreeSet<TermId>,
    stores: BTreeSet<TermId>,
    calls: BTreeSet<FuncId>,
    /// The faults that the part may have.
    faults: Checks,
    ends: Ends,
    /// Whether code of which nothing is known is called.
    changes_all: bool,
    /// Whether it is not known what the part does.
    is_unknown: bool,
}

impl Lower<'_, '_> {
    /// Whether the order of expressions can matter: one of them changes something, and not all others are constants. In
    /// code that is never reached the order does not matter.
    pub fn has_order(&self, parts: &[ExprId]) -> bool {
        self.facts.is_of_program
            && parts.len() > 1
            && self.body.is_somewhere()
            && parts.iter().any(|part| self.facts.effect(&self.unit, *part) == Effect::Changes)
    }

    /// What was done since a mark, and the values that came out of it, as a part of an expression.
    pub fn done_since(&self, since: Mark, values: &[TermId]) -> Part {
        let terms = &self.link.program.terms;
        let mut part = Part { ends: self.body.ends_since(since), ..Part::default() };
        // Operations behind a part that never comes to its end are not in the graph.
        part.is_unknown = !self.body.is_somewhere()
            || self.body.operations_since(since).nth(MOST_OPERATIONS).is_some();
        if part.is_unknown {
            return part;
        }
        for op in self.body.operations_since(since) {
            part.add(&self.link.program, op);
        }
        part.reads.extend(values.iter().flat_map(|value| terms.vars(*value)));
        // Each temporary belongs to one part, and so does an object that only a temporary names.
        let is_temporary = |var: &Var| self.temporaries.contains(var);
        part.reads.retain(|var| !is_temporary(var));
        part.writes.retain(|var| !is_temporary(var));
        let is_shared = |address: &TermId| {
            let own = object(terms, *address, &|var| self.own.contains(var));
            !own.is_some_and(|var| is_temporary(&var))
        };
        part.loads.retain(is_shared);
        part.stores.retain(is_shared);
        part
    }

    /// The place on the left of an assignment as a part of the assignment, with the shape of an old value that is read.
    pub fn place_since(&self, since: Mark, place: &Lvalue, old: Option<Shape>) -> Part {
        let address = match place {
            Lvalue::Memory(address) | Lvalue::Bits { address, .. } => Some(*address),
            Lvalue::Var(_) | Lvalue::Fields(..) => None,
        };
        match old {
            Some(_) => self.whole_since(since, place),
            None => self.done_since(since, address.as_slice()),
        }
    }

    /// A place that is read later, as a part of an expression, with the operations that have found the place.
    pub fn whole_since(&self, since: Mark, place: &Lvalue) -> Part {
        let mut part = self.place_since(since, place, None);
        match place {
            Lvalue::Var(var) => part.reads.extend([*var]),
            Lvalue::Fields(leaves, _) => {
                part.reads.extend(leaves.iter().filter_map(|leaf| leaf.var));
            }
            Lvalue::Memory(address) | Lvalue::Bits { address, .. } => part.loads.extend([*address]),
        }
        part
    }

    /// Notes an expression whose parts have been evaluated in the order that was chosen.
    pub fn note_order(&mut self, parts: Vec<Part>) {
        let span = self.body.span();
        self.link.unordered.push(Unordered { parts, span });
    }
}

impl Part {
    fn add(&mut self, program: &Program, op: &Op) {
        let terms = &program.terms;
        self.reads.extend(op.terms().flat_map(|term| terms.vars(term)));
        self.writes.extend(op.assigned());
        match *op {
            Op::Load { address, .. } => self.loads.extend([address]),
            Op::Store { address, .. } | Op::Fill { address, .. } => self.stores.extend([address]),
            Op::HavocMemory { address, .. } => self.stores.extend([address]),
            Op::Copy { to, from, .. } => {
                self.loads.extend([from]);
                self.stores.extend([to]);
            }
            Op::Free { address, kind } => {
                self.stores.extend([address]);
                if kind == AllocKind::Heap {
                    self.faults = self.faults.and(Checks::of(&[Check::Free]));
                }
            }
            Op::HavocReachable { .. } => self.changes_all = true,
            Op::Check { fault, .. } => {
                let check = fault.check().map(|check| Checks::of(&[check]));
                self.faults = self.faults.and(check.unwrap_or_default());
            }
            Op::Call { callee, .. } => self.calls.extend([callee]),
            _ => {}
        }
    }
}

/// The variable with the address of the object that an address points into, if the address is a sum of this variable
/// and of numbers. For an address in one of several objects, as in `c ? &x : p`, there is no such variable.
fn object(terms: &Terms, address: TermId, is_object: &dyn Fn(&Var) -> bool) -> Option<Var> {
    let mut found = None;
    let mut todo = vec![address];
    while let Some(term) = todo.pop() {
        match terms.view(term) {
            View::App(term::Op::BvAdd, addends) => todo.extend(addends),
            View::Var(var) if is_object(&var) && found.is_none() => found = Some(var),
            _ if terms.vars(term).iter().any(is_object) => return None,
            _ => {}
        }
    }
    found
}

/// What the list of orders depends on besides the program.
pub(super) struct Asked {
    /// The checks that are asked for.
    pub checks: Checks,
    /// Whether the property asks if the program ends.
    pub termination: bool,
    /// The variable that says whether `longjmp` is on its way.
    pub jump: Option<Var>,
    /// The functions that may end the program, or fail, by themselves.
    pub ends: BTreeMap<FuncId, Ends>,
}

impl Linker<'_> {
    /// Lists the order of evaluation as an assumption, if the program has an expression where it can matter.
    pub fn list_orders(&mut self) {
        let unordered = std::mem::take(&mut self.unordered);
        let asked = Asked {
            checks: self.options.checks(),
            termination: self.property.kind == PropertyKind::Termination,
            jump: self.jump.flatten().map(|jump| jump.on),
            ends: std::mem::take(&mut self.ends),
        };
        list(&mut self.program, &unordered, &asked);
    }
}

fn list(program: &mut Program, unordered: &[Unordered], asked: &Asked) {
    if unordered.is_empty() {
        return;
    }
    let mut functions = Functions::of(program, asked);
    let mut found = unordered.iter().filter(|expression| functions.is_open(expression));
    let Some(first) = found.next() else { return };
    let span = first.span;
    let others = match found.count() {
        0 => String::new(),
        count => format!(" ({} places, this is the first)", count + 1),
    };
    let text = format!(
        "C leaves the order open where one part of an expression changes what another part uses, or ends the \
         program: evaluated from left to right, in assignments mostly the right side first{others}"
    );
    program.cfa.assume(AssumptionKind::Semantics, text, span);
}

/// What a part of an expression does, or a function as it is seen from outside, with all functions that are called.
#[derive(Default, Clone)]
struct Summary {
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
    loads: Memory,
    stores: Memory,
    faults: Checks,
    ends: Ends,
    /// Whether the code has a loop, which may have no end.
    repeats: bool,
    /// Whether `longjmp` may lead out of the code.
    jumps: bool,
    changes_all: bool,
    is_unknown: bool,
}

/// Objects in memory.
#[derive(Default, Clone)]
struct Memory {
    /// The variables with the addresses of the known objects.
    objects: FxHashSet<Var>,
    /// Whether there may be other objects, which are not known.
    others: bool,
}

impl Memory {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && !self.others
    }

    /// Adds an object; `None` stands for an object that is not known.
    fn add(&mut self, object: Option<Var>) {
        match object {
            Some(object) if self.objects.len() < MOST_USED => {
                self.objects.insert(object);
            }
            _ => self.others = true,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.others |= other.others;
        other.objects.iter().for_each(|object| self.add(Some(*object)));
    }

    fn meets(&self, other: &Self) -> bool {
        (self.others && !other.is_empty())
            || (other.others && !self.is_empty())
            || meet(&self.objects, &other.objects)
    }
}

/// Whether two sets have a member in common.
fn meet(one: &FxHashSet<Var>, other: &FxHashSet<Var>) -> bool {
    let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
    few.iter().any(|var| many.contains(var))
}

impl Summary {
    fn merge(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.loads.merge(&other.loads);
        self.stores.merge(&other.stores);
        self.faults = self.faults.and(other.faults);
        self.ends = self.ends.and(other.ends);
        self.repeats |= other.repeats;
        self.jumps |= other.jumps;
        self.changes_all |= other.changes_all;
        self.is_unknown |= other.is_unknown;
        self.limit();
    }

    /// If the code uses too many variables, takes it to do anything, and drops the variables.
    fn limit(&mut self) {
        if self.reads.len().max(self.writes.len()) > MOST_USED {
            self.is_unknown = true;
        }
        if self.is_unknown {
            (self.reads, self.writes) = Default::default();
        }
    }

    fn changes(&self) -> bool {
        let changes_memory = self.changes_all || !self.stores.is_empty();
        self.is_unknown || changes_memory || !self.writes.is_empty()
    }

    /// Whether the code depends on anything that may change, changes anything, or may not come to its end.
    fn does_anything(&self) -> bool {
        let uses = !self.reads.is_empty() || !self.loads.is_empty();
        let ends = self.ends.stops || self.ends.fails || self.repeats || self.jumps;
        self.changes() || uses || ends
    }
}

/// What the functions of a program do.
struct Functions<'p> {
    program: &'p Program,
    asked: &'p Asked,
    /// The addresses of local variables in memory.
    stack: FxHashSet<Var>,
    /// The object that each address is in, for addresses that were asked about before.
    objects: FxHashMap<TermId, Option<Var>>,
    called: FxHashMap<FuncId, Summary>,
}

impl<'p> Functions<'p> {
    fn of(program: &'p Program, asked: &'p Asked) -> Self {
        let mut stack = FxHashSet::default();
        let mut parts: FxHashMap<FuncId, Part> = FxHashMap::default();
        for edge in program.cfa.edges.iter() {
            let part = parts.entry(program.cfa.locations[edge.source].function).or_default();
            for op in &edge.ops {
                if let Op::Alloc { var, kind: AllocKind::Stack, .. } = op {
                    stack.insert(*var);
                }
                part.add(program, op);
            }
        }
        for (function, ends) in &asked.ends {
            parts.entry(*function).or_default().ends = *ends;
        }
        let (objects, called) = Default::default();
        let mut functions = Self { program, asked, stack, objects, called };
        functions.summarise(&parts);
        functions
    }

    /// Finds what functions do with all functions that they call: callees come first, and those that call each
    /// other have one summary.
    fn summarise(&mut self, parts: &FxHashMap<FuncId, Part>) {
        let calls = Calls::of(&self.program.cfa);
        let loops = self.with_loops();
        for group in calls.components() {
            let mut all = Summary::default();
            for function in group {
                let span = self.program.cfa.functions[*function].span;
                let is_own = !span.is_some_and(|span| self.is_of_library(span));
                let is_repeated = loops.contains(function) || calls.recursive(*function);
                all.repeats |= is_own && is_repeated;
                if let Some(part) = parts.get(function) {
                    let own = self.summary(part, true);
                    all.merge(&own);
                }
            }
            for function in group {
                self.called.insert(*function, all.clone());
            }
        }
    }

    /// The functions with loops. Locations to which no edge leads are taken away, again and again; functions with a
    /// location that is never taken away have a loop.
    fn with_loops(&self) -> FxHashSet<FuncId> {
        let cfa = &self.program.cfa;
        let mut arriving = vec![0_u32; cfa.locations.len()];
        let mut leaving = vec![Vec::new(); cfa.locations.len()];
        for edge in cfa.edges.iter() {
            arriving[edge.target.index()] += 1;
            leaving[edge.source.index()].push(edge.target);
        }
        let is_first = |(id, _): &(cfa::LocId, _)| arriving[id.index()] == 0;
        let mut todo: Vec<_> = cfa.locations.entries().filter(is_first).map(|(id, _)| id).collect();
        while let Some(location) = todo.pop() {
            for target in &leaving[location.index()] {
                arriving[target.index()] -= 1;
                if arriving[target.index()] == 0 {
                    todo.push(*target);
                }
            }
        }
        let left = cfa.locations.entries().filter(|(id, _)| arriving[id.index()] > 0);
        left.map(|(_, location)| location.function).collect()
    }

    /// What a part of an expression, or a function, does with all functions that it calls. Callers see nothing of a
    /// function's own variables. Global variables without a place in the text, which only the model has, and addresses
    /// are left out.
    fn summary(&mut self, part: &Part, is_function: bool) -> Summary {
        let variables = &self.program.cfa.variables;
        let is_seen = |var: &&Var| match variables[**var].scope {
            Scope::Global => variables[**var].span.is_some(),
            Scope::Local(_) => !is_function,
            Scope::Address(_) => false,
        };
        let mut all = Summary {
            reads: part.reads.iter().filter(is_seen).copied().collect(),
            writes: part.writes.iter().filter(is_seen).copied().collect(),
            faults: part.faults,
            ends: part.ends,
            jumps: self.asked.jump.is_some_and(|jump| part.writes.contains(&jump)),
            changes_all: part.changes_all,
            is_unknown: part.is_unknown,
            ..Summary::default()
        };
        for (addresses, memory) in [(&part.loads, &mut all.loads), (&part.stores, &mut all.stores)]
        {
            for address in addresses {
                let object = self.object(*address);
                if !(is_function && object.is_some_and(|object| self.stack.contains(&object))) {
                    memory.add(object);
                }
                // The address of an object without anything added is valid.
                let is_plain = matches!(self.program.terms.view(*address), View::Var(_));
                if !(is_plain && object.is_some()) {
                    all.faults = all.faults.and(Checks::of(&[Check::Deref]));
                }
            }
        }
        all.limit();
        for callee in &part.calls {
            if let Some(called) = self.called.get(callee) {
                all.merge(called);
            }
        }
        all
    }

    fn is_of_library(&self, span: Span) -> bool {
        self.program.sources.is_borrowed(span.file)
    }

    /// The address of the object that an address is in, if the term shows it.
    fn object(&mut self, address: TermId) -> Option<Var> {
        let Self { program, stack, objects, .. } = self;
        *objects.entry(address).or_insert_with(|| {
            object(&program.terms, address, &|var| {
                let scope = program.cfa.variables[*var].scope;
                matches!(scope, Scope::Address(_)) || stack.contains(var)
            })
        })
    }

    /// Whether the meaning of an expression may depend on the order of its parts. Each part is compared with all
    /// before it at once.
    fn is_open(&mut self, expression: &Unordered) -> bool {
        let mut before = Summary::default();
        expression.parts.iter().any(|part| {
            let part = self.summary(part, false);
            let is_open = self.depend(&before, &part) || self.depend(&part, &before);
            before.merge(&part);
            is_open
        })
    }

    /// Whether it may matter for `second` that `first` has been evaluated before it.
    fn depend(&self, first: &Summary, second: &Summary) -> bool {
        let is_unknown = first.is_unknown && second.does_anything();
        is_unknown || self.changes(first, second) || self.ends(first, second)
    }

    /// Whether `first` may change what `second` reads or changes.
    fn changes(&self, first: &Summary, second: &Summary) -> bool {
        let is_shared = |var: &Var| self.program.cfa.variables[*var].scope == Scope::Global;
        let uses_shared = || {
            let uses_memory = !second.loads.is_empty() || !second.stores.is_empty();
            uses_memory || second.reads.iter().chain(&second.writes).any(is_shared)
        };
        meet(&first.writes, &second.reads)
            || meet(&first.writes, &second.writes)
            || first.stores.meets(&second.loads)
            || first.stores.meets(&second.stores)
            || first.changes_all && uses_shared()
    }

    /// Whether `first` may end the program, or never end, and `second` may do something before that.
    fn ends(&self, first: &Summary, second: &Summary) -> bool {
        let is_asked = |check: &&Check| self.asked.checks.has(**check);
        let has_fault = Check::ALL.iter().filter(is_asked).any(|check| second.faults.has(*check));
        let fails = second.ends.fails || has_fault;
        // What has not been freed is looked at where the program ends.
        let is_left = [Check::Leak, Check::Track].iter().any(|check| self.asked.checks.has(*check));
        let stops = second.ends.stops || second.jumps;
        let matters =
            fails || is_left && second.changes() || self.asked.termination && second.repeats;
        first.ends.stops && matters
            || first.jumps && (fails || stops || second.repeats || second.changes())
            || first.repeats && second.ends.fails
    }
}
