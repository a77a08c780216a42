//! From the steps of a run to rows: one for each source line that is passed, with what changes.

use std::collections::BTreeSet;

use base::Span;
use cfa::{Choice, Infix, Loops, ObjectId, ObjectKind, Op, Program, Scope};
use interp::{Change, Holder, Origin};
use rustc_hash::FxHashSet;
use term::{TermId, Value, Var, View};
use verify::Counterexample;

use super::fold::Tree;
use super::input::{AT_START, describe, is_function, is_initial, is_pointed, outside, size_of};
use super::names::Names;
use super::place::{NamedPlace, What};
use super::reader;
use super::row::Row;
use super::state::{self, State};
use crate::decision::{Decision, Decisions};
use crate::execution::{Event, Execution, Input};
use crate::source;
use crate::tokens;
use crate::types::Type;

/// The rows of a run, nested as its calls and loops are.
pub(crate) fn of<'p>(
    program: &'p Program,
    found: &Counterexample,
    execution: &Execution,
) -> (Tree, State<'p>) {
    let mut walk = Walk::new(program, execution);
    let mut tree = Tree::new(Loops::of(&program.cfa));
    let mut before = 0;
    let mut gaps = execution.gaps.iter().peekable();
    for (index, event) in execution.events.iter().enumerate() {
        if let Some(gap) = gaps.next_if(|gap| gap.next == index) {
            tree.gap(event.number.saturating_sub(before + 1), gap);
        }
        before = event.number;
        let edge = &program.cfa.edges[event.edge];
        let row = walk.next(event).map(|row| Row { until: index + 1, ..row });
        tree.at(event.depth, edge.source, event.returned.is_some());
        row.into_iter().for_each(|row| tree.add(row));
        if event.returned.is_none() && matches!(edge.ops.last(), Some(Op::Call { .. })) {
            tree.call();
        }
    }
    let Walk { mut state, stack, .. } = walk;
    state.stop_at(found.error);
    let mut depth = stack.iter().rev().skip(1).filter(|(own, _)| *own).count();
    let own = |span: &Span| !source::is_borrowed(program, span.file);
    let mut span = program.cfa.locations[found.error].span.filter(own);
    if span.is_none()
        && let Some(call) = last_own(program, execution)
    {
        // What goes wrong in a model of the library is shown where the program calls it.
        state.return_to(call);
        span = program.cfa.edges[call.edge].span;
        depth = stack[..call.depth.min(stack.len())].iter().filter(|(own, _)| *own).count();
    }
    if let Some(span) = span {
        let position = program.sources.position(span);
        let place = Some((span.file, position.line));
        let values = vec!["error".to_owned()];
        let (model, focus) = (String::new(), position.column);
        let arguments = Vec::new();
        tree.add(Row {
            depth,
            place,
            focus,
            model,
            values,
            arguments,
            handed_on: Vec::new(),
            resumed: false,
            again: false,
            until: execution.events.len(),
            statement: None,
            latest: None,
        });
    }
    (tree, state)
}

/// The state of a program when a run has ended.
pub(crate) fn state_after<'p>(program: &'p Program, execution: &Execution) -> State<'p> {
    let mut state = State::new(program, execution);
    for event in &execution.events {
        state.enter(event);
        (0..event.changes.len()).for_each(|at| state.change(event, at));
    }
    state
}

