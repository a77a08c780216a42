//! The program with variables for cells.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{
    Cfa, Choice, EdgeId, LocId, ObjectId, ObjectKind, Op, Program, Reading, Scope, Variable,
};
use domains::Mirrors;
use domains::survey::{Access, Held, Survey, Where};
use domains::value::{NameId, ObjectSite};
use term::{Sort, TermId, Terms, Var};

use crate::Rewritten;
use crate::back::{Back, OperationOrigin};

/// A program with more cells is left as it is.
const MOST_CELLS: usize = 256;

/// The variables of the cells of each object, by first byte and length.
type Variables = BTreeMap<NameId, BTreeMap<(u64, u64), Var>>;

/// The program with a variable for each cell that is worth a variable, and which loads may be read from such a
/// variable; `None` if there are no such cells, or too many.
pub(super) fn rewrite(survey: &mut Survey<'_>) -> Option<(Rewritten, Mirrors)> {
    let mut program = survey.program().clone();
    let cells = declare(survey, &mut program)?;
    let first = first_values(survey, &mut program, &cells);
    let mut back = Back::identity(survey.program());
    let (mut mirrors, mut sources) = (Mirrors::new(), IndexVec::new());
    for edge in program.cfa.edges.ids().collect::<Vec<_>>() {
        let known = &mut program.cfa.edges[edge];
        let mut ops = match &first {
            Some((start, ops)) if *start == known.source => ops.clone(),
            _ => Vec::new(),
        };
        let mut source = vec![OperationOrigin::Added; ops.len()];
        let old = std::mem::take(&mut known.ops);
        for (number, op) in (0..).zip(old) {
            let access = survey.accesses.get(&(edge, number));
            if let Some(var) = mirrored(&program.terms, &cells, &op, access) {
                // Edges have fewer than 2^32 operations.
                mirrors.insert((edge, ops.len() as u32), var);
            }
            // The operation comes first, then what it does to cells.
            source.push(back.ops[edge][number as usize]);
            translate(survey, &mut program.terms, &cells, op, access, &mut ops);
            source.resize(ops.len(), OperationOrigin::Added);
        }
        program.cfa.edges[edge].ops = ops.into();
        let added: EdgeId = sources.push(source.into_boxed_slice());
        debug_assert_eq!(added, edge, "edges are rewritten in order");
    }
    back.ops = sources;
    back.variables = program.cfa.variables.ids().map(|var| back.variable(var)).collect();
    Some((Rewritten { program, back }, mirrors))
}

/// Gives variables to cells that are loaded, except to cells from whose variables nothing could be learned.
fn declare(survey: &Survey<'_>, program: &mut Program) -> Option<Variables> {
    let mut loads: BTreeMap<(NameId, u64, u64), Vec<Sort>> = BTreeMap::new();
    let mut stores: BTreeSet<(NameId, u64, u64)> = BTreeSet::new();
    for ((edge, number), access) in &survey.accesses {
        let op = &program.cfa.edges[*edge].ops[*number as usize];
        match (access, op) {
            (Access::Read(Where::At(object, offset)), Op::Load { var, .. }) => {
                let sort = program.terms.var_sort(*var);
                let length = cfa::stored_bytes(sort)?;
                loads.entry((*object, *offset, length)).or_default().push(sort);
            }
            (Access::Write(Where::At(object, offset), Some(length)), Op::Store { .. }) => {
                stores.insert((*object, *offset, *length));
            }
            _ => {}
        }
    }
    let mut cells = Variables::new();
    for ((object, offset, length), sorts) in loads {
        let is_stored = stores.contains(&(object, offset, length));
        let is_first = matches!(survey.site(object), ObjectSite::Initial(_));
        if sorts.len() < 2 && !is_stored && !is_first {
            continue;
        }
        let name = format!("@cell:{object:?}+{offset}:{length}");
        // Loads of other sorts with the same length stay as they were.
        let var = program.terms.declare(name, sorts[0]);
        program.cfa.variables.push(Variable {
            scope: Scope::Global,
            reading: Reading::Plain,
            source_name: None,
            span: None,
        });
        cells.entry(object).or_default().insert((offset, length), var);
    }
    let count: usize = cells.values().map(BTreeMap::len).sum();
    (1..=MOST_CELLS).contains(&count).then_some(cells)
}

/// What objects that exist from the start hold at first: operations that say so, and where they are put. `None` if no
/// operation can be put before all others.
fn first_values(
    survey: &mut Survey<'_>,
    program: &mut Program,
    cells: &Variables,
) -> Option<(LocId, Vec<Op>)> {
    let start = first_location(&program.cfa)?;
    let mut ops = Vec::new();
    for (object, cells) in cells {
        let ObjectSite::Initial(id) = survey.site(*object) else { continue };
        for ((offset, length), var) in cells {
            let held = match survey.first_value(id, *offset, *length) {
                Some(Held::Value(value)) => Some(program.terms.constant(value)),
                Some(Held::Address(object, offset)) => Some(address(program, object, offset)),
                None => None,
            };
            let sort = program.terms.var_sort(*var);
            if let Some(value) = held.filter(|value| program.terms.sort(*value) == sort) {
                ops.push(Op::Assign { var: *var, value });
            }
        }
    }
    Some((start, ops))
}

