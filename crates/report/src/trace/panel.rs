//! What is known beside each line of a counterexample: the variables of the function where the run stands, the
//! parameters of a function that is called there, what exists from the start, and the heap.
//!
//! Each value comes from the state of the run after the line, so it is right whatever pointer has written it; and each
//! name is told apart from others that the source writes the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Span;
use cfa::{FuncId, ObjectId, Program, Scope};
use interp::{Change, Origin};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Value, Var};

use super::fold::Line;
use super::input::{UNSET, declared_unset, is_unset, size_of};
use super::names;
use super::rows::{Tables, named_at_start, variable_name};
use super::state::State;
use crate::execution::{Event, Execution};
use crate::{scope, source};

/// At most this many variables and objects of an activation are shown, and at most as many others: those that were
/// added last.
const MOST: usize = 100;

/// At most this many parts of an object are shown besides its first parts: those that were written last.
const PARTS: usize = 20;

/// A name with its value; without a value if the value is not known any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PanelEntry {
    /// The number of the activation that the variable belongs to; none for globals, static variables and the heap.
    pub(crate) activation: Option<usize>,
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

/// What is known after a line, as far as the lines before it did not say it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Panel {
    /// The number of the activation where the run stands.
    pub(crate) activation: usize,
    pub(crate) changes: Vec<PanelEntry>,
}

/// What is known beside each line; nothing where lines are left out.
pub(crate) fn of(
    program: &Program,
    tables: &Arc<Tables>,
    execution: &Execution,
    lines: &[Line],
) -> Vec<Option<Panel>> {
    let mut watch = Watch::new(program, Arc::clone(tables), execution);
    let mut next = 0;
    let mut panel = |line: &Line| {
        let Line::Row(row) = line else { return None };
        for event in execution.events.iter().take(row.until).skip(next) {
            watch.follow(event);
        }
        next = next.max(row.until);
        Some(watch.panel())
    };
    lines.iter().map(&mut panel).collect()
}

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Thing {
    Variable(Var),
    /// The object at this first address.
    Object(u64),
}

/// An activation of a function.
struct Activation {
    number: usize,
    function: FuncId,
    /// Where it stands.
    place: Option<Span>,
    things: Vec<Thing>,
}

/// A thing with a value.
struct Seen {
    /// The name without its parts.
    base: String,
    /// The name, with parts.
    name: String,
    declared: Option<Span>,
    value: String,
}

/// How many bytes a change has written.
#[derive(Clone, Copy)]
enum Written {
    /// The bytes of a single value, which are a part of an object.
    Part(u64),
    /// Bytes that need not be a single part of an object.
    Stretch(u64),
}

/// How many bytes a value has written. A value without a size in bytes may have written all the rest of an object.
fn written(value: &Value) -> Written {
    size_of(value).map_or(Written::Stretch(u64::MAX), Written::Part)
}

/// Parts of objects whose values the program has not set, by address and size.
#[derive(Default)]
struct UnsetParts {
    parts: BTreeSet<(u64, u64)>,
    /// The largest size of any part.
    widest: u64,
}

impl UnsetParts {
    fn insert(&mut self, at: u64, size: u64) {
        self.widest = self.widest.max(size);
        self.parts.insert((at, size));
    }

    fn contains(&self, part: (u64, u64)) -> bool {
        self.parts.contains(&part)
    }

    /// Notes that the bytes from `first` up to `end` were set: parts that have some of these bytes do not count as
    /// unset any more.
    fn clear(&mut self, first: u64, end: u64) {
        if first >= end {
            return;
        }
        let near = self.parts.range((first.saturating_sub(self.widest), 0)..(end, 0));
        let is_set = |(at, size): &&(u64, u64)| at.saturating_add(*size) > first;
        let set: Vec<(u64, u64)> = near.filter(is_set).copied().collect();
        for part in set {
            self.parts.remove(&part);
        }
    }
}

/// What a run has set so far.
struct Watch<'p> {
    program: &'p Program,
    state: State<'p>,
    tables: Arc<Tables>,
    /// The open activations, by depth.
    activations: Vec<Activation>,
    /// How many activations have begun.
    begun: usize,
    /// Globals, static variables and the heap.
    lasting: Vec<Thing>,
    /// Parts of objects that were written, by the first addresses of the objects: addresses and sizes.
    parts: FxHashMap<u64, Vec<(u64, u64)>>,
    /// Variables that the program has not set, each with the depth of its activation; no depth for a global.
    unset: FxHashSet<(Option<usize>, Var)>,
    unset_parts: UnsetParts,
    /// The values that were shown, by activation and name.
    told: BTreeMap<(Option<usize>, String), String>,
}