/// The way of a run through the program, step by step.
pub(crate) struct Walk<'p> {
    program: &'p Program,
    state: State<'p>,
    decisions: Decisions,
    names: Names,
    /// For each activation whether it is one of the source, and where it calls.
    stack: Vec<(bool, Option<Span>)>,
    /// What models of the library have written and freed since the program's own text was left.
    beyond: Beyond,
    /// What objects hold at the start, until the first row tells it.
    initial: Vec<String>,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(program: &'p Program, execution: &Execution) -> Self {
        let (state, decisions) = (State::new(program, execution), Decisions::of(program));
        let names = Names::of(program);
        let initial = initial(program, execution, &state, &names);
        let (stack, beyond) = (Vec::new(), Beyond::default());
        Self { program, state, decisions, names, stack, beyond, initial }
    }

    /// What is shown of the next step, if something is.
    pub(crate) fn next(&mut self, event: &Event) -> Option<Row> {
        let program = self.program;
        let edge = &program.cfa.edges[event.edge];
        let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
        self.stack.truncate(event.depth);
        self.stack.resize(event.depth, (true, None));
        // What sets up the program and what the model adds to calls has no lines of its own.
        let is_own = !function.name.starts_with('@');
        let callers = &self.stack[..];
        let depth = callers.iter().filter(|(own, _)| *own).count();
        let mut row = row(program, event, &mut self.state, &self.names, depth);
        if event.returned.is_none()
            && let Some(decision) = self.decisions.get(event.edge)
        {
            row.values.extend(decided(program, event, &self.state, decision));
        }
        let is_place = |(own, span): &&(bool, Option<Span>)| {
            *own && span.is_some_and(|span| !source::is_borrowed(program, span.file))
        };
        if !is_own && let Some((_, Some(span))) = callers.iter().rfind(is_place) {
            row.depth = depth.saturating_sub(1);
            row.place = Some((span.file, program.sources.position(*span).line));
            row.model.clear();
        }
        self.stack.push((is_own, edge.span));
        let borrowed = edge.span.is_some_and(|span| source::is_borrowed(program, span.file));
        match borrowed {
            true => self.beyond.note(program, &self.state, event),
            false => row.values.extend(self.beyond.take(&self.state)),
        }
        if !borrowed && row.place.is_some() {
            row.values.append(&mut self.initial);
        }
        let silent = !is_own && row.values.is_empty();
        (!borrowed && !silent && shown(program, event, &row)).then_some(row)
    }
}

/// The initial values of those globals in memory that the steps of a run name. Globals that are plain variables need no
/// such text: the first steps of the run assign their values.
fn initial(
    program: &Program,
    execution: &Execution,
    state: &State<'_>,
    names: &Names,
) -> Vec<String> {
    let told = named_at_start(program, execution).filter_map(|(id, start)| {
        let object = &program.cfa.objects[id];
        let place = state.whole_at(start, state::own_size(program, object.size))?;
        state.told(&NamedPlace { text: names.of_object(program, object), ..place })
    });
    told.take(MOST).collect()
}

/// The globals and static variables in memory that the steps of a run name, with their addresses.
pub(super) fn named_at_start<'a>(
    program: &'a Program,
    execution: &'a Execution,
) -> impl Iterator<Item = (ObjectId, u64)> + 'a {
    let mut named = FxHashSet::default();
    for event in &execution.events {
        let terms = program.cfa.edges[event.edge].ops.iter().flat_map(Op::terms);
        named.extend(terms.flat_map(|term| program.terms.vars(term)));
    }
    let is_told = move |(id, _): &(ObjectId, u64)| {
        let object = &program.cfa.objects[*id];
        let is_own = object.span.is_some_and(|span| !source::is_borrowed(program, span.file));
        is_own && object.kind == ObjectKind::Data && named.contains(&object.address)
    };
    execution.placed.iter().copied().filter(is_told)
}

/// The last step of a run in the program's own text.
pub(crate) fn last_own<'e>(program: &Program, execution: &'e Execution) -> Option<&'e Event> {
    execution.events.iter().rev().find(|event| {
        let edge = &program.cfa.edges[event.edge];
        let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
        let is_own = edge.span.is_some_and(|span| !source::is_borrowed(program, span.file));
        is_own && !function.name.starts_with('@')
    })
}

/// Whether a row says anything: coming back without a value does not, nor does setting up an
/// activation.
fn shown(program: &Program, event: &Event, row: &Row) -> bool {
    let edge = &program.cfa.edges[event.edge];
    let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
    let prologue = edge.source == function.entry && edge.span == function.span;
    let nothing = edge.ops.is_empty() && row.place.is_none();
    !row.values.is_empty() || !(event.returned.is_some() || prologue || nothing)
}

