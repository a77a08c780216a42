//! The program with variables for cells.

use std::collections::BTreeMap;

use cfa::{Cfa, Choice, LocId, ObjectKind, Op, Program, Reading, Scope, Variable};
use term::{Sort, TermId, Terms, Var};

use super::access::{Access, Accesses, Where};
use crate::value::{Abstract, Background, NameId, Site, Values};

/// A program with more cells is left as it is.
const MOST_CELLS: usize = 256;

/// The variables of the cells of each object, by first byte and length.
type Variables = BTreeMap<NameId, BTreeMap<(u64, u64), Var>>;

/// The program with a variable for each cell that is worth one; `None` if there are none, or many.
pub(super) fn rewrite(values: &mut Values<'_>, accesses: &Accesses) -> Option<Program> {
    let mut program = values.program().clone();
    let cells = declare(values, &mut program, accesses)?;
    let first = first_values(values, &mut program, &cells);
    for edge in program.cfa.edges.ids().collect::<Vec<_>>() {
        let known = &mut program.cfa.edges[edge];
        let mut ops = match &first {
            Some((start, ops)) if *start == known.source => ops.clone(),
            _ => Vec::new(),
        };
        let old = std::mem::take(&mut known.ops);
        for (number, op) in (0..).zip(old) {
            translate(
                values,
                &mut program.terms,
                &cells,
                op,
                accesses.get(&(edge, number)),
                &mut ops,
            );
        }
        program.cfa.edges[edge].ops = ops.into();
    }
    Some(program)
}

/// Gives variables to cells that are loaded, unless nothing could be learned from one.
fn declare(values: &Values<'_>, program: &mut Program, accesses: &Accesses) -> Option<Variables> {
    let (mut loads, mut stores) = (BTreeMap::new(), BTreeMap::new());
    for ((edge, number), access) in accesses {
        let op = &program.cfa.edges[*edge].ops[*number as usize];
        match (access, op) {
            (Access::Read(Where::At(object, offset)), Op::Load { var, .. }) => {
                let length = cfa::stored_bytes(program.terms.var_sort(*var))?;
                *loads.entry((*object, *offset, length)).or_insert(0) += 1;
            }
            (Access::Write(Where::At(object, offset), Some(length)), Op::Store { .. }) => {
                *stores.entry((*object, *offset, *length)).or_insert(0) += 1;
            }
            _ => {}
        }
    }
    let mut cells = Variables::new();
    for ((object, offset, length), times) in loads {
        let is_stored = stores.contains_key(&(object, offset, length));
        let is_first = matches!(values.site(object), Site::Initial(_));
        if times < 2 && !is_stored && !is_first {
            continue;
        }
        let Ok(width) = u32::try_from(8 * length) else { continue };
        let name = format!("@cell:{object:?}+{offset}:{length}");
        let var = program.terms.declare(name, Sort::Bv(width));
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

/// What objects that exist from the start hold then, and from where on operations say so. `None`
/// where no operation can be put before all others.
fn first_values(
    values: &mut Values<'_>,
    program: &mut Program,
    cells: &Variables,
) -> Option<(LocId, Vec<Op>)> {
    let start = first_location(&program.cfa)?;
    let mut ops = Vec::new();
    for (object, cells) in cells {
        let Site::Initial(id) = values.site(*object) else { continue };
        for ((offset, length), var) in cells {
            let held = match values.first_value(Background::Initial(id), *offset, *length) {
                Abstract::Known(value) => Some(program.terms.constant(value)),
                Abstract::Pointer(to, Some(offset)) => address(values, program, to, offset),
                Abstract::Pointer(_, None) | Abstract::Unknown => None,
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
        // All but the first function are called from the one before, and from nowhere else.
        entered = 1;
    }
}

/// The address of a byte of an object that exists from the start.
fn address(
    values: &Values<'_>,
    program: &mut Program,
    object: NameId,
    offset: u64,
) -> Option<TermId> {
    let Site::Initial(id) = values.site(object) else { return None };
    let base = program.terms.var(program.cfa.objects[id].address);
    let offset = program.terms.bv(program.cfa.address_width, u128::from(offset));
    Some(program.terms.bv_add(base, offset))
}

/// An operation, and what it does to cells.
fn translate(
    values: &Values<'_>,
    terms: &mut Terms,
    cells: &Variables,
    op: Op,
    access: Option<&Access>,
    ops: &mut Vec<Op>,
) {
    let is_constant = |object: NameId| match values.site(object) {
        Site::Initial(id) => values.program().cfa.objects[id].kind == ObjectKind::ReadOnly,
        Site::Alloc(..) => false,
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
        (Op::Load { var, address }, access) => {
            let cell = match access {
                Some(Access::Read(Where::At(object, offset))) => {
                    let length = cfa::stored_bytes(terms.var_sort(var));
                    let cells = cells.get(object).zip(length);
                    cells.and_then(|(cells, length)| cells.get(&(*offset, length)))
                }
                _ => None,
            };
            ops.push(match cell {
                Some(cell) => {
                    let bits = terms.var(*cell);
                    let value = match terms.var_sort(var) {
                        Sort::Float(format) => terms.fp_from_bits(format, bits),
                        _ => bits,
                    };
                    Op::Assign { var, value }
                }
                None => Op::Load { var, address },
            });
        }
        (op @ Op::Alloc { .. }, Some(Access::New(names))) => {
            let zeroed = matches!(op, Op::Alloc { zeroed: true, .. }) && names.len() == 1;
            ops.push(op);
            for var in names.iter().filter_map(|name| cells.get(name)).flat_map(BTreeMap::values) {
                ops.push(match terms.var_sort(*var) {
                    Sort::Bv(width) if zeroed => {
                        Op::Assign { var: *var, value: terms.bv(width, 0) }
                    }
                    _ => Op::Havoc { var: *var, choice: Choice::Uninitialised },
                });
            }
        }
        (op, Some(Access::Write(Where::At(object, offset), Some(length)))) => {
            let stored = match &op {
                Op::Store { value, .. } if matches!(terms.sort(*value), Sort::Bv(_)) => {
                    let cell = cells.get(object).and_then(|cells| cells.get(&(*offset, *length)));
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
            ops.push(op);
            forget(ops, &|_, _, _| true);
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
        | Op::Free { .. }
        | Op::Exit(_)
        | Op::Abort
        | Op::Unsupported(_)
        | Op::Call { .. } => false,
    }
}
