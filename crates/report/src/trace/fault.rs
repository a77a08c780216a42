//! What has gone wrong where a run ends by a fault: which access to which object, and with which values.

use base::Span;
use cfa::{Access, Op, Program};
use term::{TermId, Value, Var, View};
use verify::Counterexample;

use super::state::{INVALID_FREE, LOWEST, State, Wrong};
use super::{input, operands, rows};
use crate::execution::{Event, Execution};
use crate::source;

/// What has gone wrong, and where. If a fault is in a model of the library, its place is that of the call.
pub(super) fn describe(
    program: &Program,
    fault: cfa::Fault,
    span: Option<Span>,
    execution: &Execution,
    state: &State<'_>,
) -> String {
    let at = |span: Span| program.sources.describe(span);
    let is_access = matches!(fault, cfa::Fault::InvalidAccess | cfa::Fault::InvalidFree);
    let wrong = is_access.then(|| wrong(program, execution, state)).flatten();
    let what = wrong.as_ref().map_or(fault.describe(), |wrong| wrong.what);
    let own = |span: &Span| !source::is_borrowed(program, span.file);
    let said = |span| {
        // If the place is a declared name, the fault is in the initialiser behind it.
        let whole = source::with_initialiser(program, span).unwrap_or(span);
        let text = source::text(program, whole);
        match fault {
            cfa::Fault::Leak | cfa::Fault::Lost => left(state),
            cfa::Fault::Uninitialised => operands::listed(&unset(program, execution, state, text)),
            _ => explained(state, wrong.as_ref(), text),
        }
    };
    if let Some(span) = span.filter(own) {
        return format!("{what} at {}{}", at(span), said(span));
    }
    // A call through a pointer goes by way of a function of the model, which has no place.
    let called = rows::last_own(program, execution);
    let call = called.and_then(|event| program.cfa.edges[event.edge].span);
    match (span, call) {
        // A place in a model of the library means nothing to a reader of the report.
        (_, Some(call)) => format!("{what} at {}{}", at(call), said(call)),
        (Some(span), None) => format!("{what} at {}", at(span)),
        (None, None) => what.to_owned(),
    }
}

/// At most this many blocks of the heap that a run leaves behind are named.
const MOST_LEFT: usize = 4;

/// The blocks of the heap that a run leaves behind, in words: the place where the run ends says nothing of them.
fn left(state: &State<'_>) -> String {
    let blocks = state.left();
    let more = match blocks.len().saturating_sub(MOST_LEFT) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match blocks.is_empty() {
        true => String::new(),
        false => format!(": {}{more}", blocks[..blocks.len().min(MOST_LEFT)].join(", ")),
    }
}

/// The values of operands. If an operand was never set, the text says so, since the value in the run stands for any
/// value.
fn unset(
    program: &Program,
    execution: &Execution,
    state: &State<'_>,
    statement: &str,
) -> Vec<String> {
    let inputs = execution.inputs.iter().map(|input| input::describe(program, state, input));
    let inputs: Vec<String> = inputs.collect();
    let is_unset = |value: &str| {
        inputs.iter().any(|input| input.strip_suffix(input::UNSET).is_some_and(|it| it == value))
    };
    let told = |value: String| match value.split_once(" = ") {
        Some((name, _)) if is_unset(&value) => format!("{name} is not set"),
        _ => value,
    };
    operands::of(state, statement).into_iter().map(told).collect()
}

/// Where the program's own text leads to an error.
pub(crate) fn own_place(
    program: &Program,
    found: &Counterexample,
    execution: &Execution,
) -> Option<Span> {
    let span = program.cfa.locations[found.error].span;
    let own = |span: &Span| !source::is_borrowed(program, span.file);
    let call = || program.cfa.edges[rows::last_own(program, execution)?.edge].span;
    span.filter(own).or_else(call).or(span)
}

/// What is wrong with the access that ends a run, if an access ends it.
fn wrong(program: &Program, execution: &Execution, state: &State<'_>) -> Option<Wrong> {
    let last = execution.events.last()?;
    let number = |term: TermId, depth: usize| match state.eval(term, depth)? {
        Value::Bv(bits) => bits.to_u64(),
        _ => None,
    };
    let judge = |address: TermId, length: Option<u64>, access: Access, depth: usize| {
        state.wrong(number(address, depth)?, length?, access)
    };
    if let Some((event, asked)) = asked(program, execution) {
        let length = number(asked.length, event.depth);
        return judge(asked.address, length, asked.access, event.depth);
    }
    if let Some(constant) = guarded(program, last) {
        return state.written_constant(constant);
    }
    in_known_object(program, last, &judge, &number)
}

/// The question whether an access is valid, which is asked before the access.
struct Asked {
    address: TermId,
    length: TermId,
    access: Access,
}

