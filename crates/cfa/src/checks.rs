//! Checks: which faults of a program count as violations, and the pass that makes them so.
//!
//! A front end marks by [`Op::Check`] where the behaviour of its language is undefined, and operations on memory end
//! the execution where they are invalid. [`check`] turns the faults that were chosen into branches to error locations,
//! which every analysis knows how to prove or to refute. Nothing else of the program changes.

use std::collections::BTreeMap;

use term::{Sort, TermId, Var, View};

use crate::{
    Access, AllocKind, EdgeId, Fault, FuncId, LocId, ObjectKind, Op, Program, Reading, Scope,
    Variable, stored_bytes,
};

/// A class of faults that can be looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Accesses to memory are inside live objects, and calls through pointers find a function.
    Deref,
    /// Only live heap objects are freed, by the address of their first byte.
    Free,
    /// Every heap object is freed before the program ends.
    Leak,
    /// Every live heap object is pointed to. This is looked at where the program returns, and a live object only counts
    /// as a violation if nothing that lives on there can point to an object.
    Track,
    /// Nothing is divided by zero.
    Div,
    /// Signed arithmetic stays in the range of its type.
    Overflow,
    /// Unsigned arithmetic stays in the range of its type.
    UnsignedOverflow,
    /// Shifts are defined.
    Shift,
    /// Conversions keep the value.
    Conversion,
    /// Values that are used have been set.
    Uninitialised,
}

impl Check {
    /// The checks that can be asked for by name.
    pub const ALL: [Check; 9] = [
        Check::Deref,
        Check::Free,
        Check::Leak,
        Check::Div,
        Check::Overflow,
        Check::UnsignedOverflow,
        Check::Shift,
        Check::Conversion,
        Check::Uninitialised,
    ];

    /// The check by its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Check::Deref => "deref",
            Check::Free => "free",
            Check::Leak => "leak",
            Check::Track => "track",
            Check::Div => "div",
            Check::Overflow => "overflow",
            Check::UnsignedOverflow => "unsigned-overflow",
            Check::Shift => "shift",
            Check::Conversion => "conversion",
            Check::Uninitialised => "uninitialised",
        }
    }
}

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks(u16);

impl Checks {
    /// No check at all.
    pub const NONE: Checks = Checks(0);

    /// The set of these checks.
    #[must_use]
    pub fn of(checks: &[Check]) -> Self {
        checks.iter().fold(Self::NONE, |set, check| set.with(*check))
    }

    /// The set with one check more.
    #[must_use]
    pub const fn with(self, check: Check) -> Self {
        Self(self.0 | 1 << check as u16)
    }

    /// All checks of both sets.
    #[must_use]
    pub const fn and(self, other: Checks) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a check is in the set.
    #[must_use]
    pub const fn has(self, check: Check) -> bool {
        self.0 & 1 << check as u16 != 0
    }

    /// Whether the set has no checks.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a fault is a violation.
    #[must_use]
    pub fn count(self, fault: Fault) -> bool {
        fault.check().is_some_and(|check| self.has(check))
    }
}

impl Fault {
    /// The check that looks for the fault, if there is one.
    #[must_use]
    pub const fn check(self) -> Option<Check> {
        Some(match self {
            Fault::DivisionByZero => Check::Div,
            Fault::SignedOverflow => Check::Overflow,
            Fault::UnsignedOverflow => Check::UnsignedOverflow,
            Fault::Shift => Check::Shift,
            Fault::Conversion => Check::Conversion,
            // An array of negative length has no element that could be accessed.
            Fault::InvalidAccess | Fault::InvalidCall | Fault::InvalidLength => Check::Deref,
            Fault::InvalidFree => Check::Free,
            Fault::Leak => Check::Leak,
            Fault::Lost => Check::Track,
            Fault::Uninitialised => Check::Uninitialised,
            Fault::Unreachable => return None,
        })
    }

    /// The property of SV-COMP that the fault violates, or else the name of the check.
    #[must_use]
    pub const fn property(self) -> &'static str {
        match self.check() {
            Some(Check::Deref) => "valid-deref",
            Some(Check::Free) => "valid-free",
            Some(Check::Leak) => "valid-memcleanup",
            Some(Check::Track) => "valid-memtrack",
            Some(Check::Overflow) => "no-overflow",
            Some(check) => check.name(),
            None => "def-behavior",
        }
    }
}

