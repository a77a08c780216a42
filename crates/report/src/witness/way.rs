//! The places that an execution passes and that a witness names.

use base::{FileId, Position, Span};
use cfa::{Choice, LocId, Program};
use interp::{Change, Origin, show};
use rustc_hash::FxHashMap;
use term::Value;
use verify::Counterexample;

use crate::execution::{Event, Execution};
use crate::types::Types;
use crate::{scope, source};

/// Decisions of `if` statements are named only if a run has fewer than this: if the results of all input functions
/// are known, decisions only make the witness longer.
const BRANCHES: usize = 500;

/// A place that is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) file: FileId,
    pub(super) at: Position,
    /// The function that the place is in.
    pub(super) function: String,
    pub(super) kind: PointKind,
}

/// What is known there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PointKind {
    /// A function returned a value of which something is said (`== 5`); the place is the closing
    /// parenthesis of its call, which begins in the line `begun`.
    Returned { callee: String, relation: String, begun: u32 },
    /// Something holds before the statement at the place.
    Assumed(String),
    /// An `if` was decided; the place is its keyword.
    Branch(bool),
    /// The error, which is the last.
    Target,
}

/// The statement that an activation executes.
#[derive(Clone, Copy, Default)]
struct Begun {
    /// The span of the first edge of the statement that was taken.
    first: Option<Span>,
    /// The whole statement, as soon as an edge tells: a call in the middle of the statement does not.
    statement: Option<Span>,
    /// How many points come before the statement.
    before: usize,
    /// Whether the point after these has the values that the statement reads.
    assumed: bool,
}

impl Begun {
    /// Notes an edge, which may begin another statement. `points` is the number of points so far.
    fn go_on(&mut self, edge: Option<Span>, statement: Option<Span>, points: usize) {
        let is_in = |part: Option<Span>, whole: Span| {
            part.is_some_and(|part| {
                part.file == whole.file && (whole.start..whole.end).contains(&part.start)
            })
        };
        let is_same = match (statement, self.statement) {
            (Some(new), Some(known)) => new == known,
            (Some(new), None) => is_in(self.first, new),
            (None, Some(known)) => is_in(edge, known),
            (None, None) => self.first.is_some(),
        };
        match is_same {
            true => self.statement = self.statement.or(statement),
            false => *self = Self { first: edge, statement, before: points, assumed: false },
        }
    }
}

/// The places in the order of the run.
pub(super) fn of(program: &Program, found: &Counterexample, execution: &Execution) -> Vec<Point> {
    let types = Types::of(program);
    let hiding = source::hiding_macros(program);
    let target = target(program, found, execution);
    let mut points = Vec::new();
    let mut begun: Vec<Begun> = Vec::new();
    let mut gaps = execution.gaps.iter().peekable();
    for (index, event) in execution.events.iter().enumerate() {
        if let Some(gap) = gaps.next_if(|gap| gap.next == index) {
            // After a gap, activations of the same depth may be other ones, or may execute another statement.
            begun.truncate(gap.floor);
        }
        if event.returned.is_some() {
            continue;
        }
        begun.resize(event.depth + 1, Begun::default());
        let statement = source::statement(program, event.edge);
        if let Some(last) = begun.last_mut() {
            last.go_on(program.cfa.edges[event.edge].span, statement, points.len());
        }
        let span = program.cfa.edges[event.edge].span;
        if span.is_none_or(|span| source::is_borrowed(program, span.file)) {
            continue;
        }
        if let (Some(place), Some(last)) = (statement, begun.last_mut()) {
            assumptions(program, &types, execution, event, (place, last), &mut points);
        }
        let error = target.as_ref().map(|(span, _)| *span);
        results(program, (&types, &hiding), execution, event, error, &mut points);
        if let Some((statement, holds)) = source::branch(program, event.edge) {
            let at = program.sources.position(statement);
            points.push(point(program, event, statement.file, at, PointKind::Branch(holds)));
        }
    }
    let branches = points.iter().filter(|point| matches!(point.kind, PointKind::Branch(_))).count();
    // If steps of the run were left out, the branches of only some rounds of a loop are known, and a validator could
    // not tell which rounds they belong to.
    if branches > BRANCHES || !execution.gaps.is_empty() || !execution.passed.is_empty() {
        points.retain(|point| !matches!(point.kind, PointKind::Branch(_)));
    }
    if let Some((span, function)) = target {
        let at = program.sources.position(span);
        points.push(Point { file: span.file, at, function, kind: PointKind::Target });
    }
    points
}

/// The place of the error, or the place in the program's own text that leads to the error, and the function of this
/// place.
fn target(
    program: &Program,
    found: &Counterexample,
    execution: &Execution,
) -> Option<(Span, String)> {
    let cfa = &program.cfa;
    let own = |span: &Span| !source::is_borrowed(program, span.file);
    let name = |at: LocId| cfa.functions[cfa.locations[at].function].source_name().to_owned();
    // A fault that is found when the program has ended is at the end of the entry function.
    let exits: Vec<LocId> =
        cfa.entered().into_iter().map(|function| cfa.functions[function].exit).collect();
    let mut last = execution.events.iter().rev();
    let ended = last.find(|event| exits.contains(&cfa.edges[event.edge].target));
    let is_end = cfa.start == Some(cfa.locations[found.error].function);
    if let Some(event) = ended.filter(|_| is_end) {
        let edge = &cfa.edges[event.edge];
        return edge.span.filter(own).map(|span| (span, name(edge.source)));
    }
    if let Some(span) = program.cfa.locations[found.error].span.filter(own) {
        return Some((span, name(found.error)));
    }
    execution.events.iter().rev().filter(|event| event.returned.is_none()).find_map(|event| {
        let edge = &program.cfa.edges[event.edge];
        Some((edge.span.filter(own)?, name(edge.source)))
    })
}

