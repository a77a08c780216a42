//! Where operations access memory, in all executions.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{EdgeId, Op};
use cpa::Step;

use super::constants::{Done, Reached, perform};
use crate::value::{Abstract, NameId, Values, Work};

/// Where an operation accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// At an offset in an object, in bytes.
    At(NameId, u64),
    /// Somewhere in an object.
    In(NameId),
    /// At a place that is not known.
    Anywhere,
}

/// What is known of an operation that reads or writes memory, or makes an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// The operation reads there.
    Read(Where),
    /// The operation writes there; with the number of bytes, if that is known.
    Write(Where, Option<u64>),
    /// The names that the new object has.
    New(BTreeSet<NameId>),
    /// An operation of a kind that may store to memory, of which it is known that this one does not.
    Nothing,
}

/// What each operation accesses, by its edge and its number on this edge. Operations that are not in the map are never
/// executed, or come after something that is not modelled.
pub type Accesses = BTreeMap<(EdgeId, u32), Access>;

/// Looks at all operations in all states.
pub(super) fn collect(values: &mut Values<'_>, reached: Reached) -> Accesses {
    let Reached { mut places, states } = reached;
    let cfa = &values.program().cfa;
    let mut found = Accesses::new();
    let mut steps = Vec::new();
    for (from, state) in states {
        places.steps(cfa, from, &mut steps);
        for (step, _) in steps.drain(..) {
            let Step::Edge(edge) = step else { continue };
            if cfa.edges[edge].callee().is_some() {
                continue;
            }
            let function = cfa.locations[from.location].function;
            let depth = places.stacks.depth(from.stack);
            let mut work = values.open(state, function, depth);
            for (number, op) in (0..).zip(&cfa.edges[edge].ops) {
                let before = work;
                let access = match perform(values, &mut work, (edge, number), op) {
                    None => break,
                    Some(Done::Rightly) => access(values, &before, &work, op),
                    Some(Done::Anyhow) => Some(anywhere(op)),
                };
                if let Some(access) = access {
                    note(&mut found, (edge, number), access);
                }
            }
        }
    }
    found
}

/// What is assumed of an operation of which nothing is known.
fn anywhere(op: &Op) -> Access {
    match op {
        Op::Load { .. } => Access::Read(Where::Anywhere),
        _ => Access::Write(Where::Anywhere, None),
    }
}

/// What an operation that was performed has accessed.
fn access(values: &mut Values<'_>, before: &Work, after: &Work, op: &Op) -> Option<Access> {
    match op {
        Op::Load { address, .. } => Some(Access::Read(place(values.eval(before, *address)))),
        Op::Store { address, value } => {
            let length = cfa::stored_bytes(values.program().terms.sort(*value));
            Some(Access::Write(place(values.eval(before, *address)), length))
        }
        Op::Copy { to: address, length, .. }
        | Op::Fill { address, length, .. }
        | Op::HavocMemory { address, length, .. } => {
            let length = values.eval(before, *length).number();
            Some(Access::Write(place(values.eval(before, *address)), length))
        }
        Op::HavocReachable { .. } => Some(Access::Write(Where::Anywhere, None)),
        Op::Output { function, arguments } if values.may_store(before, function, arguments) => {
            Some(Access::Write(Where::Anywhere, None))
        }
        Op::Output { .. } => Some(Access::Nothing),
        Op::Alloc { var, .. } => match values.value_of(after, *var) {
            Abstract::Pointer(object, _) => Some(Access::New(BTreeSet::from([object]))),
            _ => Some(Access::Write(Where::Anywhere, None)),
        },
        Op::Assume(_)
        | Op::Check { .. }
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Size { .. }
        | Op::Valid { .. }
        | Op::Free { .. }
        | Op::Exit(_)
        | Op::Abort
        | Op::Unsupported(_)
        | Op::Call { .. } => None,
    }
}

fn place(address: Abstract) -> Where {
    match address {
        Abstract::Pointer(object, Some(offset)) => Where::At(object, offset),
        Abstract::Pointer(object, None) => Where::In(object),
        Abstract::Known(_) | Abstract::Signs(_) | Abstract::Unknown => Where::Anywhere,
    }
}

/// Adds what an operation does in one state to what it does in others.
fn note(found: &mut Accesses, place: (EdgeId, u32), access: Access) {
    let Some(known) = found.get_mut(&place) else {
        found.insert(place, access);
        return;
    };
    match (&mut *known, access) {
        (Access::Nothing, Access::Nothing) => {}
        (Access::New(names), Access::New(more)) => names.extend(more),
        (Access::Read(a), Access::Read(b)) => *a = either(*a, b),
        (Access::Write(a, length), Access::Write(b, other)) => {
            *a = either(*a, b);
            *length = length.filter(|length| other == Some(*length));
        }
        _ => *known = Access::Write(Where::Anywhere, None),
    }
}

fn either(a: Where, b: Where) -> Where {
    match (a, b) {
        _ if a == b => a,
        (Where::At(a, _) | Where::In(a), Where::At(b, _) | Where::In(b)) if a == b => Where::In(a),
        _ => Where::Anywhere,
    }
}