/// The variable that holds the state of a witness which is put into a program for validation. It holds a number, no
/// address, and is none of the program's own variables.
pub const WITNESS_STATE: &str = "__proviso_at";

/// Makes the faults that the checks look for reach error locations, one for each place where a
/// fault may happen. The error location has the place of the operation in the source.
///
/// The objects whose addresses are `open` are larger than the model says, and by how much is not known. So the effect
/// of an access that may be inside one of these objects is not known.
pub fn check(program: &mut Program, checks: Checks, open: &[Var]) {
    if checks.is_empty() {
        return;
    }
    if checks.has(Check::Leak) || checks.has(Check::Track) {
        count_objects(program, checks);
    }
    let mut pass = Pass { bases: bases(program), program, checks, open, names: 0 };
    for edge in pass.program.cfa.edges.ids().collect::<Vec<_>>() {
        pass.edge(edge);
    }
}

/// What is taken for granted of a program because a check was not asked for, if the program does
/// something that the check would look at.
#[must_use]
pub fn unchecked(program: &Program, checks: Checks) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut note = |check: Check, text: &'static str, is_there: &dyn Fn(&Op) -> bool| {
        let mut ops = program.cfa.edges.iter().flat_map(|edge| &edge.ops[..]);
        if !checks.has(check) && ops.any(is_there) {
            found.push(text);
        }
    };
    note(Check::Deref, "accesses are in bounds: not checked", &|op| {
        matches!(
            op,
            Op::Load { .. }
                | Op::Store { .. }
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::HavocMemory { .. }
        )
    });
    note(Check::Free, "what is freed was allocated: not checked", &|op| {
        matches!(op, Op::Free { kind: AllocKind::Heap, .. })
    });
    note(Check::Div, "nothing is divided by zero: not checked", &|op| {
        matches!(op, Op::Check { fault: Fault::DivisionByZero, .. })
    });
    found
}

/// Has a variable count the live heap objects, and marks where the program ends while this number is not zero.
fn count_objects(program: &mut Program, checks: Checks) {
    let Some(start) = program.cfa.start else { return };
    let plain =
        |scope: Scope| Variable { scope, reading: Reading::Plain, source_name: None, span: None };
    // Data objects and global variables live on where the program returns, and could hold a pointer.
    let lives_on = |object: &crate::Object| object.kind == ObjectKind::Data;
    let is_global = |variable: &Variable| {
        variable.scope == Scope::Global && variable.source_name.as_deref() != Some(WITNESS_STATE)
    };
    let may_point =
        program.cfa.objects.iter().any(lives_on) || program.cfa.variables.iter().any(is_global);
    let count = program.declare("@live", Sort::Bv(64), plain(Scope::Global));
    count_on_edges(program, start, count, checks.has(Check::Leak));
    let (live, zero) = (program.terms.var(count), program.terms.bv(64, 0));
    let none = program.terms.eq(live, zero);
    if checks.has(Check::Track) {
        end_with_none(program, none);
    }
    return_with_none(program, start, none, may_point, checks);
}

/// Has a variable count the live heap objects from the start on, and marks where executions end in the middle of the
/// program while this number is not zero, if that is a fault.
fn count_on_edges(program: &mut Program, start: FuncId, count: Var, marks: bool) {
    let live = program.terms.var(count);
    let (zero, one) = (program.terms.bv(64, 0), program.terms.bv(64, 1));
    let none = program.terms.eq(live, zero);
    let more = program.terms.bv_add(live, one);
    let fewer = program.terms.bv_sub(live, one);
    let entry = program.cfa.functions[start].entry;
    for id in program.cfa.edges.ids().collect::<Vec<_>>() {
        let ops = std::mem::take(&mut program.cfa.edges[id].ops);
        let mut counted = Vec::with_capacity(ops.len());
        if program.cfa.edges[id].source == entry {
            counted.push(Op::Assign { var: count, value: zero });
        }
        for op in ops.into_vec() {
            match op {
                Op::Alloc { kind: AllocKind::Heap, .. } => {
                    counted.extend([op, Op::Assign { var: count, value: more }]);
                }
                Op::Free { address, kind: AllocKind::Heap } => {
                    let null = program.terms.bv(program.cfa.address_width, 0);
                    let nothing = program.terms.eq(address, null);
                    let value = program.terms.ite(nothing, live, fewer);
                    counted.extend([op, Op::Assign { var: count, value }]);
                }
                Op::Exit(_) if marks => {
                    counted.extend([Op::Check { holds: none, fault: Fault::Leak }, op]);
                }
                _ => counted.push(op),
            }
        }
        // A call is the only operation of its edge.
        if let [before @ Op::Assign { .. }, Op::Call { .. }] = &counted[..] {
            let before = before.clone();
            let function = program.cfa.locations[entry].function;
            let called = program.cfa.add_location(function);
            let (target, span) = (program.cfa.edges[id].target, program.cfa.edges[id].span);
            program.cfa.add_edge(called, target, counted.split_off(1), span);
            let edge = &mut program.cfa.edges[id];
            (edge.ops, edge.target) = (Box::new([before]), called);
        } else {
            program.cfa.edges[id].ops = counted.into();
        }
    }
}

