//! A counterexample as text: source lines in the order of the run, with the values that change.

mod fault;
mod fold;
mod input;
mod names;
mod operands;
mod panel;
mod place;
mod reader;
mod row;
mod rows;
pub(crate) mod state;

use std::sync::Arc;

use cfa::Program;
use interp::Step;
use verify::Counterexample;

use crate::asserting;
use crate::counted::counted;
use crate::execution::{Event, Execution};
use crate::line;
use crate::passed;
use crate::source::{self, Target};
pub(crate) use fault::own_place;
pub(crate) use fold::Line;
pub(crate) use input::{describe, is_function, is_initial};
pub(crate) use panel::{Panel, of as panels};
pub(crate) use row::Row;
use rows::Walk;
pub(crate) use rows::{Tables, state_after};
use state::State;

/// The column at which values start, at most.
const WIDEST: usize = 56;

/// At most this many inputs are listed at the head of the text; the other inputs are in the lines.
const LISTED: usize = 40;

/// What every form of report says of a counterexample.
pub(crate) struct Told {
    /// Which rounds of loops were replayed at once, in a sentence.
    pub(crate) at_once: Option<String>,
    /// The first inputs of the execution, up to the wanted number.
    pub(crate) inputs: Vec<String>,
    /// Its lines, the long parts folded.
    pub(crate) lines: Vec<Line>,
    /// What is reached, and where.
    pub(crate) error: String,
    /// What could be done about the error.
    pub(crate) hint: Option<String>,
}

impl Told {
    /// How many steps are shown; every form of report gives this number.
    pub(crate) fn steps(&self) -> u64 {
        self.lines.iter().filter(|line| matches!(line, Line::Row(_))).count() as u64
    }

    /// Whether steps are left out.
    fn is_folded(&self) -> bool {
        self.lines.iter().any(|line| matches!(line, Line::Folded { .. }))
    }
}

/// What is told of a counterexample, with at most `most` inputs. `devices` is the option that says where devices are.
pub(crate) fn told_of(
    program: &Program,
    found: &Counterexample,
    execution: &Execution,
    most: usize,
    devices: &str,
) -> Told {
    let (rows, state) =
        rows::of(program, &Arc::new(Tables::of(program)), Some(found.error), execution);
    let inputs = execution.inputs.iter().take(most);
    let is_fault = program.cfa.locations[found.error].fault.is_some();
    let device = is_fault.then(|| fault::device(program, execution)).flatten();
    let hint = |(first, last)| {
        format!("if a device is at this address, say so by `{devices} {first:#x}-{last:#x}`.")
    };
    Told {
        at_once: passed(program, &execution.passed, "replayed"),
        inputs: inputs.map(|input| describe(program, &state, input)).collect(),
        lines: fold::lines(rows),
        error: error(program, found, execution, &state),
        hint: device.map(hint),
    }
}

/// The lines of a run that is cut off: it does not end in an error with its last step.
pub(crate) fn lines_of(
    program: &Program,
    tables: &Arc<Tables>,
    execution: &Execution,
) -> Vec<Line> {
    fold::lines(rows::of(program, tables, None, execution).0)
}

/// The text of a counterexample. `devices` is the option that says where devices are, as the reader calls it.
#[must_use]
pub fn counterexample(
    program: &Program,
    found: &Counterexample,
    execution: &Execution,
    devices: &str,
) -> String {
    let told = told_of(program, found, execution, LISTED, devices);
    let shown = counted(told.steps(), "step");
    let mut text = match found.skipped > 0 || told.is_folded() {
        true => format!("Counterexample of {shown}, besides those that are left out\n"),
        false => format!("Counterexample of {shown}\n"),
    };
    if let Some(rounds) = &told.at_once {
        text.push_str(&format!("{rounds}.\n"));
    }
    inputs(&told.inputs, execution.inputs.len(), &mut text);
    text.push('\n');
    write_lines(program, &told.lines, &mut text);
    text.push_str(&format!("Error: {}\n", line::one(&told.error)));
    let place = own_place(program, found, execution).filter(|_| told.error.contains(" at "));
    if let Some(excerpt) = place.map(|span| excerpt(program, span)) {
        text.push_str(&excerpt);
    }
    if let Some(hint) = &told.hint {
        text.push_str(&format!("Hint: {hint}\n"));
    }
    text
}