/// The location that executions pass before they do anything but call functions, and only once.
fn first_location(cfa: &Cfa) -> Option<LocId> {
    let mut function = cfa.start?;
    let calls = |function| cfa.edges.iter().filter(move |edge| edge.callee() == Some(function));
    let mut entered = 0;
    loop {
        let entry = cfa.functions[function].entry;
        let is_passed_again = cfa.edges.iter().any(|edge| edge.target == entry);
        if is_passed_again || calls(function).count() != entered {
            return None;
        }
        let mut callees = cfa.locations[entry].edges.iter().map(|edge| cfa.edges[*edge].callee());
        match (callees.next(), callees.len()) {
            (Some(Some(callee)), 0) => function = callee,
            (first, _) if first.flatten().is_some() => return None,
            _ if callees.any(|callee| callee.is_some()) => return None,
            _ => return Some(entry),
        }
        // All functions but the first one are entered once: by the call in the function before.
        entered = 1;
    }
}

/// The address of a byte of an object that exists from the start.
fn address(program: &mut Program, object: ObjectId, offset: u64) -> TermId {
    let base = program.terms.var(program.cfa.objects[object].address);
    let offset = program.terms.bv(program.cfa.address_width, u128::from(offset));
    program.terms.bv_add(base, offset)
}

/// The cell that a load reads.
fn mirrored(terms: &Terms, cells: &Variables, op: &Op, access: Option<&Access>) -> Option<Var> {
    let (Op::Load { var, .. }, Some(Access::Read(Where::At(object, offset)))) = (op, access) else {
        return None;
    };
    let sort = terms.var_sort(*var);
    let cell = *cells.get(object)?.get(&(*offset, cfa::stored_bytes(sort)?))?;
    (terms.var_sort(cell) == sort).then_some(cell)
}

/// An operation, and what it does to cells.
fn translate(
    survey: &Survey<'_>,
    terms: &mut Terms,
    cells: &Variables,
    op: Op,
    access: Option<&Access>,
    ops: &mut Vec<Op>,
) {
    let is_constant = |object: NameId| match survey.site(object) {
        ObjectSite::Initial(id) => survey.program().cfa.objects[id].kind == ObjectKind::ReadOnly,
        ObjectSite::Alloc(..) => false,
    };
    let forget = |ops: &mut Vec<Op>, test: &dyn Fn(NameId, u64, u64) -> bool| {
        for (object, cells) in cells.iter().filter(|(object, _)| !is_constant(**object)) {
            for ((offset, length), var) in cells {
                if test(*object, *offset, *length) {
                    ops.push(Op::Havoc { var: *var, choice: Choice::Uninitialised });
                }
            }
        }
    };
    match (op, access) {
        (op @ Op::Alloc { .. }, Some(Access::New(names))) => {
            let zeroed = matches!(op, Op::Alloc { zeroed: true, .. }) && names.len() == 1;
            ops.push(op);
            for var in names.iter().filter_map(|name| cells.get(name)).flat_map(BTreeMap::values) {
                let sort = terms.var_sort(*var);
                ops.push(if zeroed {
                    let zero = terms.zero(sort);
                    Op::Assign { var: *var, value: terms.constant(zero) }
                } else {
                    Op::Havoc { var: *var, choice: Choice::Uninitialised }
                });
            }
        }
        (op, Some(Access::Write(Where::At(object, offset), Some(length)))) => {
            let stored = match &op {
                Op::Store { value, .. } => {
                    let cell = cells.get(object).and_then(|cells| cells.get(&(*offset, *length)));
                    let cell = cell.filter(|cell| terms.var_sort(**cell) == terms.sort(*value));
                    cell.map(|cell| (*cell, *value))
                }
                _ => None,
            };
            ops.push(op);
            let (first, end) = (*offset, offset.saturating_add(*length));
            forget(ops, &|other, at, long| {
                let same = stored.is_some() && (at, long) == (*offset, *length);
                let overlaps = at < end && first < at.saturating_add(long);
                other == *object && overlaps && !same
            });
            ops.extend(stored.map(|(var, value)| Op::Assign { var, value }));
        }
        (op, Some(Access::Write(Where::At(object, _) | Where::In(object), _))) => {
            ops.push(op);
            forget(ops, &|other, _, _| other == *object);
        }
        (op, Some(Access::Nothing)) => ops.push(op),
        (op, _) if writes(&op) => {
            let written = survey.written(&op);
            ops.push(op);
            forget(ops, &|object, _, _| {
                let site = survey.site(object);
                written.as_ref().is_none_or(|written| written.binary_search(&site).is_ok())
            });
        }
        (op, _) => ops.push(op),
    }
}

/// Whether an operation may change memory.
fn writes(op: &Op) -> bool {
    match op {
        Op::Store { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::HavocMemory { .. }
        | Op::HavocReachable { .. }
        | Op::Alloc { .. }
        | Op::Output { .. } => true,
        Op::Assume(_)
        | Op::Check { .. }
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Load { .. }
        | Op::Size { .. }
        | Op::Valid { .. }
        | Op::Free { .. }
        | Op::Exit(_)
        | Op::Abort
        | Op::Unsupported(_)
        | Op::Call { .. } => false,
    }
}