/// Marks where the program returns while some heap objects live.
fn return_with_none(
    program: &mut Program,
    start: FuncId,
    none: TermId,
    may_point: bool,
    checks: Checks,
) {
    let exit = program.cfa.functions[start].exit;
    let end = program.cfa.add_location(start);
    let mut span = None;
    for edge in program.cfa.edges.iter_mut().filter(|edge| edge.target == exit) {
        (edge.target, span) = (end, edge.span.or(span));
    }
    let mut ops = Vec::new();
    if checks.has(Check::Leak) {
        ops.push(Op::Check { holds: none, fault: Fault::Leak });
    }
    if checks.has(Check::Track) && !may_point {
        ops.push(Op::Check { holds: none, fault: Fault::Lost });
    }
    if checks.has(Check::Track) && may_point {
        let some = program.terms.not(none);
        let sink = program.cfa.add_location(start);
        let ops_of_some = [Op::Assume(some), Op::Unsupported(POINTED_TO.into())];
        program.cfa.add_edge(end, sink, ops_of_some, span);
        ops.push(Op::Assume(none));
    }
    program.cfa.add_edge(end, exit, ops, span);
}

/// The reason that is given where nothing is said of memory that is not freed.
const POINTED_TO: &str = "whether memory that is not freed is still pointed to at the end";

/// Has executions that end in the middle of the program do so only where no heap object lives. Other executions that
/// end there are inconclusive, since the variables of all functions that are active may still point to a live object.
fn end_with_none(program: &mut Program, none: TermId) {
    let some = program.terms.not(none);
    for id in program.cfa.edges.ids().collect::<Vec<_>>() {
        let edge = &program.cfa.edges[id];
        let ends = |op: &Op| matches!(op, Op::Exit(_) | Op::Abort);
        let Some(at) = edge.ops.iter().position(ends) else { continue };
        let (function, span) = (program.cfa.locations[edge.source].function, edge.span);
        let target = edge.target;
        let mut before = std::mem::take(&mut program.cfa.edges[id].ops).into_vec();
        let ending = before.split_off(at);
        let middle = program.cfa.add_location(function);
        let sink = program.cfa.add_location(function);
        let open = [Op::Assume(some), Op::Unsupported(POINTED_TO.into())];
        program.cfa.add_edge(middle, sink, open, span);
        let rest: Vec<Op> = std::iter::once(Op::Assume(none)).chain(ending).collect();
        program.cfa.add_edge(middle, target, rest, span);
        let edge = &mut program.cfa.edges[id];
        (edge.ops, edge.target) = (before.into(), middle);
    }
}

/// Whether every execution of a program ends, as its shape alone shows: it has no cycle and no recursion.
#[must_use]
pub fn always_ends(program: &Program) -> bool {
    let cfa = &program.cfa;
    if crate::Calls::of(cfa).any_recursive() {
        return false;
    }
    let mut entering = vec![0_u32; cfa.locations.len()];
    for edge in &cfa.edges {
        entering[base::Id::index(edge.target)] += 1;
    }
    let mut ready: Vec<LocId> =
        cfa.locations.ids().filter(|id| entering[base::Id::index(*id)] == 0).collect();
    let mut passed = 0;
    while let Some(at) = ready.pop() {
        passed += 1;
        for edge in &cfa.locations[at].edges {
            let target = cfa.edges[*edge].target;
            let left = &mut entering[base::Id::index(target)];
            *left -= 1;
            if *left == 0 {
                ready.push(target);
            }
        }
    }
    passed == cfa.locations.len()
}

