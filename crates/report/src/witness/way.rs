//! The places that an execution passes and that a witness names.

use base::{FileId, Position};
use cfa::{Choice, Program};
use interp::{Change, Origin, show};
use term::Value;
use verify::Counterexample;

use crate::execution::{Event, Execution};
use crate::source;

/// Decisions of `if` statements are named only in a run with fewer than this: with the results of
/// all input functions they add nothing but length.
const BRANCHES: usize = 500;

/// A place that is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) file: FileId,
    pub(super) at: Position,
    /// The function that the place is in.
    pub(super) function: String,
    pub(super) kind: Kind,
}

/// What is known there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A function returned a value; the place is the closing parenthesis of its call.
    Returned { callee: String, value: String },
    /// An `if` was decided; the place is its keyword.
    Branch(bool),
    /// The error, which is the last.
    Target,
}

/// The places in the order of the run.
pub(super) fn of(program: &Program, found: &Counterexample, execution: &Execution) -> Vec<Point> {
    let mut points = Vec::new();
    for event in execution.events.iter().filter(|event| event.returned.is_none()) {
        let span = program.cfa.edges[event.edge].span;
        if span.is_none_or(|span| source::is_borrowed(program, span.file)) {
            continue;
        }
        results(program, execution, event, &mut points);
        let branch = source::branch(program, event.edge);
        if let Some((branch, (file, offset))) =
            branch.and_then(|branch| Some((branch, branch.conditional?)))
        {
            let at = program.sources.position_at(file, offset);
            points.push(point(program, event, file, at, Kind::Branch(branch.holds)));
        }
    }
    if points.iter().filter(|point| matches!(point.kind, Kind::Branch(_))).count() > BRANCHES {
        points.retain(|point| !matches!(point.kind, Kind::Branch(_)));
    }
    let location = &program.cfa.locations[found.error];
    if let Some(span) = location.span {
        points.push(Point {
            file: span.file,
            at: program.sources.position(span),
            function: program.cfa.functions[location.function].name.to_string(),
            kind: Kind::Target,
        });
    }
    points
}

fn point(program: &Program, event: &Event, file: FileId, at: Position, kind: Kind) -> Point {
    let source = program.cfa.edges[event.edge].source;
    let function = program.cfa.locations[source].function;
    let function = program.cfa.functions[function].name.to_string();
    Point { file, at, function, kind }
}

/// The calls of input functions on an edge, as far as the text shows where they are.
fn results(program: &Program, execution: &Execution, event: &Event, points: &mut Vec<Point>) {
    let Some(span) = program.cfa.edges[event.edge].span else { return };
    let mut seen: Vec<&str> = Vec::new();
    for change in &event.changes {
        let Change::Drawn { origin: origin @ Origin::Havoc(_), value } = change else { continue };
        let (Choice::Input(callee) | Choice::External(callee)) = origin.choice(program) else {
            continue;
        };
        let nth = seen.iter().filter(|name| **name == &**callee).count();
        seen.push(callee);
        if execution.points_to_object(program, value) {
            // Addresses are not the same in another run.
            continue;
        }
        let Some(value) = constant(program, *origin, value) else { continue };
        let Some(at) = source::call_end(program, span, callee, nth) else { continue };
        let kind = Kind::Returned { callee: callee.to_string(), value };
        points.push(point(program, event, span.file, at, kind));
    }
}

/// A value as a C expression, if it can be compared with a result.
fn constant(program: &Program, origin: Origin, value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(u8::from(*value).to_string()),
        Value::Bv(_) => {
            let reading = source::reading(program, origin);
            // Addresses are not the same in another run.
            let null = value == &Value::Bv(term::Bv::zero(value_width(value)?));
            match reading {
                cfa::Reading::Address if !null => None,
                cfa::Reading::Address => Some("0".to_owned()),
                _ => Some(show(value, reading)),
            }
        }
        Value::Float(float) if !float.is_nan() && !float.is_infinite() => {
            let text = show(value, cfa::Reading::Plain);
            (!text.starts_with("0x")).then_some(text)
        }
        _ => None,
    }
}

fn value_width(value: &Value) -> Option<u32> {
    match value {
        Value::Bv(bits) => Some(bits.width()),
        _ => None,
    }
}
