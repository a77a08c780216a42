//! A counterexample as data.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Span;
use base::tokens::is_word;
use cfa::{FuncId, Program, Scope};

use super::document::{Counterexample, KnownValue, Step, Value};
use crate::execution::Execution;
use crate::proviso::document::{Document as Proviso, SourcePlace};
use crate::scope;
use crate::shorten::beginning;
use crate::source;
use crate::trace::{Line, Panel, Row, Tables, lines_of, own_place, panels, told_of};

/// At most this many inputs are listed.
const MOST_INPUTS: usize = 1000;

/// At most this many characters of a line are in the document.
const LONGEST: usize = 200;

/// At most this many bytes of a line are looked at.
const LONGEST_LINE: usize = 10_000;

/// The counterexample of a run.
pub(super) fn of(
    program: &Program,
    found: &verify::Counterexample,
    execution: &Execution,
) -> Counterexample {
    let told = told_of(program, found, execution, MOST_INPUTS, "--mmio");
    let length = told.steps();
    let at = own_place(program, found, execution);
    let steps = Words::of(program).steps(execution, told.lines);
    Counterexample {
        error: told.error,
        at: at.map(|span| SourcePlace::of(program, source::whole_use(program, span))),
        hint: told.hint,
        length,
        at_once: told.at_once,
        inputs: told.inputs,
        steps,
    }
}

/// The steps of executions of the proviso with their values, by the names of the executions. Executions are taken in
/// order as long as they cost no more than a limit together.
pub(super) fn walks(
    program: &Program,
    proviso: &Proviso,
    limit: usize,
) -> BTreeMap<String, Vec<Step>> {
    let words = LazyCell::new(|| Words::of(program));
    let mut walks = BTreeMap::new();
    let mut cost: usize = 0;
    for (id, trace) in proviso.walked() {
        let Some(run) = trace.run.as_ref().filter(|run| run.taken <= LONGEST_WALK) else {
            continue;
        };
        // An execution costs as much as its steps, its inputs and the objects of the program, which get their places
        // and contents before the first step.
        let own = program.cfa.objects.len() + run.drawn.len();
        let own = own.saturating_add(usize::try_from(run.taken).unwrap_or(usize::MAX));
        // An execution that is too long is left out, and shorter executions behind it may still fit.
        if own > limit - cost {
            continue;
        }
        cost += own;
        let execution = Execution::beginning(program, &run.drawn, run.taken);
        let lines = lines_of(program, &words.tables, &execution);
        walks.insert(id, words.steps(&execution, lines));
    }
    walks
}

/// Executions with more edges are told without values.
const LONGEST_WALK: u64 = 5_000;

/// The source line of a row.
fn code(program: &Program, row: &Row) -> String {
    match row.place {
        Some(_) if row.again => "(again)".to_owned(),
        Some(_) if row.resumed => "(returned)".to_owned(),
        Some((file, line)) => {
            let line = program.sources.line(file, line).map_or(&[][..], |(_, text)| text);
            // A whole program may stand in one line, and only the beginning of the line is in the document.
            let line = String::from_utf8_lossy(&line[..line.len().min(LONGEST_LINE)]);
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        None => row.model.clone(),
    }
}

/// Whether two texts have the same value, no matter which of them says that the value is an input.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.strip_suffix(" (input)").unwrap_or(text).len();
    one[..plain(one)] == other[..plain(other)]
}

/// What names mean.
struct Words<'p> {
    program: &'p Program,
    /// The names that stand for one variable each, which all functions can use.
    globals: BTreeSet<&'p str>,
    tables: Arc<Tables>,
}

impl<'p> Words<'p> {
    fn of(program: &'p Program) -> Self {
        Self { program, globals: globals(program), tables: Arc::new(Tables::of(program)) }
    }

    /// The lines of an execution as steps, with the values that are known after each step.
    fn steps(&self, execution: &Execution, lines: Vec<Line>) -> Vec<Step> {
        let panels = panels(self.program, &self.tables, execution, &lines);
        let steps = lines.into_iter().zip(panels).map(|(line, panel)| match line {
            Line::Folded { depth, what } => {
                Step { depth, code: format!("… {what}"), folded: true, ..Step::default() }
            }
            Line::Row(row) => self.step(row, panel),
        });
        steps.collect()
    }

    fn step(&self, row: Row, panel: Option<Panel>) -> Step {
        let program = self.program;
        let code = beginning(&code(program, &row), LONGEST);
        let known = panel.as_ref().map_or(&[][..], |panel| &panel.changes);
        let known = known.iter().map(|known| KnownValue {
            activation: known.activation,
            name: known.name.clone(),
            value: known.value.clone(),
        });
        let value = |text: &String| {
            let argument = row.arguments.iter().any(|other| is_same(other, text));
            self.value(text, argument, row.statement.filter(|_| !argument))
        };
        Step {
            at: row.place.map(|(file, line)| SourcePlace {
                file: program.sources.name(file).to_owned(),
                line,
                column: row.focus.max(1),
                end_line: None,
                end_column: None,
            }),
            depth: row.depth,
            code,
            values: row.values.iter().map(value).collect(),
            activation: panel.as_ref().map(|panel| panel.activation),
            known: known.collect(),
            folded: false,
        }
    }

    /// A value, with the name of the variable that has it.
    fn value(&self, text: &str, argument: bool, statement: Option<(FuncId, Span)>) -> Value {
        let plain = Value { text: text.to_owned(), ..Value::default() };
        let Some((name, value)) = text.split_once(" = ") else { return plain };
        // The result of a function is no variable. If the result is kept, the variable that keeps it has a text of
        // its own.
        if name.ends_with("()") || text.starts_with("returns ") {
            return plain;
        }
        let start = name.trim_start_matches(|c| !is_word(c));
        let word = &start[..start.find(|c| !is_word(c)).unwrap_or(start.len())];
        let meant = statement.and_then(|at| self.tables.names.meant(self.program, word, at));
        let variable = meant.map(|meant| name.replacen(word, &meant, 1));
        Value {
            name: Some(name.to_owned()),
            value: Some(value.to_owned()),
            global: !argument && self.globals.contains(word),
            argument,
            variable,
            ..plain
        }
    }
}

/// The names that stand for one variable each, which all functions can use.
fn globals(program: &Program) -> BTreeSet<&str> {
    let mut declared: BTreeMap<&str, BTreeSet<(bool, Option<Span>)>> = BTreeMap::new();
    for known in program.cfa.variables.iter() {
        let Some(name) = known.source_name.as_deref() else { continue };
        let is_local = matches!(known.scope, Scope::Local(_));
        declared.entry(scope::base_name(name)).or_default().insert((is_local, known.span));
    }
    for object in program.cfa.objects.iter() {
        declared.entry(&object.name).or_default().insert((false, object.span));
    }
    let is_one = |places: &BTreeSet<(bool, Option<Span>)>| {
        places.len() == 1 && places.iter().all(|(is_local, _)| !is_local)
    };
    declared.into_iter().filter(|(_, places)| is_one(places)).map(|(name, _)| name).collect()
}