fn row(
    program: &Program,
    event: &Event,
    state: &mut State<'_>,
    names: &Names,
    depth: usize,
) -> Row {
    let edge = &program.cfa.edges[event.edge];
    let infix = Infix::new(program).with_source_names().limit(60);
    let place = edge.span.map(|span| (span.file, program.sources.position(span).line));
    let focus = edge.span.map_or(0, |span| program.sources.position(span).column);
    let model = match (place, &edge.name) {
        (_, Some(name)) => {
            let label = |at: cfa::LocId| {
                let name = program.cfa.locations[at].name.as_deref();
                name.map_or_else(|| at.to_string(), ToOwned::to_owned)
            };
            format!("rule {name}: {} -> {}", label(edge.source), label(edge.target))
        }
        (Some(_), None) => String::new(),
        (None, None) => {
            edge.ops.iter().map(|op| infix.op(op).to_string()).collect::<Vec<_>>().join("; ")
        }
    };
    let (values, handed_on) = values(program, event, state, names);
    let calls = event.returned.is_none() && matches!(edge.ops.last(), Some(Op::Call { .. }));
    let arguments = if calls { values.clone() } else { Vec::new() };
    let function = program.cfa.locations[edge.source].function;
    let statement = edge.span.map(|span| (function, span));
    let (resumed, again, until) = (false, false, 0);
    Row {
        depth,
        place,
        focus,
        model,
        values,
        arguments,
        handed_on,
        resumed,
        again,
        until,
        statement,
        latest: statement,
    }
}

/// What a condition has decided, in words.
fn decided(
    program: &Program,
    event: &Event,
    state: &State<'_>,
    decision: &Decision,
) -> Option<String> {
    let text = || program.cfa.edges[event.edge].span.map_or("", |span| source::text(program, span));
    let place = || {
        let words = tokens::tokens(text());
        let read = reader::read(state, &words, true).filter(|(_, read)| *read == words.len());
        read.map(|(place, _)| place)
    };
    Some(match decision {
        Decision::Truth(holds) => match source::hard_to_find(program, event.edge) {
            Some(condition) => format!("{condition} is {holds}"),
            None => holds.to_string(),
        },
        Decision::Holds => "holds".to_owned(),
        Decision::Case(value) => {
            let ty = place().and_then(|place| place.ty);
            let character = match (&ty, value) {
                (Some(Type::Character), Value::Bv(bits)) => {
                    bits.to_i128().and_then(state::character)
                }
                _ => None,
            };
            let shown = || state.show(value, ty.as_ref(), cfa::Reading::Signed);
            format!("case {}", character.unwrap_or_else(shown))
        }
        Decision::Shared => format!("case {}", state.text(&place()?)?),
        Decision::Default => "default".to_owned(),
        Decision::NoCase => "no case".to_owned(),
    })
}

/// Values of one step that are shown at most.
const MOST: usize = 10;