/// The question whose answer ends a run, with the step that asks it.
fn asked<'e>(program: &Program, execution: &'e Execution) -> Option<(&'e Event, Asked)> {
    let last = execution.events.last()?;
    // The last edge is the one on which the access is found to be invalid.
    let invalid = program.cfa.edges[last.edge].ops.iter().find_map(|op| match op {
        Op::Assume(condition) => match program.terms.view(*condition) {
            View::App(term::Op::Not, &[inner]) => match program.terms.view(inner) {
                View::Var(var) => Some(var),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })?;
    let mut before = execution.events.iter().rev().take(NEAR);
    before.find_map(|event| {
        let ops = &program.cfa.edges[event.edge].ops;
        let asked = ops.iter().find_map(|op| match *op {
            Op::Valid { var, address, length, access } if var == invalid => {
                Some(Asked { address, length, access })
            }
            _ => None,
        })?;
        Some((event, asked))
    })
}

/// The first and last address of the access that ends a run, if its address is a constant of the program: a device
/// may be at this address.
pub(super) fn device(program: &Program, execution: &Execution) -> Option<(u64, u64)> {
    let (_, asked) = asked(program, execution)?;
    let number = |term: TermId| match program.terms.value(term)? {
        Value::Bv(bits) => bits.to_u64(),
        _ => None,
    };
    let (first, length) = (number(asked.address)?, number(asked.length)?);
    let is_access = asked.access != Access::Free && first >= LOWEST;
    Some((first, first.checked_add(length.checked_sub(1)?)?)).filter(|_| is_access)
}

/// The variable with the address of the constant that the last edge finds to be written to.
fn guarded(program: &Program, last: &Event) -> Option<Var> {
    let conditions = program.cfa.edges[last.edge].ops.iter().filter_map(|op| match op {
        Op::Assume(condition) => Some(*condition),
        _ => None,
    });
    let mut vars = conditions.flat_map(|condition| program.terms.vars(condition));
    vars.find(|var| program.terms.var_name(*var).starts_with(CONSTANT))
}

/// How the variables are named that hold the address of a constant of a function while it lives.
const CONSTANT: &str = "@constant";

/// The question about an access is looked for in at most this many steps before the end of the run.
const NEAR: usize = 8;

/// What is wrong with an access, in a sentence, and the values of what the statement speaks of.
fn explained(state: &State<'_>, wrong: Option<&Wrong>, statement: &str) -> String {
    let mut values = operands::of(state, statement);
    let Some(Wrong { what, object, extent }) = wrong else { return operands::listed(&values) };
    let pointer = operands::pointer_into(state, statement, *extent);
    let Some((object, said)) = object else {
        // The null pointer comes first, even if it is only a part of an operand.
        if let Some(pointer) = pointer {
            let own = format!("{pointer} = ");
            let known = values.iter().position(|value| value.starts_with(&own));
            // A small address also counts as null; its value is shown as it is.
            let value = known.map_or_else(|| format!("{own}NULL"), |at| values.remove(at));
            values.insert(0, value);
        }
        return operands::listed(&values);
    };
    let sentence = match pointer.filter(|pointer| *object != format!("`{pointer}`")) {
        Some(pointer) => {
            let own = format!("{pointer} = ");
            values.retain(|value| !value.starts_with(&own));
            format!("`{pointer}` points to {object}, which {said}")
        }
        None => format!("{object} {said}"),
    };
    if *what == INVALID_FREE {
        // The contents of an object do not matter if the fault is that the object is freed.
        values.clear();
    }
    let values = match values.is_empty() {
        true => String::new(),
        false => format!(" ({})", values.join(", ")),
    };
    format!(": {sentence}{values}")
}

/// What is wrong with an access if the check compares only an offset, because the object is known. The access itself
/// is then on the other edge from the same location.
fn in_known_object(
    program: &Program,
    last: &Event,
    judge: &dyn Fn(TermId, Option<u64>, Access, usize) -> Option<Wrong>,
    number: &dyn Fn(TermId, usize) -> Option<u64>,
) -> Option<Wrong> {
    let depth = last.depth;
    let source = program.cfa.edges[last.edge].source;
    let other = program.cfa.locations[source].edges.iter().find(|edge| **edge != last.edge)?;
    let ops = &program.cfa.edges[*other].ops;
    match ops.iter().find(|op| !matches!(op, Op::Assume(_)))? {
        Op::Load { var, address } => {
            let length = cfa::stored_bytes(program.terms.var_sort(*var));
            judge(*address, length, Access::Read, depth)
        }
        Op::Store { address, value } => {
            let length = cfa::stored_bytes(program.terms.sort(*value));
            judge(*address, length, Access::Write, depth)
        }
        Op::Fill { address, length, .. } => {
            judge(*address, number(*length, depth), Access::Write, depth)
        }
        Op::Copy { to, from, length } => {
            let length = number(*length, depth);
            let written = judge(*to, length, Access::Write, depth);
            written.or_else(|| judge(*from, length, Access::Read, depth))
        }
        _ => None,
    }
}
