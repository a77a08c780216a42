//! Where a compiler may take the inputs of a run in another order.

use base::Span;
use cfa::{Choice, Program};
use interp::{Change, Origin};
use term::Value;

use crate::execution::{Event, Execution};
use crate::source;

/// The first statement of the run in which one function returned different values to several calls. C leaves open in
/// which order arguments, operands and initialisers are evaluated, and the harness gives back the values in the order
/// of the check.
pub(super) fn unordered(program: &Program, execution: &Execution) -> Option<Span> {
    let events = execution.events.iter().filter(|event| event.returned.is_none());
    let mut open = events.filter(|event| is_open(program, event));
    open.find_map(|event| {
        let span = program.cfa.edges[event.edge].span?;
        (!source::is_borrowed(program, span.file)).then_some(span)
    })
}

fn is_open(program: &Program, event: &Event) -> bool {
    let mut seen: Vec<(&str, &Value)> = Vec::new();
    for change in &event.changes {
        let Change::Drawn { origin: origin @ Origin::Havoc(_), value, .. } = change else {
            continue;
        };
        if let Choice::Input(name) | Choice::External(name) = origin.choice(program) {
            if seen.iter().any(|(other, known)| *other == &**name && *known != value) {
                return true;
            }
            seen.push((name, value));
        }
    }
    false
}
