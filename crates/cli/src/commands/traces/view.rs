//! Traces of a report, as far as they are to be shown.

use std::fmt::Write as _;

use partial::{Abstraction, Letter, abstracted, group};
use report::proviso::document::{Document, Trace, Traces};
use serde_json::{Value, json};

/// What is shown of a report.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Which traces.
    pub shown: Shown,
    /// What is left out of the traces.
    pub abstractions: Vec<Abstraction>,
    /// Whether equal abstract traces are shown once.
    pub grouped: bool,
}

/// Which traces are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    /// All.
    #[default]
    Both,
    /// Safe cones.
    Cones,
    /// Frontier traces.
    Frontier,
}

/// An abstract trace.
pub struct Row<'a> {
    /// The number of the row.
    pub number: usize,
    /// What is shown of the trace.
    pub letters: Vec<Letter>,
    /// The first trace that it stands for.
    pub first: &'a Trace,
    /// The numbers of the traces that it stands for.
    pub members: Vec<usize>,
}

/// Traces of one kind.
pub struct Section<'a> {
    /// What traces of this kind are called.
    pub name: &'static str,
    /// Whether every location where a trace of this kind ends has one in the report.
    pub complete: bool,
    /// How many traces there are.
    pub count: usize,
    /// What is shown of the traces.
    pub rows: Vec<Row<'a>>,
}

impl View {
    /// The traces that are shown. Numbers go on from one kind to the next.
    pub fn sections<'a>(&self, document: &'a Document) -> Vec<Section<'a>> {
        let mut sections = Vec::new();
        let mut number = 0;
        let kinds: [(&'static str, &Traces, Shown); 2] = [
            ("frontier traces", &document.frontier, Shown::Frontier),
            ("safe cones", &document.cones, Shown::Cones),
        ];
        for (name, traces, kind) in kinds {
            if self.shown != Shown::Both && self.shown != kind {
                continue;
            }
            let steps: Vec<Vec<Letter>> = traces
                .traces
                .iter()
                .map(|trace| abstracted(&trace.steps, &self.abstractions))
                .collect();
            let groups: Vec<(Vec<Letter>, Vec<usize>)> = match self.grouped {
                true => {
                    group(&steps).into_iter().map(|each| (each.letters, each.members)).collect()
                }
                false => steps.into_iter().enumerate().map(|(i, each)| (each, vec![i])).collect(),
            };
            let mut rows = Vec::new();
            for (letters, members) in groups {
                let Some(first) = members.first().and_then(|first| traces.traces.get(*first))
                else {
                    continue;
                };
                number += 1;
                let members = members.into_iter().map(|member| member + 1).collect();
                rows.push(Row { number, letters, first, members });
            }
            let (complete, count) = (traces.complete, traces.traces.len());
            sections.push(Section { name, complete, count, rows });
        }
        sections
    }

    /// The traces for people, each in full.
    pub fn text(&self, document: &Document) -> String {
        let mut text = String::new();
        for section in self.sections(document) {
            text.push_str(&heading(&section, self.grouped));
            for row in &section.rows {
                text.push_str(&trace(row));
            }
        }
        text
    }

    /// The traces for people, each in a line.
    pub fn summary(&self, document: &Document) -> String {
        let mut text = String::new();
        for section in self.sections(document) {
            text.push_str(&heading(&section, self.grouped));
            for row in &section.rows {
                let _ = writeln!(text, "  {}. {}{}", row.number, line(row), times(row));
            }
        }
        text
    }

    /// The traces as one JSON object.
    pub fn json(&self, document: &Document) -> String {
        let mut object = serde_json::Map::new();
        let words: Vec<String> = self.abstractions.iter().map(words).collect();
        object.insert("abstractions".to_owned(), json!(words));
        object.insert("grouped".to_owned(), json!(self.grouped));
        for section in self.sections(document) {
            let rows: Vec<Value> = section.rows.iter().map(row_json).collect();
            let key = if section.name == "safe cones" { "cones" } else { "frontier" };
            let value =
                json!({"complete": section.complete, "count": section.count, "traces": rows});
            object.insert(key.to_owned(), value);
        }
        format!("{}\n", Value::Object(object))
    }
}

