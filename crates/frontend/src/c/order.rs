//! Expressions whose meaning depends on an order of evaluation that C leaves open.
//!
//! While an expression is lowered, what its parts do is noted: operands, arguments, the sides of an
//! assignment. When all functions are lowered, it is known what the calls among them read and change. Where
//! one part may change what another part uses, the run lists the order that was chosen as an assumption.
//! Nothing but that list depends on it, so memory is told apart by objects and by the sizes of accesses only.

use base::Span;
use cfa::{AllocKind, AssumptionKind, FuncId, Op, Program, Scope};
use rucc_sema::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Var};

use super::body::Mark;
use super::facts::Effect;
use super::function::Lower;
use super::shape::Shape;
use super::storage::Lvalue;

/// The parts of one expression between which C leaves the order open.
pub(super) struct Unordered {
    parts: Vec<Part>,
    span: Option<Span>,
}

/// What a part of an expression, or a function, reads and changes by itself.
#[derive(Default, Clone)]
struct Uses {
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
    loads: Vec<Touched>,
    stores: Vec<Touched>,
    calls: Vec<FuncId>,
    /// Whether anything at all may change.
    changes_all: bool,
}

/// Bytes in memory that an operation reads or writes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Touched {
    address: TermId,
    /// What the bytes hold, if the operation says so.
    sort: Option<Sort>,
}

impl Lower<'_, '_> {
    /// Whether the order of expressions can matter: one of them changes something, and not all others are
    /// constants.
    pub fn has_order(&self, parts: &[ExprId]) -> bool {
        self.facts.is_of_program
            && parts.len() > 1
            && parts.iter().any(|part| self.facts.effect(&self.unit, *part) == Effect::Changes)
    }

    /// What was done since a mark, and the values that came out of it, as a part of an expression.
    pub fn done_since(&self, since: Mark, values: &[TermId]) -> Part {
        let program = &self.link.program;
        let mut uses = Uses::default();
        for op in self.body.operations_since(since) {
            uses.add(program, op);
        }
        uses.reads.extend(values.iter().flat_map(|value| program.terms.vars(*value)));
        // A long expression has many of them, and each belongs to one part.
        uses.reads.retain(|var| !self.temporaries.contains(var));
        uses.writes.retain(|var| !self.temporaries.contains(var));
        Part(uses)
    }

    /// The place on the left of an assignment as a part of it, with the shape of an old value that is read.
    pub fn place_since(&self, since: Mark, place: &Lvalue, old: Option<Shape>) -> Part {
        let address = match place {
            Lvalue::Memory(address) | Lvalue::Bits { address, .. } => Some(*address),
            Lvalue::Var(_) | Lvalue::Fields(..) => None,
        };
        let mut part = self.done_since(since, address.as_slice());
        match (place, old) {
            (Lvalue::Var(var), Some(_)) => {
                part.0.reads.insert(*var);
            }
            (Lvalue::Memory(address), Some(old)) => {
                part.0.loads.push(Touched { address: *address, sort: Some(old.sort()) });
            }
            (Lvalue::Bits { address, .. }, Some(_)) => {
                part.0.loads.push(Touched { address: *address, sort: None });
            }
            _ => {}
        }
        part
    }

    /// Notes an expression whose parts have been evaluated in the order that was chosen.
    pub fn note_order(&mut self, parts: Vec<Part>) {
        let span = self.body.span();
        self.link.unordered.push(Unordered { parts, span });
    }
}

/// What a part of an expression does.
pub(super) struct Part(Uses);

impl Uses {
    fn add(&mut self, program: &Program, op: &Op) {
        let terms = &program.terms;
        self.reads.extend(op.terms().flat_map(|term| terms.vars(term)));
        self.writes.extend(op.assigned());
        match *op {
            Op::Load { var, address } => {
                self.loads.push(Touched { address, sort: Some(terms.var_sort(var)) });
            }
            Op::Store { address, value } => {
                self.stores.push(Touched { address, sort: Some(terms.sort(value)) });
            }
            Op::Copy { to, from, .. } => {
                self.loads.push(Touched { address: from, sort: None });
                self.stores.push(Touched { address: to, sort: None });
            }
            Op::Fill { address, .. }
            | Op::HavocMemory { address, .. }
            | Op::Free { address, kind: AllocKind::Heap } => {
                self.stores.push(Touched { address, sort: None });
            }
            Op::HavocReachable { .. } => self.changes_all = true,
            Op::Call { callee, .. } if !self.calls.contains(&callee) => self.calls.push(callee),
            _ => {}
        }
    }
}