/// What an event changes, in words, and which of these words tell what is handed on as it was. The state is led past the
/// event.
fn values(
    program: &Program,
    event: &Event,
    state: &mut State<'_>,
    names: &Names,
) -> (Vec<String>, Vec<String>) {
    let edge = &program.cfa.edges[event.edge];
    let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
    // Where no function of the source says which variable a name means, the name has to.
    let is_start = function.name.starts_with('@');
    let full = |var: Var, name: &str| match program.cfa.variables[var].scope {
        Scope::Global if is_start => names.of_variable(program, var),
        _ => Some(name.to_owned()),
    };
    let statement = edge.span.map_or("", |span| source::text(program, span));
    state.enter(event);
    // The place that the statement assigns, before anything in it changes.
    let stores = event.changes.iter().any(|change| matches!(change, Change::Stored { .. }));
    let words = tokens::tokens(source::assigned(statement).filter(|_| stores).unwrap_or(""));
    let assigned = reader::read(state, &words, true)
        .filter(|(_, read)| *read == words.len())
        .map(|(place, _)| place);
    let mut shown = Shown::default();
    // A structure that is returned is stored where the caller wants it.
    let returned = state.returned_structure();
    let mut returns = false;
    // What is declared is initialised part by part.
    let is_declared = statement.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    for (at, change) in event.changes.iter().enumerate() {
        state.change(event, at);
        match change {
            Change::Drawn { origin, holder, value } => {
                drawn(program, state, (*origin, *holder), value, &mut shown);
            }
            Change::Assigned { var, value: Some(value) } => {
                match variable_name(program, *var).and_then(|name| full(*var, name)) {
                    Some(name) => {
                        let text = format!("{name} = {}", state.show_variable(*var, value));
                        // A global that is arbitrary at the start has just been told.
                        let start = format!("{text} ({AT_START})");
                        if !shown.texts.contains(&start) {
                            shown.change(text, value, hands_on(program, event, change));
                        }
                    }
                    None => result(program, event, *var, value, state, &mut shown.texts),
                }
            }
            Change::Stored { address, .. } | Change::Copied { to: address, .. }
                if returned.as_ref().is_some_and(|place| state.is_part_of(*address, place)) =>
            {
                returns = true;
            }
            Change::Stored { address, .. }
                if shown.wholes.iter().any(|(start, end, _)| (*start..*end).contains(address)) => {}
            // What `setjmp` keeps is its own.
            Change::Stored { .. } if statement.contains("setjmp") => {}
            // A structure with bit-fields is copied part by part.
            Change::Stored { address, .. }
                if let Some(place) = &assigned
                    && let Some((start, end)) = state.extent(place, *address) =>
            {
                shown.wholes.push((start, end, place.clone()));
            }
            Change::Stored { address, value } => {
                let text = stored(state, assigned.as_ref(), *address, value);
                let as_it_is = hands_on(program, event, change);
                text.into_iter().for_each(|text| shown.change(text, value, as_it_is));
            }
            Change::Copied { to: address, length, .. } | Change::Filled { address, length, .. } => {
                shown.written(state, *address, *length, is_declared);
            }
            Change::Freed { address } => {
                shown.texts.extend(state.block(*address).map(|name| format!("{name} is freed")));
            }
            _ => {}
        }
    }
    let handed_on = std::mem::take(&mut shown.handed_on);
    (shown.finish(state, returned.filter(|_| returns)), handed_on)
}

/// What was written and freed without a name in the source.
#[derive(Default)]
struct Beyond {
    /// Addresses and lengths.
    written: Vec<(u64, u64)>,
    freed: Vec<String>,
    /// Bytes that came from outside, and where such bytes were written.
    given: FxHashSet<u128>,
    inputs: BTreeSet<u64>,
}

/// As many stretches of memory that a call has written are told.
const STRETCHES: usize = 4;

impl Beyond {
    /// Takes in what an event changes; the state is past the event.
    fn note(&mut self, program: &Program, state: &State<'_>, event: &Event) {
        for change in &event.changes {
            match change {
                Change::Stored { address, value } => {
                    let size = size_of(value);
                    self.written.extend(size.map(|size| (*address, size)));
                    if size == Some(1) && low_byte(value).is_some_and(|it| self.given.contains(&it))
                    {
                        self.inputs.insert(*address);
                    }
                }
                Change::Drawn { origin: origin @ Origin::Havoc(_), value, .. }
                    if matches!(origin.choice(program), Choice::Input(_)) =>
                {
                    self.given.extend(low_byte(value));
                }
                Change::Copied { to: address, length, .. }
                | Change::Filled { address, length, .. } => self.written.push((*address, *length)),
                Change::Freed { address } => {
                    let name = state.block(*address);
                    self.freed.extend(name.map(|name| format!("{name} is freed")));
                }
                _ => {}
            }
        }
    }

    /// The texts of what was noted, which is forgotten.
    fn take(&mut self, state: &State<'_>) -> Vec<String> {
        let mut written = std::mem::take(&mut self.written);
        written.sort_unstable();
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for (start, length) in written.into_iter().filter(|(_, length)| *length > 0) {
            let end = start.saturating_add(length);
            match stretches.last_mut() {
                Some((first, until)) if start <= first.saturating_add(*until) => {
                    *until = (*until).max(end - *first);
                }
                _ => stretches.push((start, length)),
            }
        }
        let inputs = std::mem::take(&mut self.inputs);
        self.given.clear();
        let told = stretches.into_iter().filter_map(|(start, length)| {
            let is_given = inputs.range(start..start.saturating_add(length)).next().is_some();
            let given = if is_given { " (input)" } else { "" };
            state.stretch(start, length).map(|text| format!("{text}{given}"))
        });
        let mut texts: Vec<String> = told.take(STRETCHES).collect();
        texts.append(&mut self.freed);
        texts
    }
}