/// An abstraction as the command line has it.
pub fn words(abstraction: &Abstraction) -> String {
    match abstraction {
        Abstraction::Depth(depth) => format!("collapse-depth {depth}"),
        Abstraction::Calls => "collapse-non-methods".to_owned(),
        Abstraction::Without(name) => format!("collapse-method {name}"),
    }
}

fn row_json(row: &Row<'_>) -> Value {
    let first = row.first;
    json!({
        "number": row.number,
        "count": row.members.len(),
        "members": row.members,
        "kind": first.kind,
        "place": first.place,
        "rounds": first.rounds,
        "inputs": first.inputs,
        "steps": row.letters,
    })
}

fn heading(section: &Section<'_>, grouped: bool) -> String {
    let Section { name, complete, count, rows } = section;
    let found = match (count, grouped) {
        (0, _) => format!("no {name}"),
        (_, true) => format!("{name}: {} different, of {count}", rows.len()),
        (_, false) => format!("{name}: {count}"),
    };
    let whole = match (complete, count) {
        (false, _) => "",
        (true, 0) => " (there are none)",
        (true, _) => " (there is one for every place where one ends)",
    };
    format!("{found}{whole}\n")
}

/// How many traces a row stands for, if these are several.
fn times(row: &Row<'_>) -> String {
    match row.members.len() {
        1 => String::new(),
        count => format!(" ({count} traces)"),
    }
}

/// A row in a line.
fn line(row: &Row<'_>) -> String {
    let calls: Vec<&str> = row.letters.iter().filter_map(|each| each.call.as_deref()).collect();
    let calls_only = calls.len() == row.letters.len();
    let shown = if calls.is_empty() { "no calls".to_owned() } else { folded(&calls) };
    match calls_only {
        true => shown,
        false => format!("{} steps: {shown}", row.letters.len()),
    }
}

/// Names, of which those that come several times in a row are written once.
fn folded(names: &[&str]) -> String {
    let runs = names.chunk_by(|a, b| a == b);
    let run = |run: &[&str]| match run {
        [one] => (*one).to_owned(),
        _ => format!("{} (x{})", run[0], run.len()),
    };
    runs.map(run).collect::<Vec<_>>().join(" ")
}

/// A row in full: its steps, how it ends, and inputs that lead there.
pub fn trace(row: &Row<'_>) -> String {
    let first = row.first;
    let ends = match &*first.kind {
        "undecided" => "ends before a check that could not be decided",
        "unsupported" => "ends with something that is not modelled",
        "cone" => "after it everything was analysed; ends",
        _ => "its last step was not analysed; ends",
    };
    let at = if first.place.is_empty() { String::new() } else { format!(" at {}", first.place) };
    let mut text = format!("{}.{} {ends}{at}\n", row.number, times(row));
    text.push_str(&steps(&row.letters));
    text.push_str(&inputs(&first.inputs));
    text
}

/// Steps, a line for each, indented by their depth.
pub fn steps(letters: &[Letter]) -> String {
    let mut text = String::new();
    let places: Vec<String> = letters.iter().map(place).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    for (letter, place) in letters.iter().zip(&places) {
        let indent = "  ".repeat((letter.depth.max(1) - 1).min(20) as usize);
        let shown = match (&letter.call, &letter.exit) {
            (Some(callee), _) => format!("{callee}()"),
            (None, Some(callee)) => format!("return from {callee}"),
            (None, None) => report::beginning(&letter.text, LONGEST),
        };
        let _ = writeln!(text, "  {place:<width$}  {indent}{shown}");
    }
    text
}

/// The longest text of a step; a loop may go on for many lines.
const LONGEST: usize = 100;

fn place(letter: &Letter) -> String {
    match (&letter.file, letter.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => String::new(),
    }
}

/// Inputs, as a file of inputs has them, if there are some.
pub fn inputs(inputs: &str) -> String {
    let lines: Vec<&str> = inputs.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut text = "  inputs:\n".to_owned();
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text
}
