//! A counterexample as data.

use std::collections::BTreeSet;

use cfa::{Program, Scope};

use super::document::{Counterexample, Step, Value};
use crate::execution::Execution;
use crate::proviso::document::SourcePlace;
use crate::shorten::beginning;
use crate::trace::{Line, Row, own_place, told_of};

/// So many inputs are listed.
const MOST_INPUTS: usize = 1000;

/// So many characters of a line are told.
const LONGEST: usize = 200;

/// The counterexample of a run.
pub(super) fn of(
    program: &Program,
    found: &verify::Counterexample,
    execution: &Execution,
) -> Counterexample {
    let told = told_of(program, found, execution, MOST_INPUTS);
    let globals = globals(program);
    let step = |line: Line| match line {
        Line::Folded { depth, what } => {
            Step { depth, code: format!("… {what}"), folded: true, ..Step::default() }
        }
        Line::Row(row) => Step {
            at: row.place.map(|(file, line)| SourcePlace {
                file: program.sources.name(file).to_owned(),
                line,
                column: row.focus.max(1),
                end_line: None,
                end_column: None,
            }),
            depth: row.depth,
            code: beginning(&code(program, &row), LONGEST),
            values: row
                .values
                .into_iter()
                .map(|text| match row.arguments.contains(&text) {
                    true => Value { argument: true, global: false, ..value(&globals, text) },
                    false => value(&globals, text),
                })
                .collect(),
            folded: false,
        },
    };
    Counterexample {
        error: told.error,
        at: own_place(program, found, execution).map(|span| SourcePlace::of(program, span)),
        hint: told.hint,
        length: found.steps,
        at_once: told.at_once,
        inputs: told.inputs,
        steps: told.lines.into_iter().map(step).collect(),
    }
}

/// The source line of a row.
fn code(program: &Program, row: &Row) -> String {
    match row.place {
        Some(_) if row.again => "(again)".to_owned(),
        Some(_) if row.resumed => "(returned)".to_owned(),
        Some((file, line)) => {
            let line = program.sources.line(file, line).map_or(&[][..], |(_, text)| text);
            String::from_utf8_lossy(line).split_whitespace().collect::<Vec<_>>().join(" ")
        }
        None => row.model.clone(),
    }
}

/// The names of what all functions see.
fn globals(program: &Program) -> BTreeSet<&str> {
    let variables = program.cfa.variables.iter();
    let variables = variables.filter(|known| known.scope == Scope::Global);
    let objects = program.cfa.objects.iter().map(|object| &*object.name);
    variables.filter_map(|known| known.source_name.as_deref()).chain(objects).collect()
}

/// A value with the name of what has it.
fn value(globals: &BTreeSet<&str>, text: String) -> Value {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some((name, rest)) = text.split_once(" = ") else {
        return Value { text, ..Value::default() };
    };
    // What a function returns is no variable, and has one if it is kept.
    if name.ends_with("()") || text.starts_with("returns ") {
        return Value { text, ..Value::default() };
    }
    let start = name.trim_start_matches(|c| !is_word(c));
    let word = &start[..start.find(|c| !is_word(c)).unwrap_or(start.len())];
    let global = globals.contains(word);
    let (name, value) = (Some(name.to_owned()), Some(rest.to_owned()));
    Value { name, value, global, argument: false, text }
}