/// Objects of known size that live as long as the variable with their address can be read, and
/// whether they may be written.
fn bases(program: &Program) -> BTreeMap<Var, (u64, bool)> {
    let cfa = &program.cfa;
    let mut bases = BTreeMap::new();
    for object in &cfa.objects {
        if !matches!(object.kind, ObjectKind::Code(_)) {
            bases.insert(object.address, (object.size, object.kind == ObjectKind::Data));
        }
    }
    // Objects that a function makes at its entry live until it returns.
    let mut assigned: BTreeMap<Var, u32> = BTreeMap::new();
    let mut entered = vec![0_u32; cfa.locations.len()];
    for edge in &cfa.edges {
        entered[base::Id::index(edge.target)] += 1;
        for var in edge.ops.iter().flat_map(Op::assigned) {
            *assigned.entry(*var).or_default() += 1;
        }
    }
    let ends: Vec<TermId> = cfa
        .edges
        .iter()
        .flat_map(|edge| &edge.ops[..])
        .filter_map(|op| match op {
            Op::Free { address, kind: AllocKind::Stack } => Some(*address),
            _ => None,
        })
        .collect();
    for function in &cfa.functions {
        let [first] = cfa.locations[function.entry].edges[..] else { continue };
        if entered[base::Id::index(function.entry)] > 0 {
            continue;
        }
        for op in &cfa.edges[first].ops[..] {
            if let Op::Alloc { var, size, kind: AllocKind::Stack, .. } = op
                && assigned[var] == 1
                && !ends.iter().any(|end| program.terms.vars(*end).contains(var))
                && let Some(size) = program.terms.number(*size)
            {
                bases.insert(*var, (size, true));
            }
        }
    }
    bases
}

/// The reason that is given where nothing is said of an access.
const OPEN: &str = "an access to an object whose size is not known";

/// How far behind its start an object whose size is not known may reach.
const REACH: u128 = 1 << 31;

struct Pass<'p> {
    program: &'p mut Program,
    checks: Checks,
    /// The addresses of objects whose size is not known.
    open: &'p [Var],
    bases: BTreeMap<Var, (u64, bool)>,
    /// How many variables were declared.
    names: u32,
}

/// A condition that must hold before an operation, and the fault that has happened if it does not.
struct Demand {
    holds: TermId,
    fault: Fault,
    /// The condition under which it is not known whether the fault has happened.
    unclear: TermId,
    /// The operation that computes the condition, if the condition cannot be computed from the variables of the
    /// program.
    by: Option<Op>,
}

/// An access that is known to be valid: address, length and kind.
type KnownAccess = (TermId, TermId, Access);

/// An edge that is being taken apart.
struct Draft {
    function: FuncId,
    /// Where the next piece starts.
    source: LocId,
    /// The operations of the next piece.
    ops: Vec<Op>,
    /// The edge, until its first piece has been made.
    first: Option<EdgeId>,
    span: Option<::base::Span>,
    /// Conditions, and below accesses, that were looked at on this edge.
    holds: Vec<TermId>,
    valid: Vec<KnownAccess>,
}