impl<'p> Watch<'p> {
    fn new(program: &'p Program, tables: Arc<Tables>, execution: &Execution) -> Self {
        let state = State::new(program, execution);
        let known = named_at_start(program, execution);
        Self {
            program,
            state,
            tables,
            activations: Vec::new(),
            begun: 0,
            lasting: known.map(|(_, start)| Thing::Object(start)).take(MOST).collect(),
            parts: FxHashMap::default(),
            unset: FxHashSet::default(),
            unset_parts: UnsetParts::default(),
            told: BTreeMap::new(),
        }
    }

    /// Takes in a step of the run.
    fn follow(&mut self, event: &Event) {
        let program = self.program;
        let edge = &program.cfa.edges[event.edge];
        self.state.enter(event);
        let function = program.cfa.locations[edge.source].function;
        self.activations.truncate(event.depth + 1);
        self.begin(event.depth, function);
        let is_call = event.returned.is_none();
        let called = match edge.ops.last() {
            Some(cfa::Op::Call { callee, .. }) if is_call => Some(*callee),
            _ => None,
        };
        if let Some(called) = called {
            self.begin(event.depth + 1, called);
        }
        if let Some(here) = self.activations.get_mut(event.depth) {
            here.place = edge.span;
        }
        let mut declared = None;
        for (at, change) in event.changes.iter().enumerate() {
            self.state.change(event, at);
            let depth = event.depth + usize::from(called.is_some());
            match change {
                Change::Assigned { var, .. } => {
                    self.note_variable(*var, depth, declared == Some(*var));
                }
                Change::Drawn { origin: origin @ Origin::Variable(var, _), .. } => {
                    self.note_variable(*var, depth, is_unset(program, *origin));
                }
                Change::Drawn { origin, holder, value } => {
                    let at = self.state.address_of(*holder);
                    let is_unset = is_unset(program, *origin);
                    at.into_iter().for_each(|at| self.note(at, written(value), is_unset));
                }
                Change::Stored { address, value } => self.note(*address, written(value), false),
                Change::Copied { to: address, length, .. }
                | Change::Filled { address, length, .. } => {
                    self.note(*address, Written::Stretch(*length), false);
                }
                Change::Allocated { address, size } => {
                    // The parts of an earlier object at this address are gone.
                    self.parts.remove(address);
                    self.unset_parts.clear(*address, address.saturating_add(*size));
                }
                _ => {}
            }
            declared = declared_unset(program, change);
        }
    }

    /// Makes sure that there are activations up to a depth, and that the last one is of this function.
    fn begin(&mut self, depth: usize, function: FuncId) {
        while self.activations.len() <= depth {
            self.begun += 1;
            let (number, things) = (self.begun, Vec::new());
            self.activations.push(Activation { number, function, place: None, things });
        }
        // Steps that were left out may have ended an activation, and begun another one.
        if self.activations[depth].function != function {
            self.begun += 1;
            let (number, things) = (self.begun, Vec::new());
            self.activations[depth] = Activation { number, function, place: None, things };
        }
    }

    fn note_variable(&mut self, var: Var, depth: usize, is_unset: bool) {
        if variable_name(self.program, var).is_none() {
            return;
        }
        let is_local = matches!(self.program.cfa.variables[var].scope, Scope::Local(_));
        let key = (is_local.then_some(depth), var);
        match is_unset {
            true => self.unset.insert(key),
            false => self.unset.remove(&key),
        };
        let things = match is_local {
            true => self.activations.get_mut(depth).map(|here| &mut here.things),
            false => Some(&mut self.lasting),
        };
        things.into_iter().for_each(|things| add(things, Thing::Variable(var)));
    }

