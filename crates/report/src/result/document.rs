//! What a run has found out, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::proviso::document::{Document as Proviso, SourcePlace};

/// The number of the format.
pub const FORMAT: u32 = 1;

/// The result of a run: the proviso, which says what the run was worth, and the evidence. The keys of the
/// proviso stand beside those of this document.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Document {
    /// The number of the format, [`FORMAT`].
    pub format: u32,
    /// What made the document.
    pub tool: Tool,
    /// Verdict, reason, stages, checks, what is proved and what was not explored, assumptions, advice.
    #[serde(flatten)]
    pub proviso: Proviso,
    /// The name of the property. If it is violated, the name of the violated part: `valid-deref`. Otherwise the names
    /// of everything that was checked: `unreach-call, valid-deref`.
    pub property: String,
    /// What was checked in SV-COMP's notation, each part in a statement; empty if nothing was.
    pub specification: String,
    /// Why there is no answer, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Unknown>,
    /// How the run was configured: names of options with their values.
    pub configuration: Map<String, Json>,
    /// The files of the program, with their texts.
    pub sources: Vec<Source>,
    /// The execution that violates the property, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The steps of executions of the proviso with their values, for the page of the report: by `frontier-1`, `cone-1`.
    #[serde(skip)]
    pub walks: BTreeMap<String, Vec<Step>>,
    /// What holds whenever executions pass a place, as far as it was proved.
    pub invariants: Vec<Invariant>,
    /// What another check of the proof found, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certification: Option<String>,
    /// The program that was checked in place of the given one, if one was: the passes that made it are trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certification_trusts: Option<String>,
    /// How often executions that were analysed pass each line, if that was looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covered: Vec<Covered>,
    /// What the run spent.
    pub statistics: Map<String, Json>,
    /// The control-flow automaton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// The graph of the last exploration, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// The number that the process ends with.
    pub exit_code: i32,
    /// The line that says the verdict: `Verification result: TRUE`. It comes last, so that the last line of
    /// the text has it.
    pub result: String,
}

/// The program that made a document.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Unknown {
    /// One of a closed list of names, such as `time limit`.
    pub name: String,
    /// What more is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Where in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourcePlace>,
}

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Source {
    /// Its name as places have it: control characters are written out.
    pub file: String,
    /// Its name as the system has it, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// How many lines it has.
    pub lines: u32,
    /// Its text: all of it, or of a long file the parts that the document speaks of.
    pub excerpts: Vec<Excerpt>,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Excerpt {
    /// The number of its first line.
    pub first: u32,
    /// The text.
    pub text: String,
}

/// An execution that violates the property.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counterexample {
    /// What is reached, and where, in a sentence.
    pub error: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourcePlace>,
    /// What could be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How many steps of the execution are in `steps`; lines for steps that are left out do not count.
    pub length: u64,
    /// Which rounds of loops were replayed at once, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_once: Option<String>,
    /// What it gets from outside, in order.
    pub inputs: Vec<String>,
    /// Its steps in the source, in order, without those that repeat others.
    pub steps: Vec<Step>,
}

/// A step of an execution: a line of the source that is passed, or what is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourcePlace>,
    /// How many calls are open at the step.
    pub depth: usize,
    /// The line, or the step as the model has it; `… 7 more iterations` where steps are left out.
    pub code: String,
    /// What changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    /// The number of the activation of a function where the run stands: two activations of one function have two numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activation: Option<usize>,
    /// The values that are known after the step and that no earlier step has told: of variables of this activation, of the parameters
    /// of a function that the step calls, and of globals, static variables and the heap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownValue>,
    /// Whether steps are left out here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub folded: bool,
}

/// Something that a step changes or decides.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    /// All of it in words: `x = 5 (input)`, `x = 0 (uninitialised)`, `true`.
    pub text: String,
    /// What has the value, if something of the source has: `x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The value, with what the text says of it: `5 (input)`, `0 (uninitialised)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Whether all functions see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub global: bool,
    /// Whether it is a parameter of the function that the step calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub argument: bool,
    /// Which variable that is, where the name does not say it: `f::counter`, `x (line 7)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