impl Pass<'_> {
    fn edge(&mut self, id: EdgeId) {
        let edge = &mut self.program.cfa.edges[id];
        let (ops, target) = (std::mem::take(&mut edge.ops), edge.target);
        let mut draft = Draft {
            function: self.program.cfa.locations[edge.source].function,
            source: edge.source,
            ops: Vec::new(),
            first: Some(id),
            span: edge.span,
            holds: Vec::new(),
            valid: Vec::new(),
        };
        for op in ops.into_vec() {
            for demand in self.demands(&mut draft, &op) {
                self.demand(&mut draft, demand);
            }
            let is_checked = matches!(&op, Op::Check { fault, .. } if self.checks.count(*fault));
            if is_checked {
                continue;
            }
            let terms = &self.program.terms;
            for var in op.assigned() {
                draft.holds.retain(|known| !terms.vars(*known).contains(var));
                draft.valid.retain(|(address, length, _)| {
                    ![address, length].iter().any(|term| terms.vars(**term).contains(var))
                });
            }
            if let Op::Free { .. } = op {
                draft.valid.clear();
            }
            draft.ops.push(op);
        }
        self.piece(&mut draft, target);
    }

    /// Ends the piece that a draft is at with an edge to a location.
    fn piece(&mut self, draft: &mut Draft, target: LocId) {
        let ops = std::mem::take(&mut draft.ops);
        match draft.first.take() {
            Some(id) => {
                let edge = &mut self.program.cfa.edges[id];
                (edge.ops, edge.target) = (ops.into(), target);
            }
            None => _ = self.program.cfa.add_edge(draft.source, target, ops, draft.span),
        }
    }

    /// What must hold before an operation, as far as the chosen checks look for it.
    fn demands(&mut self, draft: &mut Draft, op: &Op) -> Vec<Demand> {
        match *op {
            Op::Check { holds, fault } if self.checks.count(fault) => {
                let unclear = self.program.terms.bool(false);
                vec![Demand { holds, fault, unclear, by: None }]
            }
            Op::Free { address, kind: AllocKind::Heap } if self.checks.has(Check::Free) => {
                let length = self.length(0);
                self.access(draft, address, length, Access::Free).into_iter().collect()
            }
            _ if !self.checks.has(Check::Deref) => Vec::new(),
            // The memory that the arguments of the entry function point to was made for this operation.
            Op::HavocMemory { .. } if self.program.cfa.start == Some(draft.function) => Vec::new(),
            Op::Load { var, address } => {
                let sort = self.program.terms.var_sort(var);
                self.whole(draft, address, sort, Access::Read)
            }
            Op::Store { address, value } => {
                let sort = self.program.terms.sort(value);
                self.whole(draft, address, sort, Access::Write)
            }
            Op::Copy { to, from, length } => {
                let read = self.access(draft, from, length, Access::Read);
                let write = self.access(draft, to, length, Access::Write);
                read.into_iter().chain(write).collect()
            }
            Op::Fill { address, length, .. } | Op::HavocMemory { address, length, .. } => {
                self.access(draft, address, length, Access::Write).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn length(&mut self, bytes: u64) -> TermId {
        self.program.terms.bv(self.program.cfa.address_width, u128::from(bytes))
    }

    /// The demand of an access that reads or writes a value of a sort.
    fn whole(
        &mut self,
        draft: &mut Draft,
        address: TermId,
        sort: Sort,
        access: Access,
    ) -> Vec<Demand> {
        let Some(bytes) = stored_bytes(sort) else { return Vec::new() };
        let length = self.length(bytes);
        self.access(draft, address, length, access).into_iter().collect()
    }

    /// The condition for an access to memory to be valid, unless it is known to hold on the edge.
    fn access(
        &mut self,
        draft: &mut Draft,
        address: TermId,
        length: TermId,
        access: Access,
    ) -> Option<Demand> {
        let fault = match access {
            Access::Read | Access::Write => Fault::InvalidAccess,
            Access::Free => Fault::InvalidFree,
        };
        let covers = |known: &KnownAccess| {
            let same = known.0 == address && known.1 == length;
            // Bytes that may be written may be read.
            same && (known.2 == access || (known.2 == Access::Write && access == Access::Read))
        };
        if draft.valid.iter().any(covers) {
            return None;
        }
        if access != Access::Free
            && let Some((base, offset)) = self.split(address)
        {
            let holds = self.inside(base, offset, length, access);
            let unclear = self.program.terms.bool(self.open.contains(&base));
            return Some(Demand { holds, fault, unclear, by: None });
        }
        draft.valid.push((address, length, access));
        let var = self.declare(draft.function);
        let holds = self.program.terms.var(var);
        let unclear = self.near_open(address, access);
        let by = Some(Op::Valid { var, address, length, access });
        Some(Demand { holds, fault, unclear, by })
    }

    /// Whether an access may be inside an object whose size is not known.
    fn near_open(&mut self, address: TermId, access: Access) -> TermId {
        let terms = &mut self.program.terms;
        let mut near = terms.bool(false);
        for open in if access == Access::Free { &[] } else { self.open } {
            let start = terms.var(*open);
            let distance = terms.bv_sub(address, start);
            let reach = terms.bv(self.program.cfa.address_width, REACH);
            let is_near = terms.bv_ult(distance, reach);
            near = terms.or2(near, is_near);
        }
        near
    }

    /// Whether an access at a distance from the start of an object is inside that object.
    fn inside(&mut self, base: Var, offset: TermId, length: TermId, access: Access) -> TermId {
        let (size, is_writable) = self.bases[&base];
        if access == Access::Write && !is_writable {
            return self.program.terms.bool(false);
        }
        let size = self.length(size);
        let terms = &mut self.program.terms;
        let fits = terms.bv_ule(length, size);
        let last = terms.bv_sub(size, length);
        let below = terms.bv_ule(offset, last);
        let inside = terms.and2(fits, below);
        let zero = terms.bv(self.program.cfa.address_width, 0);
        let nothing = terms.eq(length, zero);
        terms.or2(nothing, inside)
    }

    /// An address as the address of an object of known size and the distance from it.
    fn split(&mut self, address: TermId) -> Option<(Var, TermId)> {
        let mut found = None;
        let mut offset = self.length(0);
        let mut todo = vec![(address, false)];
        while let Some((term, minus)) = todo.pop() {
            match self.program.terms.view(term) {
                View::Var(var) if !minus && self.bases.contains_key(&var) => {
                    if found.replace(var).is_some() {
                        return None;
                    }
                }
                View::App(term::Op::BvAdd, &[a, b]) => todo.extend([(b, minus), (a, minus)]),
                View::App(term::Op::BvSub, &[a, b]) => todo.extend([(b, !minus), (a, minus)]),
                _ => {
                    let vars = self.program.terms.vars(term);
                    if vars.iter().any(|var| self.bases.contains_key(var)) {
                        return None;
                    }
                    let terms = &mut self.program.terms;
                    offset = match minus {
                        true => terms.bv_sub(offset, term),
                        false => terms.bv_add(offset, term),
                    };
                }
            }
        }
        Some((found?, offset))
    }

    /// A variable for whether an access is valid.
    fn declare(&mut self, function: FuncId) -> Var {
        self.names += 1;
        let name = format!("{}::$valid{}", self.program.cfa.functions[function].name, self.names);
        let variable = Variable {
            scope: Scope::Local(function),
            reading: Reading::Plain,
            source_name: None,
            span: None,
        };
        self.program.declare(name, Sort::Bool, variable)
    }

    /// Branches to an error where a demand is not met.
    fn demand(&mut self, draft: &mut Draft, demand: Demand) {
        let Demand { holds, fault, unclear, by } = demand;
        if self.program.terms.is_true(holds) || draft.holds.contains(&holds) {
            return;
        }
        draft.ops.extend(by);
        let cfa = &mut self.program.cfa;
        // If the piece has no operations yet and no other edge leaves the location where it starts, the branches can
        // start there, too.
        let is_alone = draft.first.is_none() || cfa.locations[draft.source].edges.len() == 1;
        if !draft.ops.is_empty() || !is_alone {
            let next = cfa.add_location(draft.function);
            self.piece(draft, next);
            draft.source = next;
        }
        let terms = &mut self.program.terms;
        let fails = terms.not(holds);
        let clear = terms.not(unclear);
        let (open, wrong) = (terms.and2(fails, unclear), terms.and2(fails, clear));
        if !terms.is_false(open) {
            let sink = self.program.cfa.add_location(draft.function);
            let ops = self.assumed(open).chain([Op::Unsupported(OPEN.into())]).collect::<Vec<_>>();
            self.program.cfa.add_edge(draft.source, sink, ops, draft.span);
            // The access may be valid, and then the execution goes on.
            self.program.cfa.behind_cuts.push(draft.source);
        }
        if !self.program.terms.is_false(wrong) {
            let cfa = &mut self.program.cfa;
            let error = cfa.add_location(draft.function);
            let location = &mut cfa.locations[error];
            (location.error, location.fault, location.span) = (true, Some(fault), draft.span);
            let ops: Vec<Op> = self.assumed(wrong).collect();
            self.program.cfa.add_edge(draft.source, error, ops, draft.span);
        }
        draft.ops.push(Op::Assume(holds));
        draft.holds.push(holds);
    }

    /// A condition as an operation, unless it always holds.
    fn assumed(&self, condition: TermId) -> impl Iterator<Item = Op> + use<> {
        (!self.program.terms.is_true(condition)).then_some(Op::Assume(condition)).into_iter()
    }
}