/// The lines of a run of a C program, told while it goes on.
pub struct Lines<'p> {
    program: &'p Program,
    /// Where the objects are that exist from the start; nothing else is kept.
    start: Execution,
    walk: Option<Walk<'p>>,
    last: Option<(base::FileId, u32)>,
}

impl<'p> Lines<'p> {
    /// The lines of a run that has not begun.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, start: Execution::default(), walk: None, last: None }
    }

    /// An object that exists from the start was placed.
    pub fn placed(&mut self, object: cfa::ObjectId, address: u64) {
        self.start.placed.push((object, address));
    }

    /// The line of a step, with place, text and values, if the step says anything. A step that changes nothing, on
    /// the line of the step before it, says nothing.
    pub fn line(&mut self, step: &Step<'_>, returned: Option<cfa::FuncId>) -> Option<String> {
        let (program, start) = (self.program, &self.start);
        let walk = self
            .walk
            .get_or_insert_with(|| Walk::new(program, Arc::new(Tables::of(program)), start));
        let Step { number, edge, depth, changes } = *step;
        let row = walk.next(&Event { number, edge, depth, returned, changes: changes.to_vec() })?;
        let is_new = row.place != self.last;
        self.last = row.place;
        if !is_new && row.values.is_empty() {
            return None;
        }
        let place = row.place.map_or_else(String::new, |(file, line)| {
            format!("{}:{line}: ", program.sources.name(file))
        });
        let code = code(program, &row);
        let line = format!("{place}{code:WIDEST$}  {}", row.values.join(", "));
        Some(line::one(line.trim_end()).into_owned())
    }
}

/// The line of a place, with a caret below it, as messages of the front end show it. The lines above, with the
/// message and the place, are left out, for the report has named the place before.
fn excerpt(program: &Program, span: base::Span) -> String {
    let message = base::Diagnostic::error(span, "").render(&program.sources);
    message.lines().skip(2).map(|line| format!("{line}\n")).collect()
}

/// What is reached, and where.
fn error(
    program: &Program,
    found: &Counterexample,
    execution: &Execution,
    state: &State<'_>,
) -> String {
    let location = &program.cfa.locations[found.error];
    if let Some(fault) = location.fault {
        return fault::describe(program, fault, location.span, execution, state);
    }
    let macros = asserting::Macros::of(program);
    if let Some(said) = source::assertion(&macros, found.error) {
        return failed(program, found, state, said.text());
    }
    let what = match (source::target(&macros, found.error), &location.name) {
        (Some(Target::Call("assert" | asserting::ASSERT_FAIL)), _) => "assertion failed".to_owned(),
        (Some(Target::Call(name)), None) => {
            let by = location.span.and_then(|span| source::macro_use(program, span));
            let by = by.map_or_else(String::new, |by| format!(" by `{}`", cut(&by)));
            format!("{name}() is called{by}")
        }
        (Some(Target::Label(name)), _) => format!("the label {name} is reached"),
        (_, Some(name)) => format!("{name} is reached"),
        (None, None) => "an error is reached".to_owned(),
    };
    let place = location.span.map(|span| format!(" at {}", program.sources.describe(span)));
    format!("{what}{}", place.unwrap_or_default())
}

/// An assertion with its place, and the values of what it speaks of.
fn failed(program: &Program, found: &Counterexample, state: &State<'_>, said: &str) -> String {
    let span = program.cfa.locations[found.error].span;
    let place =
        span.map_or_else(String::new, |span| format!(" at {}", program.sources.describe(span)));
    format!(
        "assertion `{}` failed{place}{}",
        cut(said),
        operands::listed(&operands::of(state, said))
    )
}

/// The longest text of an assertion that is shown.
const LONGEST: usize = 120;

pub(crate) fn cut(text: &str) -> String {
    crate::shorten::beginning(text, LONGEST)
}

