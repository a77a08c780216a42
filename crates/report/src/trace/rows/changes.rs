//! What one step of a run changes, in words.

use base::tokens::is_word;
use cfa::{Choice, Infix, Op, Program, Scope};
use interp::{Change, Holder, Origin};
use term::{TermId, Value, Var, View};

use super::super::input::{
    AT_START, UNSET, declared_unset, describe, is_function, is_initial, is_pointed, outside,
    size_of,
};
use super::super::names::Names;
use super::super::place::{NamedPlace, What};
use super::super::reader;
use super::super::state::State;
use super::beyond::Beyond;
use crate::execution::{Event, Input};
use crate::source;
use crate::tokens;
use crate::types::Type;

/// At most this many values of one step are shown.
pub(super) const MOST: usize = 10;

/// The changes of an event, in words, and those of these texts whose value is passed on unchanged. The changes are
/// made in the state.
pub(super) fn values(
    program: &Program,
    event: &Event,
    state: &mut State<'_>,
    names: &Names,
) -> (Vec<String>, Vec<String>) {
    let statement = program.cfa.edges[event.edge].span;
    let statement = statement.map_or("", |span| source::text(program, span));
    let step = StatementEvent { program, event, names, statement };
    state.enter(event);
    // The place that the statement assigns is read before the changes of the event.
    let assigned = step.assigned_place(state);
    let mut shown = Shown::default();
    // A structure that is returned is stored where the caller wants it.
    let returned = state.returned_structure();
    let mut returns = false;
    // If the statement is a declared name, its initialiser is stored part by part.
    let is_declared = statement.chars().all(is_word);
    let mut declared = None;
    for (at, change) in event.changes.iter().enumerate() {
        state.change(event, at);
        let is_unset = matches!(change, Change::Assigned { var, .. } if declared == Some(*var));
        declared = declared_unset(program, change);
        match change {
            Change::Drawn { origin, holder, value } => {
                drawn(program, state, (*origin, *holder), value, &mut shown);
            }
            Change::Assigned { var, value: Some(value) } => match step.name(*var) {
                Some(name) => {
                    let mark = if is_unset { UNSET } else { "" };
                    let text = format!("{name} = {}{mark}", state.show_variable(*var, value));
                    shown.assigned(text, value, hands_on(program, event, change));
                }
                None => result(program, event, *var, value, state, &mut shown.texts),
            },
            Change::Stored { address, .. } | Change::Copied { to: address, .. }
                if returned.as_ref().is_some_and(|place| state.is_part_of(*address, place)) =>
            {
                returns = true;
            }
            Change::Stored { address, .. }
                if shown.has_whole(*address) || step.says_nothing(state, *address) => {}
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

/// An event with the statement that it is a part of.
struct StatementEvent<'a> {
    program: &'a Program,
    event: &'a Event,
    names: &'a Names,
    statement: &'a str,
}

impl StatementEvent<'_> {
    /// The place that the statement assigns, if the event stores something.
    fn assigned_place(&self, state: &State<'_>) -> Option<NamedPlace> {
        let is_store = |change: &Change| matches!(change, Change::Stored { .. });
        let left = source::assigned(self.statement);
        let words = tokens::tokens(left.filter(|_| self.event.changes.iter().any(is_store))?);
        let (place, read) = reader::read(state, &words, true)?;
        (read == words.len()).then_some(place)
    }

    /// The name of a variable that receives a value.
    fn name(&self, var: Var) -> Option<String> {
        let cfa = &self.program.cfa;
        let name = variable_name(self.program, var)?;
        // Where no function of the source says which variable a name means, the name has to.
        let function = cfa.locations[cfa.edges[self.event.edge].source].function;
        let is_start = cfa.functions[function].name.starts_with('@');
        match cfa.variables[var].scope {
            Scope::Global if is_start => self.names.of_variable(self.program, var),
            _ => Some(name.to_owned()),
        }
    }

    /// Whether nobody wants to know what is stored at an address: no part of the program reads it as a value.
    fn says_nothing(&self, state: &State<'_>, address: u64) -> bool {
        let declared = || state.live_at(address).and_then(|object| object.declared);
        let is_list = || declared().is_some_and(|at| self.program.cfa.c_types.is_argument_list(at));
        // What `setjmp` keeps is its own.
        self.statement.contains("setjmp") || is_list()
    }
}

/// The texts of an event.
#[derive(Default)]
struct Shown {
    texts: Vec<String>,
    /// Those of `texts` whose values are passed on unchanged.
    handed_on: Vec<String>,
    /// Inputs that no variable or object with a name has received yet, each with its index in `texts`.
    open: Vec<(Value, usize)>,
    /// Objects and parts of objects that are written as a whole: first address, end, and name.
    wholes: Vec<(u64, u64, NamedPlace)>,
    /// Bytes that are written and that have no name in the source.
    beyond: Beyond,
}

impl Shown {
    /// Notes that bytes were filled or copied.
    fn written(&mut self, state: &State<'_>, address: u64, length: u64, is_declared: bool) {
        let place = state.whole_at(address, length);
        match place.filter(|place| state.text(place).is_some()) {
            Some(place) => self.wholes.push((address, address.saturating_add(length), place)),
            None if is_declared => {}
            None => self.beyond.written.push((address, length)),
        }
    }

    /// All texts, with those for objects that are complete only when the event is over.
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

    /// Whether an address is in an object or array that is shown as a whole.
    fn has_whole(&self, address: u64) -> bool {
        self.wholes.iter().any(|(start, end, _)| (*start..*end).contains(&address))
    }

    /// Notes that a variable got a value.
    fn assigned(&mut self, text: String, value: &Value, as_it_is: bool) {
        // The value of a global that is arbitrary at the start was shown when the value was drawn.
        if !self.texts.contains(&format!("{text} ({AT_START})")) {
            self.change(text, value, as_it_is);
        }
    }

    /// Notes that a variable or object with a name got a value. If the value is an input that is passed on unchanged,
    /// the text says so.
    fn change(&mut self, text: String, value: &Value, as_it_is: bool) {
        // A bit-field holds the same number as the input in another width.
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

/// Whether a step passes on a value, in whatever width, instead of computing a value: `x = input();`, but not
/// `x = input() % 10;`.
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
        // A bit-field is written together with its neighbours.
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
            let text = variable_name(program, var).map(|name| format!("{name} = {value}{UNSET}"));
            shown.texts.extend(text);
        }
        (_, Choice::Uninitialised) => {
            let place = size_of(value).and_then(|size| state.held_by(holder, size));
            let ty = place.as_ref().and_then(|place| place.ty.as_ref());
            let text = state.show(value, ty, reading);
            shown.texts.push(match (place, outside(program, holder, value, &text)) {
                (_, Some(text)) => format!("{text} (input)"),
                (Some(place), None) => format!("{} = {text}{UNSET}", place.text),
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
pub(in crate::trace) fn variable_name(program: &Program, var: Var) -> Option<&str> {
    let known = program.cfa.variables.get(var)?;
    if matches!(known.scope, Scope::Address(_)) {
        return None;
    }
    let name = Infix::new(program).with_source_names().name(var);
    // The names of parameters in models of the library mean nothing to a reader of the program.
    let borrowed = known.span.is_some_and(|span| source::is_borrowed(program, span.file));
    let is_list = known.span.is_some_and(|span| program.cfa.c_types.is_argument_list(span));
    let hidden = borrowed || is_list || name.contains(['$', '@', '&']) || name.contains("::");
    (!hidden).then_some(name)
}