/// The lowest byte of a number.
fn low_byte(value: &Value) -> Option<u128> {
    value.as_bv()?.to_u128().map(|bits| bits & 0xff)
}

/// The texts of an event.
#[derive(Default)]
struct Shown {
    texts: Vec<String>,
    /// Those of values that are written as they were before.
    handed_on: Vec<String>,
    /// Inputs that no place with a name has received yet, and where they are shown.
    open: Vec<(Value, usize)>,
    /// Addresses of objects and parts of objects that are written as a whole, and their names.
    wholes: Vec<(u64, u64, NamedPlace)>,
    /// Other bytes that are written.
    beyond: Beyond,
}

impl Shown {
    /// Bytes are filled or copied.
    fn written(&mut self, state: &State<'_>, address: u64, length: u64, is_declared: bool) {
        let place = state.whole_at(address, length);
        match place.filter(|place| state.text(place).is_some()) {
            Some(place) => self.wholes.push((address, address.saturating_add(length), place)),
            None if is_declared => {}
            None => self.beyond.written.push((address, length)),
        }
    }

    /// All texts, with those of what is complete only when the event is over.
    fn finish(mut self, state: &State<'_>, returned: Option<NamedPlace>) -> Vec<String> {
        // What is initialised part by part is shown when all parts are there.
        for (_, _, place) in &self.wholes {
            self.texts.extend(state.told(place));
        }
        self.texts.extend(self.beyond.take(state));
        if let Some(text) = returned.and_then(|place| state.text(&place)) {
            self.texts.push(format!("returns {text}"));
        }
        let more = self.texts.len().saturating_sub(MOST);
        if more > 1 {
            self.texts.truncate(MOST);
            self.texts.push(format!("… ({more} more)"));
        }
        self.texts
    }

    /// A place with a name receives a value: an input, if it is handed on as it came.
    fn change(&mut self, text: String, value: &Value, as_it_is: bool) {
        // Members with few bits hold the same number in another width.
        let held = text.split_once(" = ").map(|(_, held)| held);
        let is_it = |(drawn, at): &(Value, usize)| {
            let known = self.texts[*at].strip_suffix(" (input)");
            let number = known.and_then(|known| known.split_once("() = "));
            drawn == value || (held.is_some() && number.map(|(_, number)| number) == held)
        };
        self.handed_on.extend(as_it_is.then(|| text.clone()));
        match self.open.iter().position(is_it).filter(|_| as_it_is) {
            Some(known) => self.texts[self.open.remove(known).1] = format!("{text} (input)"),
            None => self.texts.push(text),
        }
    }
}

/// Whether a step writes what it was given, in whatever width, and not something that is computed from it:
/// `x = input();`, but not `x = input() % 10;`.
fn hands_on(program: &Program, event: &Event, change: &Change) -> bool {
    let written = |op: &Op| match (op, change) {
        (Op::Assign { var, value }, Change::Assigned { var: assigned, .. }) if var == assigned => {
            Some(*value)
        }
        (Op::Store { value, .. }, Change::Stored { .. }) => Some(*value),
        (Op::Call { callee, arguments, .. }, Change::Assigned { var, .. })
            if event.returned.is_none() =>
        {
            let parameters = &program.cfa.functions[*callee].parameters;
            let at = parameters.iter().position(|parameter| parameter == var)?;
            arguments.get(at).copied()
        }
        _ => None,
    };
    let ops = &program.cfa.edges[event.edge].ops;
    let mut values = ops.iter().filter_map(written).peekable();
    // A result of a call is written by no operation.
    values.peek().is_none() || values.any(|value| is_plain(program, value))
}

/// Whether a term is a variable, perhaps in another width.
fn is_plain(program: &Program, value: TermId) -> bool {
    use term::Op::{BvConcat, BvExtract, BvSignExtend, BvZeroExtend};
    match program.terms.view(value) {
        View::Var(_) => true,
        View::App(BvExtract { .. } | BvSignExtend(_) | BvZeroExtend(_), &[inner]) => {
            is_plain(program, inner)
        }
        // A member of some bits, with its neighbours.
        View::App(BvConcat, parts) => parts.iter().any(|part| is_plain(program, *part)),
        _ => false,
    }
}