    /// Bytes from an address on have got a value.
    fn note(&mut self, at: u64, written: Written, is_unset: bool) {
        let Some(live) = self.state.live_at(at) else { return };
        let (start, end, depth) = (live.start, live.end, live.depth);
        let things = match depth {
            Some(depth) => self.activations.get_mut(depth).map(|here| &mut here.things),
            None => Some(&mut self.lasting),
        };
        things.into_iter().for_each(|things| add(things, Thing::Object(start)));
        let (Written::Part(length) | Written::Stretch(length)) = written;
        self.unset_parts.clear(at, at.saturating_add(length).min(end));
        if let Written::Part(size) = written {
            if is_unset {
                self.unset_parts.insert(at, size);
            }
            let parts = self.parts.entry(start).or_default();
            parts.retain(|known| *known != (at, size));
            parts.push((at, size));
            if parts.len() > PARTS {
                parts.remove(0);
            }
        }
    }

    /// The values that are known now, as far as they were not shown before.
    fn panel(&mut self) -> Panel {
        let is_own = |here: &Activation| {
            let function = &self.program.cfa.functions[here.function];
            let borrowed =
                function.span.is_some_and(|it| source::is_borrowed(self.program, it.file));
            !borrowed && !function.name.starts_with('@')
        };
        // In a model of the library, the panel shows the activation of the program that calls the model.
        let deepest = self.state.depth();
        let here = (0..self.activations.len().min(deepest + 1)).rev();
        let depth = here.into_iter().find(|depth| is_own(&self.activations[*depth])).unwrap_or(0);
        let called = self.activations.get(depth + 1).filter(|next| is_own(next)).map(|_| depth + 1);
        let mut now: Vec<(Option<usize>, String, String)> = Vec::new();
        for depth in [Some(depth), called].into_iter().flatten() {
            let number = self.activations.get(depth).map(|here| here.number);
            now.extend(self.local(depth).into_iter().map(|(name, value)| (number, name, value)));
        }
        now.extend(self.lasting().into_iter().map(|(name, value)| (None, name, value)));
        let activation = self.activations.get(depth).map_or(0, |here| here.number);
        let shown = [depth, depth + 1].into_iter().filter_map(|depth| self.activations.get(depth));
        let numbers: Vec<Option<usize>> =
            [None].into_iter().chain(shown.map(|here| Some(here.number))).collect();
        Panel { activation, changes: self.changes(now, &numbers) }
    }

    /// The differences from the values that were shown for these activations.
    fn changes(
        &mut self,
        now: Vec<(Option<usize>, String, String)>,
        numbers: &[Option<usize>],
    ) -> Vec<PanelEntry> {
        let names: FxHashSet<(Option<usize>, &str)> =
            now.iter().map(|(number, name, _)| (*number, &**name)).collect();
        // Activations that have ended are not looked at again.
        let told = numbers.iter().flat_map(|number| {
            let rest = self.told.range((*number, String::new())..).map(|(key, _)| key);
            rest.take_while(move |key| key.0 == *number)
        });
        let is_gone = |key: &&(Option<usize>, String)| !names.contains(&(key.0, &*key.1));
        let gone: Vec<(Option<usize>, String)> = told.filter(is_gone).cloned().collect();
        let mut changes = Vec::new();
        for key in gone {
            self.told.remove(&key);
            changes.push(PanelEntry { activation: key.0, name: key.1, value: None });
        }
        for (activation, name, value) in now {
            let before = self.told.insert((activation, name.clone()), value.clone());
            if before.as_ref() != Some(&value) {
                changes.push(PanelEntry { activation, name, value: Some(value) });
            }
        }
        changes
    }

    /// The variables of an activation that exist where it stands, with their values. A name means the innermost one.
    fn local(&self, depth: usize) -> Vec<(String, String)> {
        let Some(here) = self.activations.get(depth) else { return Vec::new() };
        let exists = |seen: &Seen| match (seen.declared, here.place) {
            (Some(declared), Some(place)) => {
                self.program.cfa.block_names.exists(&seen.base, declared, place)
            }
            _ => true,
        };
        let seen: Vec<Seen> =
            here.things.iter().flat_map(|thing| self.seen(*thing, Some(depth))).collect();
        let seen: Vec<Seen> = seen.into_iter().filter(exists).collect();
        let innermost = |base: &str| {
            let same = seen.iter().filter(|seen| seen.base == base);
            same.filter_map(|seen| seen.declared).max_by_key(|declared| declared.start)
        };
        let told = |seen: &Seen| match (seen.declared, innermost(&seen.base)) {
            (Some(own), Some(inner)) if own != inner => {
                format!("{} {}", seen.name, names::place(self.program, own, own.file != inner.file))
            }
            _ => seen.name.clone(),
        };
        seen.iter().map(|seen| (told(seen), seen.value.clone())).collect()
    }