/// The lines with the first inputs; `all` is the number of all inputs.
fn inputs(first: &[String], all: usize, text: &mut String) {
    if first.is_empty() {
        text.push_str("It needs no inputs.\n");
        return;
    }
    text.push_str("Inputs, in this order:\n");
    for input in first {
        text.push_str(&format!("  {}\n", line::one(input)));
    }
    if all > first.len() {
        text.push_str(&format!("  … and {} more\n", all - first.len()));
    }
}

fn write_lines(program: &Program, lines: &[Line], text: &mut String) {
    let widest = lines.iter().filter_map(|line| match line {
        Line::Row(row) if !row.values.is_empty() => Some(code(program, row).chars().count()),
        _ => None,
    });
    let column = widest.max().unwrap_or(0).min(WIDEST);
    let numbers = lines.iter().filter_map(|line| match line {
        Line::Row(row) => row.place.map(|(_, line)| line.to_string().len()),
        Line::Folded { .. } => None,
    });
    let margin = numbers.max().unwrap_or(1);
    let several = {
        let mut files = lines.iter().filter_map(|line| match line {
            Line::Row(row) => row.place.map(|(file, _)| file),
            Line::Folded { .. } => None,
        });
        let first = files.next();
        files.any(|file| Some(file) != first)
    };
    let mut file = None;
    for line in lines {
        match line {
            Line::Folded { depth, what } => {
                text.push_str(&format!("{:margin$}  {}… {what}\n", "", indent(*depth)));
            }
            Line::Row(row) => {
                if several && row.place.map(|(file, _)| file) != file {
                    file = row.place.map(|(file, _)| file);
                    let name = file.map_or("", |file| program.sources.name(file));
                    text.push_str(&format!("{:margin$}  -- {name}\n", ""));
                }
                let number = row.place.map_or_else(String::new, |(_, line)| line.to_string());
                let code = code(program, row);
                let values = row.values.join(", ");
                let whole = format!("{number:>margin$}  {code:column$}  {values}");
                text.push_str(&line::one(whole.trim_end()));
                text.push('\n');
            }
        }
    }
}

/// Activations beyond this depth are not indented further.
const DEEPEST: usize = 16;

fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(DEEPEST))
}

/// The source line of a row, indented by calls and not as it is written. Control characters are written out here and not
/// only where the text is shown, for the values beside all lines begin at one column.
fn code(program: &Program, row: &Row) -> String {
    let indent = indent(row.depth);
    let width = WIDEST.saturating_sub(indent.len());
    let written = match row.place {
        Some(_) if row.again => "(again)".to_owned(),
        Some(_) if row.resumed => "(returned)".to_owned(),
        Some((file, line)) if row.model.is_empty() => {
            let line = program.sources.line(file, line).map_or(&[][..], |(_, text)| text);
            let (before, behind) = source::around(line, row.focus);
            let words = |text: &[u8]| {
                let text = String::from_utf8_lossy(text);
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                base::plain_line(&text).into_owned()
            };
            let focus = words(before).chars().count();
            cut_around(&words(&[before, behind].concat()), focus, width)
        }
        _ => cut_around(&base::plain_line(&row.model), 0, width),
    };
    format!("{indent}{written}")
}

/// A text that is too long, cut at both ends so that the column `focus` can be seen.
fn cut_around(text: &str, focus: usize, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    // The text shown begins a little before the column, unless the column is near the beginning of the line.
    let first = match focus {
        focus if focus < width * 2 / 3 => 0,
        focus => (focus - width / 4).min(length + 1 - width),
    };
    let mark = if first > 0 { "…" } else { "" };
    let room = width - mark.chars().count();
    if length - first <= room {
        return format!("{mark}{}", text.chars().skip(first).collect::<String>());
    }
    format!("{mark}{}…", text.chars().skip(first).take(room - 1).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_around_what_matters() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(cut_around(text, 3, 40), text);
        assert_eq!(cut_around(text, 3, 12), "0123456789a…");
        assert_eq!(cut_around(text, 20, 12), "…hijklmnopq…");
        assert_eq!(cut_around(text, 35, 12), "…pqrstuvwxyz");
        assert_eq!(cut_around(text, 0, 12).chars().count(), 12);
    }
}
