//! From the steps of a run to rows: one for each source line that is passed, with what changes.

mod beyond;
mod changes;

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Span;
use cfa::{Case, EdgeId, Infix, LocId, Loops, ObjectId, ObjectKind, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Value;

use super::fold::Tree;
use super::names::Names;
use super::place::NamedPlace;
use super::reader;
use super::row::Row;
use super::state::{self, State};
use crate::decision::{Decision, Decisions};
use crate::execution::{Event, Execution};
use crate::source;
use crate::tokens;
use crate::types::Type;
use beyond::Beyond;
pub(super) use changes::variable_name;
use changes::{MOST, values};

/// The rows of a run, nested as its calls and loops are. If the run ends in an error, the last row is that of the
/// error.
pub(crate) fn of<'p>(
    program: &'p Program,
    tables: &Arc<Tables>,
    error: Option<LocId>,
    execution: &Execution,
) -> (Tree, State<'p>) {
    let mut walk = Walk::new(program, Arc::clone(tables), execution);
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
    let Some(error) = error else { return (tree, state) };
    state.stop_at(error);
    let own_before = |end: usize| end.checked_sub(1).map_or(0, |last| stack[last].own);
    let mut depth = own_before(stack.len().saturating_sub(1));
    let own = |span: &Span| !source::is_borrowed(program, span.file);
    let mut span = program.cfa.locations[error].span.filter(own);
    if span.is_none()
        && let Some(call) = last_own(program, execution)
    {
        // What goes wrong in a model of the library is shown where the program calls it.
        state.return_to(call);
        span = program.cfa.edges[call.edge].span;
        depth = own_before(call.depth.min(stack.len()));
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

/// The tables of a program that do not depend on a run, so that several runs share them.
pub(crate) struct Tables {
    decisions: Decisions,
    pub(crate) names: Names,
}

impl Tables {
    pub(crate) fn of(program: &Program) -> Self {
        Self { decisions: Decisions::of(program), names: Names::of(program) }
    }
}

/// An activation of a function.
struct Activation {
    /// Whether the function of the activation is one of the source.
    is_own: bool,
    /// The place of the call that the activation makes.
    span: Option<Span>,
    /// How many activations of the source there are up to this one: recursion may be deep.
    own: usize,
}

/// The way of a run through the program, step by step.
pub(crate) struct Walk<'p> {
    program: &'p Program,
    state: State<'p>,
    tables: Arc<Tables>,
    stack: Vec<Activation>,
    /// What models of the library have written and freed since the program's own text was left.
    beyond: Beyond,
    /// The values of objects at the start, until the first row shows them.
    initial: Vec<String>,
    /// For edges, conditions that are hard to find in their lines; each edge is looked at once.
    hard_to_find: FxHashMap<EdgeId, Option<String>>,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(program: &'p Program, tables: Arc<Tables>, execution: &Execution) -> Self {
        let state = State::new(program, execution);
        let initial = initial(program, execution, &state, &tables.names);
        let (stack, beyond) = (Vec::new(), Beyond::default());
        let hard_to_find = FxHashMap::default();
        Self { program, state, tables, stack, beyond, initial, hard_to_find }
    }

    fn push(&mut self, is_own: bool, span: Option<Span>) {
        let own = self.stack.last().map_or(0, |caller| caller.own) + usize::from(is_own);
        self.stack.push(Activation { is_own, span, own });
    }

    /// What is shown of the next step, if something is.
    pub(crate) fn next(&mut self, event: &Event) -> Option<Row> {
        let program = self.program;
        let edge = &program.cfa.edges[event.edge];
        let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
        self.stack.truncate(event.depth);
        while self.stack.len() < event.depth {
            self.push(true, None);
        }
        // The functions that set up the program, or that the model adds to calls, have no lines in the source.
        let is_own = !function.name.starts_with('@');
        let callers = &self.stack[..];
        let depth = callers.last().map_or(0, |caller| caller.own);
        let mut row = row(program, event, &mut self.state, &self.tables.names, depth);
        if event.returned.is_none()
            && let Some(decision) = self.tables.decisions.get(event.edge)
        {
            let known = self.hard_to_find.entry(event.edge);
            let condition =
                || known.or_insert_with(|| source::hard_to_find(program, event.edge)).as_deref();
            row.values.extend(decided(program, event, &self.state, decision, condition));
        }
        let place = |caller: &Activation| {
            let own = |span: &Span| !source::is_borrowed(program, span.file);
            caller.span.filter(own).filter(|_| caller.is_own)
        };
        if !is_own && let Some(span) = callers.iter().rev().find_map(place) {
            row.depth = depth.saturating_sub(1);
            row.place = Some((span.file, program.sources.position(span).line));
            row.model.clear();
        }
        self.push(is_own, edge.span);
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
    let edges: BTreeSet<EdgeId> = execution.events.iter().map(|event| event.edge).collect();
    for edge in edges {
        let terms = program.cfa.edges[edge].ops.iter().flat_map(Op::terms);
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
    let nothing = edge.ops.is_empty() && row.place.is_none() || follows_jump(program, &edge.ops);
    !row.values.is_empty() || !(event.returned.is_some() || prologue || nothing)
}

/// Whether an edge only reads variables of the model itself and assigns no variable of the source. The model has such
/// an edge behind each call in which `longjmp` may have been called.
fn follows_jump(program: &Program, ops: &[Op]) -> bool {
    let is_silent = |op: &Op| match op {
        Op::Assume(_) => true,
        Op::Assign { var, .. } => program.cfa.variables[*var].source_name.is_none(),
        _ => false,
    };
    let mut read = ops.iter().flat_map(Op::terms).flat_map(|term| program.terms.vars(term));
    ops.iter().all(is_silent) && read.any(|var| program.terms.var_name(var).starts_with('@'))
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
            let label = |at: LocId| {
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

/// The outcome of a condition, in words. `hard_to_find` is the text of the condition if its line does not show which
/// condition is meant.
fn decided<'c>(
    program: &Program,
    event: &Event,
    state: &State<'_>,
    decision: &Decision,
    hard_to_find: impl FnOnce() -> Option<&'c str>,
) -> Option<String> {
    let text = || program.cfa.edges[event.edge].span.map_or("", |span| source::text(program, span));
    let place = || {
        let words = tokens::tokens(text());
        let read = reader::read(state, &words, true).filter(|(_, read)| *read == words.len());
        read.map(|(place, _)| place)
    };
    Some(match decision {
        Decision::Truth(holds) => match hard_to_find() {
            Some(condition) => format!("{condition} is {holds}"),
            None => holds.to_string(),
        },
        Decision::Holds => "holds".to_owned(),
        Decision::Case(Case::Value { value, reading }) => {
            let ty = place().and_then(|place| place.ty);
            let is_character = matches!(ty, Some(Type::Character));
            let character = value.to_i128().filter(|_| is_character).and_then(state::character);
            let shown = || state.show(&Value::Bv(value.clone()), ty.as_ref(), *reading);
            format!("case {}", character.unwrap_or_else(shown))
        }
        Decision::Case(Case::Range) => format!("case {}", state.text(&place()?)?),
        Decision::Case(Case::Default) => "default".to_owned(),
        Decision::Case(Case::NoCase) => "no case".to_owned(),
    })
}
