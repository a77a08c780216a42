//! A counterexample as data.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{FuncId, Program, Scope};

use super::document::{Counterexample, Step, Value};
use crate::execution::Execution;
use crate::proviso::document::SourcePlace;
use crate::scope;
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
    let names = names(program);
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
                .map(|text| {
                    let argument = row.arguments.iter().any(|other| is_same(other, &text));
                    let value = value(&names, text);
                    Value { argument, global: value.global && !argument, ..value }
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

/// Whether two texts tell the same value: one may say besides that it is an input.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.strip_suffix(" (input)").unwrap_or(text).len();
    one[..plain(one)] == other[..plain(other)]
}

/// A declaration: the function of a local variable, and the place of the name.
type Declared = (Option<FuncId>, Option<Span>);

/// The variables that have a name.
struct Named {
    /// Whether the name is that of one variable, which all functions see.
    global: bool,
    /// Whether one function may see several variables of this name, one at a time.
    ambiguous: bool,
}

impl Named {
    const NONE: Named = Named { global: false, ambiguous: false };
}

/// The names of variables. A name of two functions means one thing in each of them; any other name of several
/// variables is ambiguous.
fn names(program: &Program) -> BTreeMap<&str, Named> {
    let mut declared: BTreeMap<&str, BTreeSet<Declared>> = BTreeMap::new();
    for known in program.cfa.variables.iter() {
        let Some(name) = known.source_name.as_deref() else { continue };
        let owner = match known.scope {
            Scope::Local(function) => Some(function),
            Scope::Global | Scope::Address(_) => None,
        };
        declared.entry(scope::base_name(name)).or_default().insert((owner, known.span));
    }
    for object in program.cfa.objects.iter() {
        declared.entry(&object.name).or_default().insert((None, object.span));
    }
    let named = declared.into_iter().map(|(name, places)| {
        let owners: BTreeSet<Option<FuncId>> = places.iter().map(|(owner, _)| *owner).collect();
        let global = owners.contains(&None);
        let is_unique = places.len() == owners.len() && !(global && owners.len() > 1);
        (name, Named { global: global && is_unique, ambiguous: !is_unique })
    });
    named.collect()
}

/// A value with the name of what has it.
fn value(names: &BTreeMap<&str, Named>, text: String) -> Value {
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
    let &Named { global, ambiguous } = names.get(word).unwrap_or(&Named::NONE);
    let (name, value) = (Some(name.to_owned()), Some(rest.to_owned()));
    Value { name, value, global, ambiguous, argument: false, text }
}