/// Lists the order of evaluation as an assumption, if the program has an expression where it can matter.
pub(super) fn list(program: &mut Program, unordered: &[Unordered]) {
    if unordered.is_empty() {
        return;
    }
    let mut functions = Functions::of(program);
    let mut found = unordered.iter().filter(|expression| functions.is_open(expression));
    let Some(first) = found.next() else { return };
    let span = first.span;
    let others = match found.count() {
        0 => String::new(),
        count => format!(" ({} places, this is the first)", count + 1),
    };
    let text = format!(
        "C leaves the order open where one part of an expression changes what another part uses: evaluated \
         from left to right, in assignments mostly the right side first{others}"
    );
    program.cfa.assume(AssumptionKind::Semantics, text, span);
}

/// What the functions of a program do, as far as it is seen from outside of them.
struct Functions<'p> {
    program: &'p Program,
    /// The addresses of local variables in memory.
    stack: FxHashSet<Var>,
    own: FxHashMap<FuncId, Uses>,
}

impl<'p> Functions<'p> {
    fn of(program: &'p Program) -> Self {
        let mut stack = FxHashSet::default();
        let mut own: FxHashMap<FuncId, Uses> = FxHashMap::default();
        for edge in program.cfa.edges.iter() {
            let uses = own.entry(program.cfa.locations[edge.source].function).or_default();
            for op in &edge.ops {
                if let Op::Alloc { var, kind: AllocKind::Stack, .. } = op {
                    stack.insert(*var);
                }
                uses.add(program, op);
            }
        }
        let functions = Self { program, stack, own: FxHashMap::default() };
        let own = own.into_iter().map(|(id, uses)| (id, functions.outside(uses))).collect();
        Self { own, ..functions }
    }

    /// What others see of what a function does: neither its own variables nor those of the library.
    fn outside(&self, mut uses: Uses) -> Uses {
        let variables = &self.program.cfa.variables;
        let is_seen = |var: &Var| {
            let is_shared = variables[*var].scope == Scope::Global;
            is_shared && !variables[*var].span.is_none_or(|span| self.is_of_library(span))
        };
        uses.reads.retain(is_seen);
        uses.writes.retain(is_seen);
        let is_seen = |touched: &Touched| match self.object(touched.address) {
            Some(var) if self.stack.contains(&var) => false,
            Some(var) => !variables[var].span.is_some_and(|span| self.is_of_library(span)),
            None => true,
        };
        uses.loads.retain(is_seen);
        uses.stores.retain(is_seen);
        uses
    }

    fn is_of_library(&self, span: Span) -> bool {
        self.program.sources.is_borrowed(span.file)
    }

    /// The address of the object that an address is in, if the term shows it.
    fn object(&self, address: TermId) -> Option<Var> {
        let is_object = |var: &Var| {
            let scope = self.program.cfa.variables[*var].scope;
            matches!(scope, Scope::Address(_)) || self.stack.contains(var)
        };
        let vars = self.program.terms.vars(address);
        let mut objects = vars.into_iter().filter(is_object);
        objects.next().filter(|_| objects.next().is_none())
    }

    /// Whether the meaning of an expression may depend on the order of its parts.
    fn is_open(&mut self, expression: &Unordered) -> bool {
        let parts: Vec<Uses> =
            expression.parts.iter().map(|part| self.with_calls(&part.0)).collect();
        let mut pairs = parts
            .iter()
            .enumerate()
            .flat_map(|(at, first)| parts[at + 1..].iter().map(move |second| (first, second)));
        pairs.any(|(first, second)| self.meet(first, second) || self.meet(second, first))
    }

    /// What a part does with all functions that it calls.
    fn with_calls(&self, part: &Uses) -> Uses {
        let mut all = part.clone();
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        let mut todo = part.calls.clone();
        while let Some(function) = todo.pop() {
            let Some(own) = self.own.get(&function).filter(|_| seen.insert(function)) else {
                continue;
            };
            all.reads.extend(&own.reads);
            all.writes.extend(&own.writes);
            all.loads.extend(&own.loads);
            all.stores.extend(&own.stores);
            all.changes_all |= own.changes_all;
            todo.extend(&own.calls);
        }
        all
    }

    /// Whether `first` may change what `second` reads or changes.
    fn meet(&self, first: &Uses, second: &Uses) -> bool {
        let mut used = second.reads.iter().chain(&second.writes);
        let uses_memory = || second.loads.iter().chain(&second.stores);
        used.any(|var| first.writes.contains(var))
            || first.changes_all && uses_memory().next().is_some()
            || first.stores.iter().any(|store| uses_memory().any(|other| self.same(*store, *other)))
    }

    /// Whether two accesses may be to the same bytes, as far as objects and types tell them apart.
    fn same(&self, one: Touched, other: Touched) -> bool {
        let same_object = match (self.object(one.address), self.object(other.address)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        let same_sort = one.sort.zip(other.sort).is_none_or(|(one, other)| one == other);
        same_object && same_sort
    }
}
