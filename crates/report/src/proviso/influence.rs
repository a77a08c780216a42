//! Which results that are not modelled have an influence on the ways that executions take. The answer
//! depends on the program alone, so that it is the same on every page of a run.

use base::Span;
use cfa::{Choice, EdgeId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Var};

use super::places::short;

/// What holds values: a variable, or memory as a whole.
type Cell = Option<Var>;

/// Memory as a whole.
const MEMORY: Cell = None;

/// Functions whose results are not modelled and have an influence on conditions, each with its place: nothing can be
/// proved that depends on them. Memory that such a function fills may matter to no condition of the program, so it
/// counts only with `memory`.
pub(super) fn approximated(program: &Program, memory: bool) -> Vec<(String, Option<EdgeId>)> {
    let cells = |op: &Op| match op {
        Op::Havoc { var, choice: Choice::Approximated(name) } => Some((Some(*var), name.clone())),
        Op::HavocMemory { choice: Choice::Approximated(name), .. } if memory => {
            Some((MEMORY, name.clone()))
        }
        _ => None,
    };
    let mut found = Vec::new();
    for (id, edge) in program.cfa.edges.entries() {
        found.extend(edge.ops.iter().filter_map(cells).map(|(cell, name)| (cell, name, id)));
    }
    if found.is_empty() {
        return Vec::new();
    }
    let relevant = relevant(program);
    found.retain(|(cell, ..)| relevant.contains(cell));
    let told = |(_, name, id): (Cell, Box<str>, EdgeId)| {
        let span = program.cfa.edges[id].span;
        let at = span.map(|span| format!(" at {}", short(program, span))).unwrap_or_default();
        (format!("the result of `{name}`{at} is not modelled"), Some(id))
    };
    found.into_iter().map(told).collect()
}

/// The beginning of a reason that names something that is not modelled.
pub(super) const NOT_MODELLED: &str = "not modelled";

/// Says that something is not modelled, and where.
pub(super) fn not_modelled(program: &Program, what: &str, span: Option<Span>) -> String {
    let at = span.map(|span| format!(" at {}", short(program, span)));
    format!("{NOT_MODELLED}{}: {what}", at.unwrap_or_default())
}

/// The end of a reason that names a call which must not happen, since the called function has no body.
const WITHOUT_BODY: &str = "which has no body";

/// Functions without a body that must not be called, as far as executions may get to a call of them. What else
/// is not modelled may be far from everything that a run has met, and drivers are full of it.
pub(super) fn without_body(program: &Program) -> Vec<(String, Option<EdgeId>)> {
    let cfa = &program.cfa;
    let calls = cfa::Calls::of(cfa);
    let mut found = Vec::new();
    for (id, edge) in cfa.edges.entries() {
        if !calls.reachable(cfa.locations[edge.source].function) {
            continue;
        }
        let reasons = edge.ops.iter().filter_map(|op| match op {
            Op::Unsupported(what) if what.ends_with(WITHOUT_BODY) => {
                Some(not_modelled(program, what, edge.span))
            }
            _ => None,
        });
        found.extend(reasons.map(|text| (text, Some(id))));
    }
    found
}

/// The cells whose values have an influence on conditions, wherever these are.
fn relevant(program: &Program) -> FxHashSet<Cell> {
    let mut from: FxHashMap<Cell, Vec<Cell>> = FxHashMap::default();
    let mut todo: Vec<Cell> = Vec::new();
    let cells = |terms: &[TermId]| -> Vec<Cell> {
        terms.iter().flat_map(|term| program.terms.vars(*term)).map(Some).collect()
    };
    for op in program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
        let (to, read) = match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                todo.extend(cells(&[*condition]));
                continue;
            }
            Op::Assign { var, value } => (Some(*var), cells(&[*value])),
            Op::Load { var, address } => {
                let mut read = cells(&[*address]);
                read.push(MEMORY);
                (Some(*var), read)
            }
            Op::Store { address, value } => (MEMORY, cells(&[*address, *value])),
            Op::Copy { to, from, length } => (MEMORY, cells(&[*to, *from, *length])),
            Op::Fill { address, byte, length } => (MEMORY, cells(&[*address, *byte, *length])),
            Op::HavocMemory { address, length, .. } => (MEMORY, cells(&[*address, *length])),
            Op::HavocReachable { roots, .. } => (MEMORY, cells(roots)),
            Op::Size { var, address } => (Some(*var), cells(&[*address])),
            Op::Valid { var, address, length, .. } => (Some(*var), cells(&[*address, *length])),
            Op::Alloc { var, size, .. } => (Some(*var), cells(&[*size])),
            Op::Call { callee, arguments, results } => {
                let callee = &program.cfa.functions[*callee];
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    from.entry(Some(*parameter)).or_default().extend(cells(&[*argument]));
                }
                for (to, result) in results.iter().zip(&callee.results) {
                    from.entry(Some(*to)).or_default().push(Some(*result));
                }
                continue;
            }
            Op::Havoc { .. }
            | Op::Free { .. }
            | Op::Output { .. }
            | Op::Exit(_)
            | Op::Abort
            | Op::Unsupported(_) => continue,
        };
        from.entry(to).or_default().extend(read);
    }
    let mut found = FxHashSet::default();
    while let Some(cell) = todo.pop() {
        if found.insert(cell) {
            todo.extend(from.get(&cell).into_iter().flatten().copied());
        }
    }
    found
}
