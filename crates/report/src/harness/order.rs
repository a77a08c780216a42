//! Where a compiler may evaluate calls in another order, so that they get the inputs of the run in another order.

use std::collections::BTreeMap;

use base::Span;
use cfa::{Choice, Program};
use interp::{Change, Origin};
use term::Value;

use crate::execution::{Event, Execution};
use crate::source;

/// The first statement of the run in which several calls of one function, in the statement or in functions that it
/// calls, returned different values and in which C leaves the order of these calls open. C leaves open in which order
/// arguments, operands and initialisers are evaluated, and the harness gives the values back in the order in which
/// the checked model evaluates them.
pub(super) fn unordered(program: &Program, execution: &Execution) -> Option<Span> {
    let mut activations: Vec<Vec<Part>> = Vec::new();
    for event in execution.events.iter().filter(|event| event.returned.is_none()) {
        // Once a function has returned, values that were read in it count as read by its call.
        while activations.len() > event.depth + 1 {
            let parts = activations.pop().unwrap_or_default();
            if let Some(call) = activations.last_mut().and_then(|caller| caller.last_mut()) {
                parts.into_iter().for_each(|part| call.read.add(part.read));
            }
        }
        activations.resize_with(event.depth + 1, Vec::new);
        let Some(span) = program.cfa.edges[event.edge].span else { continue };
        let parts = &mut activations[event.depth];
        let is_own = !source::is_borrowed(program, span.file);
        if step(program, event, span, parts) && is_own {
            return Some(span);
        }
    }
    None
}

/// A part of an expression that has been evaluated.
struct Part {
    span: Span,
    read: Read,
}

/// The values that were read from each function; at most two different values are kept, since more values tell
/// nothing.
#[derive(Default)]
struct Read(BTreeMap<Box<str>, Vec<Value>>);

impl Read {
    fn note(&mut self, function: &str, value: &Value) {
        let values = self.0.entry(function.into()).or_default();
        if values.len() < 2 && !values.contains(value) {
            values.push(value.clone());
        }
    }

    fn add(&mut self, other: Read) {
        for (function, values) in other.0 {
            values.iter().for_each(|value| self.note(&function, value));
        }
    }

    /// Whether a function gave different values in these two parts.
    fn differs(&self, other: &Read) -> bool {
        let mut both =
            self.0.iter().filter_map(|(name, values)| Some((values, other.0.get(name)?)));
        both.any(|(here, there)| here.len() > 1 || there.len() > 1 || here != there)
    }
}

/// Joins the evaluated parts that an edge combines into one expression, and says whether their order is open.
fn step(program: &Program, event: &Event, span: Span, parts: &mut Vec<Part>) -> bool {
    let whole = source::with_initialiser(program, span).unwrap_or(span);
    let mut first = parts.len();
    // A part with the same text as the expression was evaluated before it, as the left side of `&&` is.
    while first > 0 && parts[first - 1].span != whole && is_inside(parts[first - 1].span, whole) {
        first -= 1;
    }
    let operands = parts.split_off(first);
    // Statements are executed one after another, so their order is not open.
    let text = source::text(program, whole).trim_end().trim_end_matches(';');
    let mut is_open = false;
    let mut read = Read::default();
    for change in &event.changes {
        let Change::Drawn { origin: origin @ Origin::Havoc(_), value, .. } = change else {
            continue;
        };
        if let Choice::Input(name) | Choice::External(name) = origin.choice(program) {
            let mut own = Read::default();
            own.note(name, value);
            is_open |= own.differs(&read);
            // Arguments are evaluated before the call.
            let call = origin.variable(program).and_then(|var| program.cfa.calls.get(&var));
            let is_beside = |part: &&Part| !call.is_some_and(|call| is_inside(part.span, *call));
            is_open |= operands.iter().filter(is_beside).any(|part| own.differs(&part.read));
            read.add(own);
        }
    }
    let mut before = Read::default();
    for operand in operands {
        is_open |= operand.read.differs(&before);
        before.add(operand.read);
    }
    read.add(before);
    if parts.len() >= MOST_PARTS {
        parts.clear();
    }
    parts.push(Part { span: whole, read });
    is_open && !text.contains([';', '{'])
}

/// How many parts are remembered: expressions are short.
const MOST_PARTS: usize = 1_000;

fn is_inside(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}