fn point(program: &Program, event: &Event, file: FileId, at: Position, kind: PointKind) -> Point {
    let source = program.cfa.edges[event.edge].source;
    let function = program.cfa.locations[source].function;
    let function = program.cfa.functions[function].source_name().to_owned();
    Point { file, at, function, kind }
}

/// Adds the values of variables that an edge read without their having been set. The point is put at the beginning of
/// the statement, so before the points of functions that the statement has called.
fn assumptions(
    program: &Program,
    types: &Types<'_>,
    execution: &Execution,
    event: &Event,
    (place, begun): (Span, &mut Begun),
    points: &mut Vec<Point>,
) {
    let function = program.cfa.locations[program.cfa.edges[event.edge].source].function;
    for change in &event.changes {
        let Change::Drawn { origin: origin @ Origin::Variable(var, None), value, .. } = change
        else {
            continue;
        };
        if execution.points_to_object(program, value) {
            continue;
        }
        let Some(value) = constant(types, *origin, value) else { continue };
        let name = program.cfa.variables[*var].source_name.as_deref();
        let Some(name) = name.filter(|_| scope::is_visible(program, *var, function, place)) else {
            continue;
        };
        let at = program.sources.position(place);
        let new = format!("{name} == {value}");
        // All values that one execution of a statement reads are in one point: a second point at the same place would
        // count for the next execution of the statement. Another activation of the function gets a point of its own.
        match points.get_mut(begun.before).filter(|_| begun.assumed) {
            Some(Point { kind: PointKind::Assumed(text), .. }) => {
                text.push_str(" && ");
                text.push_str(&new);
            }
            _ => {
                let new = point(program, event, place.file, at, PointKind::Assumed(new));
                points.insert(begun.before, new);
                begun.assumed = true;
            }
        }
    }
}

/// The calls of input functions on an edge, as far as the text shows where they are.
fn results(
    program: &Program,
    (types, hiding): (&Types<'_>, &FxHashMap<&str, String>),
    execution: &Execution,
    event: &Event,
    error: Option<Span>,
    points: &mut Vec<Point>,
) {
    for change in &event.changes {
        let Change::Drawn { origin: origin @ Origin::Havoc(_), value, .. } = change else {
            continue;
        };
        let (Choice::Input(callee) | Choice::External(callee)) = origin.choice(program) else {
            continue;
        };
        let moved = execution.points_to_object(program, value);
        let Some(relation) = relation(types, *origin, value, moved) else { continue };
        let call = origin.variable(program).and_then(|var| program.cfa.calls.get(&var));
        let Some(call) = call.filter(|call| !source::is_borrowed(program, call.file)) else {
            continue;
        };
        // A function of the library in which the error happens has not returned.
        let is_inside = |error: Span| {
            error.file == call.file && call.start <= error.start && error.end <= call.end
        };
        if error.is_some_and(is_inside) {
            continue;
        }
        // If a macro stands for the call and nothing else, the place of the call is the use of the macro. A call by
        // any other macro has no place in the text.
        let end = source::call_end(program, *call, callee);
        let at = end.or_else(|| source::hidden_call(program, *call, callee, hiding));
        let Some(at) = at else { continue };
        let begun = if end.is_some() { program.sources.position(*call) } else { at };
        let kind = PointKind::Returned { callee: callee.to_string(), relation, begun: begun.line };
        points.push(point(program, event, call.file, at, kind));
    }
}

/// What is said of a result. Something is said of every result, if only that it is no null pointer: validators take the
/// calls of a function in turn, and would give the value of the next call to a call that the witness leaves out.
fn relation(types: &Types<'_>, origin: Origin, value: &Value, moved: bool) -> Option<String> {
    match value {
        Value::Float(float) if float.is_nan() => Some("!= \\result".to_owned()),
        Value::Float(float) if float.is_infinite() => {
            let sign = if show(value, cfa::Reading::Plain).starts_with('-') { "-" } else { "" };
            Some(format!("== ({sign}1.0 / 0.0)"))
        }
        // Addresses are not the same in another run.
        Value::Bv(_) if moved => Some("!= 0".to_owned()),
        _ => match constant(types, origin, value) {
            Some(value) => Some(format!("== {value}")),
            None => matches!(value, Value::Bv(_)).then(|| "!= 0".to_owned()),
        },
    }
}

/// A value as a C expression, if it can be compared with a result.
fn constant(types: &Types<'_>, origin: Origin, value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(u8::from(*value).to_string()),
        Value::Bv(_) => {
            let reading = types.reading(origin);
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
            // The shortest digits for a `float` may stand for another number as a `double`.
            let is_double = text.parse::<f64>().is_ok_and(|double| double == float.to_f64());
            let ending = match float.format() {
                term::Format::Single if !is_double => "f",
                _ => "",
            };
            (!text.starts_with("0x")).then(|| format!("{text}{ending}"))
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