    /// Globals, static variables and the heap, with their values.
    fn lasting(&self) -> Vec<(String, String)> {
        let seen = self.lasting.iter().flat_map(|thing| self.seen(*thing, None));
        seen.map(|seen| (seen.name, seen.value)).collect()
    }

    /// A thing with its values: as a whole, or by its parts.
    fn seen(&self, thing: Thing, depth: Option<usize>) -> Vec<Seen> {
        match thing {
            Thing::Variable(var) => self.variable(var, depth).into_iter().collect(),
            Thing::Object(start) => self.object(start, depth),
        }
    }

    fn variable(&self, var: Var, depth: Option<usize>) -> Option<Seen> {
        let name = match depth {
            Some(_) => variable_name(self.program, var)?.to_owned(),
            None => self.tables.names.of_variable(self.program, var)?,
        };
        let declared = self.program.cfa.variables[var].span;
        let mut value = self.state.variable_text(var, depth)?;
        if self.unset.contains(&(depth, var)) {
            value.push_str(UNSET);
        }
        Some(Seen { base: scope::base_name(&name).to_owned(), name, declared, value })
    }

    fn object(&self, start: u64, depth: Option<usize>) -> Vec<Seen> {
        let live = self.state.live_at(start).filter(|it| it.start == start && it.depth == depth);
        let is_list = |span: Span| self.program.cfa.c_types.is_argument_list(span);
        let live = live.filter(|live| !live.declared.is_some_and(is_list));
        let Some(live) = live else { return Vec::new() };
        let full =
            |id: ObjectId| self.tables.names.of_object(self.program, &self.program.cfa.objects[id]);
        let name = live.object.map_or_else(|| live.name.to_owned(), full);
        let seen = |part: &str, value: String| Seen {
            base: name.clone(),
            name: format!("{name}{part}"),
            declared: live.declared,
            value,
        };
        let whole = self.state.object_text(start);
        let is_all = whole.as_ref().is_some_and(|whole| !whole.contains('…'));
        let marked = |mut value: String, part: &(u64, u64)| {
            if self.unset_parts.contains(*part) {
                value.push_str(UNSET);
            }
            value
        };
        let known = self.parts.get(&start);
        // If only one part of an object was written, the object may be a plain variable: then the mark of the part is
        // the mark of the whole.
        let only = known.and_then(|parts| parts.first().filter(|_| parts.len() == 1));
        let told = |whole: String| match only.filter(|_| !whole.starts_with('{')) {
            Some(part) => marked(whole, part),
            None => whole,
        };
        let mut all: Vec<Seen> = whole.into_iter().map(|value| seen("", told(value))).collect();
        let parts = known.filter(|_| !is_all);
        let mut parts: Vec<(u64, u64)> = parts.cloned().unwrap_or_default();
        parts.sort_unstable();
        for (at, size) in parts {
            let Some(place) = self.state.stored_at(at, size) else { continue };
            let part = place.text.strip_prefix(live.name).filter(|part| !part.is_empty());
            if let (Some(part), Some(value)) = (part, self.state.text(&place)) {
                all.push(seen(part, marked(value, &(at, size))));
            }
        }
        all
    }
}

/// Adds a thing. If there are too many, the first one is dropped.
fn add(things: &mut Vec<Thing>, thing: Thing) {
    if !things.contains(&thing) {
        things.push(thing);
        if things.len() > MOST {
            things.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_leaves_its_neighbours_unset() {
        let mut unset = UnsetParts::default();
        [(16, 4), (20, 4), (24, 8), (400, 4)]
            .into_iter()
            .for_each(|(at, size)| unset.insert(at, size));
        unset.clear(20, 20);
        unset.clear(20, 24);
        assert_eq!(unset.parts, BTreeSet::from([(16, 4), (24, 8), (400, 4)]));
        // One byte of a part is enough, and what lies above an object is another object.
        unset.clear(31, 64);
        assert_eq!(unset.parts, BTreeSet::from([(16, 4), (400, 4)]));
    }
}