/// A value that was stored: at the place that the statement names, or in an object.
fn stored(
    state: &State<'_>,
    assigned: Option<&NamedPlace>,
    address: u64,
    value: &Value,
) -> Option<String> {
    let size = size_of(value)?;
    let is_here = |place: &&NamedPlace| match (&place.what, &place.ty) {
        (What::Memory { address: at, bits: None }, Some(ty)) => {
            *at == address && state.types.size(ty).is_some_and(|known| known >= size)
        }
        (What::Memory { address: at, bits: Some(_) }, _) => {
            (address..address.saturating_add(size)).contains(at)
        }
        _ => false,
    };
    if let Some(place) = assigned.filter(is_here)
        && let Some(text) = state.text(place)
    {
        return Some(format!("{} = {text}", place.text));
    }
    let place = state.stored_at(address, size)?;
    let text = state.text(&place);
    let text = text.unwrap_or_else(|| state.show(value, None, state.guess(value)));
    Some(format!("{} = {text}", place.text))
}

/// A value that was chosen.
fn drawn(
    program: &Program,
    state: &State<'_>,
    (origin, holder): (Origin, Holder),
    value: &Value,
    shown: &mut Shown,
) {
    let reading = state.types.reading(origin);
    if is_initial(program, origin, holder) {
        let input = Input { origin, holder, value: value.clone() };
        return shown.texts.push(describe(program, state, &input));
    }
    match (origin, origin.choice(program)) {
        (Origin::Havoc(_), Choice::Uninitialised) => {}
        (Origin::Variable(var, _), Choice::Uninitialised) => {
            let value = state.show_variable(var, value);
            let text =
                variable_name(program, var).map(|name| format!("{name} = {value} (uninitialised)"));
            shown.texts.extend(text);
        }
        (_, Choice::Uninitialised) => {
            let place = size_of(value).and_then(|size| state.held_by(holder, size));
            let ty = place.as_ref().and_then(|place| place.ty.as_ref());
            let text = state.show(value, ty, reading);
            shown.texts.push(match (place, outside(program, holder, value, &text)) {
                (_, Some(text)) => format!("{text} (input)"),
                (Some(place), None) => format!("{} = {text} (uninitialised)", place.text),
                (None, None) => format!("{text} (uninitialised memory)"),
            });
        }
        (_, choice) if is_pointed(choice, origin) || matches!(origin, Origin::Havoc(_)) => {
            let input = Input { origin, holder, value: value.clone() };
            shown.open.push((value.clone(), shown.texts.len()));
            shown.texts.push(format!("{} (input)", describe(program, state, &input)));
        }
        (_, Choice::Input(from) | Choice::External(from) | Choice::Approximated(from)) => {
            let call = if is_function(from) { "()" } else { "" };
            let ty = source::is_character(from).then_some(Type::Character);
            let text = state.show(value, ty.as_ref(), reading);
            shown.open.push((value.clone(), shown.texts.len()));
            shown.texts.push(format!("{from}{call} = {text} (input)"));
        }
    }
}

/// The result of a function, where it returns it.
fn result(
    program: &Program,
    event: &Event,
    var: Var,
    value: &Value,
    state: &State<'_>,
    shown: &mut Vec<String>,
) {
    let function = program.cfa.locations[program.cfa.edges[event.edge].source].function;
    let function = &program.cfa.functions[function];
    if function.results.contains(&var) && !function.name.starts_with('@') {
        let ty = state.types.returned(&function.name);
        let value = match ty {
            Some(_) => state.show(value, ty, program.cfa.variables[var].reading),
            None => state.show_variable(var, value),
        };
        shown.push(format!("returns {value}"));
    }
}

/// The name of a variable of the source.
pub(super) fn variable_name(program: &Program, var: Var) -> Option<&str> {
    let known = program.cfa.variables.get(var)?;
    if matches!(known.scope, Scope::Address(_)) {
        return None;
    }
    let name = Infix::new(program).with_source_names().name(var);
    // What a model of the library calls its parameters is no concern of the program.
    let borrowed = known.span.is_some_and(|span| source::is_borrowed(program, span.file));
    let hidden = borrowed || name.contains(['$', '@', '&']) || name.contains("::");
    (!hidden).then_some(name)
}