/// What is known of something after a step, under a name that is unique there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct KnownValue {
    /// The number of the activation whose variable it is; none for globals, static variables and the heap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activation: Option<usize>,
    /// The name: `x`, `x (line 7)` if an inner `x` hides it, `f::counter`, `heap#1.next`.
    pub name: String,
    /// The value, such as `5`, or `0 (uninitialised)` if the program has not set it; none if the value is not known
    /// any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Something that holds whenever executions pass a place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Invariant {
    /// The place, usually a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SourcePlace>,
    /// The function.
    pub function: String,
    /// An expression over what is in scope there: of C, if the program is.
    pub expression: String,
}

/// The coverage of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Covered {
    /// The file.
    pub file: String,
    /// Its lines with a statement.
    pub lines: Vec<CoveredLine>,
}

/// The coverage of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoveredLine {
    /// The number of the line.
    pub line: u32,
    /// How many executions pass it.
    pub count: u32,
    /// Whether the analysis has seen the line: no execution covers a line that the analysis has not seen.
    pub seen: bool,
}

/// The control-flow automaton of the program, function by function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Model {
    /// Its functions, the first one first.
    pub functions: Vec<Function>,
}

/// A function of the model. Its locations are numbered from zero, in the order in which control reaches them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The file, if it has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The locations of the function; empty if the model is too large for a document, which then has only the first
    /// functions as a whole.
    pub locations: Vec<Location>,
    /// Its edges.
    pub edges: Vec<Edge>,
    /// Its loops, an outer one before those in it.
    pub loops: Vec<Loop>,
    /// How many locations it has, whether they are told or not.
    pub size: usize,
}

/// A location of the model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Location {
    /// Its name in the model.
    pub id: String,
    /// The line of the statement that starts there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `entry`, `exit`, `error` or `loop`, if it is one of these.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The number of the innermost loop that it belongs to.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub in_loop: Option<usize>,
}

/// An edge of the model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Edge {
    /// The number of the location where it starts.
    pub from: usize,
    /// The number of the location where it ends.
    pub to: usize,
    /// Its operations, as the model has them.
    pub text: String,
    /// The line that it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The name of the function that it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<String>,
}

/// A loop of the model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Loop {
    /// The number of the location where it starts.
    pub head: usize,
    /// The number of the loop around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The graph of an exploration: a tree of abstract states, with covered ones pointing to those that cover them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Graph {
    /// How many nodes the graph has besides those that were cut off.
    pub size: usize,
    /// How many nodes were cut off.
    pub cut_off: usize,
    /// How many nodes have successors.
    pub expanded: usize,
    /// How many nodes are covered, so that other nodes stand for them.
    pub covered: usize,
    /// How many nodes were not looked at.
    pub open: usize,
    /// How many nodes are errors, or something that is not modelled.
    pub targets: usize,
    /// Activations of functions and loops in them, an outer one before those in it.
    pub scopes: Vec<Scope>,
    /// The places of the nodes.
    pub places: Vec<Spot>,
    /// The operations that lead from a node to another.
    pub steps: Vec<String>,
    /// The nodes, parents before their children; if the graph is large, the first nodes only.
    pub nodes: Vec<Node>,
}

/// An activation of a function, or a loop in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scope {
    /// The number of the scope around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// `main`, or `loop at line 7`.
    pub name: String,
}

/// A place of nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// The place in words: `main, L4, line 7`.
    pub text: String,
    /// Its location in the model.
    pub location: String,
    /// The function.
    pub function: String,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The number of its scope.
    pub scope: usize,
}

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// The number of its place.
    pub place: usize,
    /// The number of the node that it was found from; none for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The number of the step that leads to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// `covered`, `open`, `error`, `unmodelled` or `cut off`; a node without a status is expanded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// The number of the node that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<usize>,
    /// What its state knows, as far as that is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<String>,
}
