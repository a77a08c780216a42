//! The proviso as data: one document, from which every form is made.

use std::sync::Arc;

use partial::Letter;
use run::Drawn;
use serde::{Deserialize, Serialize};

use crate::stages::{NO_ERROR, NOT_COMPLETED};

/// The number of the format.
pub const FORMAT: u32 = 1;

/// What a run was worth.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Document {
    /// The number of the format, [`FORMAT`].
    pub proviso: u32,
    /// The files of the program, as they were named.
    pub files: Vec<String>,
    /// The options that decide what the program means, as they were given.
    pub options: Vec<String>,
    /// `TRUE`, `FALSE`, `UNKNOWN`, or `RUNNING`.
    pub verdict: String,
    /// Why, in a sentence.
    pub reason: String,
    /// What each stage found and spent.
    pub stages: Vec<Stage>,
    /// The places of the loops that were summarised, `file:line`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summarized: Vec<String>,
    /// The asserts and error calls of the program.
    pub checks: Vec<Check>,
    /// What is proved, in sentences.
    pub proved: Vec<String>,
    /// Safe cones and frontier traces, if the run has any.
    pub cones: Traces,
    /// Executions that were not analysed.
    pub frontier: Traces,
    /// What was not explored, in words, if no execution is known that was not explored.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub beyond: String,
    /// The least number of rounds of each loop with which an execution was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsound: Option<Unsound>,
    /// What was covered by executions that were analysed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// The assumption automaton that was written, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automaton: Option<Automaton>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What stands in the way, with its place.
    pub blockers: Vec<String>,
    /// Commands that would go on.
    pub next: Vec<Next>,
    /// The folder that the run was told to write this document to, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// At most this many executions of a kind can be stepped through in a report.
const WALKED: usize = 20;

impl Document {
    /// The executions that a report steps through, by name: `frontier-1`, `cone-1`.
    pub(crate) fn walked(&self) -> impl Iterator<Item = (String, &Trace)> {
        let kinds = [("frontier", &self.frontier), ("cone", &self.cones)];
        kinds.into_iter().flat_map(|(kind, traces)| {
            let numbered = (1..).zip(traces.traces.iter().take(WALKED));
            numbered.map(move |(number, trace)| (format!("{kind}-{number}"), trace))
        })
    }
}

/// What a stage found and spent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// What it found.
    pub found: String,
    /// How it ended.
    pub ended: String,
    /// On the clock, in seconds.
    pub seconds: f64,
}

impl Stage {
    /// Whether it has followed executions round by round.
    pub(crate) fn is_unrolling(&self) -> bool {
        self.found.starts_with(NO_ERROR) || self.found == NOT_COMPLETED
    }
}

/// An assert or error call of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Check {
    /// `file:line`, if it has a place.
    pub place: String,
    /// What stands there.
    pub text: String,
    /// How many bytes at the end of the text tell the check from others of its line: they stay where the text is cut.
    #[serde(skip)]
    pub label: usize,
    /// `proved`, `open`, `not reached` or `violated`.
    pub status: String,
    /// Why the check is open; for a check that was not proved by this run, what proved it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Whether it is no assert or error call but a fault that must not happen, such as an access out of
    /// bounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub implicit: bool,
    /// The property that it belongs to: `valid-deref`; `unreach-call` for asserts and error calls.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub property: String,
    /// Where it stands, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourcePlace>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file, as messages name it.
    pub file: String,
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted in characters from one.
    pub column: u32,
    /// The line where it ends, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The column behind its last character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

impl SourcePlace {
    /// The place of a span. The end is left out unless it is behind the beginning.
    pub(crate) fn of(program: &cfa::Program, span: base::Span) -> Self {
        let (start, end) =
            (program.sources.position(span), program.sources.position_at(span.file, span.end));
        let is_stretch = end > start;
        Self {
            file: program.sources.name(span.file).to_owned(),
            line: start.line,
            column: start.column,
            end_line: is_stretch.then_some(end.line),
            end_column: is_stretch.then_some(end.column),
        }
    }
}

/// Traces of one kind.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Traces {
    /// Whether every location where such a trace ends has one.
    pub complete: bool,
    /// After how many seconds of the search the first one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<f64>,
    /// How many seconds the search took.
    pub seconds: f64,
    /// The traces, the shortest first.
    pub traces: Vec<Trace>,
}

/// An execution up to a step.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// `frontier`, `unsupported`, `undecided` or `cone`.
    pub kind: String,
    /// Where it ends.
    pub place: String,
    /// How many rounds of a loop it makes at most.
    pub rounds: u32,
    /// Its steps.
    pub steps: Vec<Letter>,
    /// What it decides, as a file that `proviso run --inputs` reads.
    pub inputs: String,
    /// The run itself, for reports that show its values.
    #[serde(skip)]
    pub run: Option<Arc<Run>>,
}

/// What repeats an execution up to a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What is decided on the way.
    pub drawn: Vec<Drawn>,
    /// How many edges are taken.
    pub taken: u64,
}

/// The least number of rounds of each loop with which an execution was left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Unsound {
    /// The number of rounds.
    pub rounds: u32,
    /// Whether nothing with fewer rounds was left out.
    pub least: bool,
    /// Whether functions call themselves, which counts as no round.
    #[serde(default)]
    pub recursive: bool,
    /// Whether models of the library have loops, whose rounds are not counted.
    #[serde(default)]
    pub library: bool,
    /// Whether the program has no loop at all, so that the number of rounds says nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_loops: bool,
    /// An execution with this number of rounds that was left out.
    pub trace: Trace,
}

/// What safe executions that end, and were analysed, cover.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// How many lines have a statement.
    pub lines: usize,
    /// How many of them an execution covers.
    pub covered: usize,
    /// How many of them the analysis has seen.
    pub seen: usize,
    /// How many branches there are.
    pub branches: usize,
    /// How many of them an execution covers.
    pub branches_covered: usize,
    /// Whether no other line can be covered.
    pub exact: bool,
    /// The inputs of the executions.
    pub tests: Vec<String>,
}

/// A command that would go on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Next {
    /// The command.
    pub command: String,
    /// What it is for.
    pub purpose: String,
}

/// An assumption automaton that was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Automaton {
    /// The file.
    pub file: String,
    /// How many states it has.
    pub states: usize,
    /// Whether it has fewer than it should: then it calls less analysed than was.
    pub shortened: bool,
}
