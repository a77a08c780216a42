//! What a witness says, whatever its format.

use base::Span;
use frontend::DataModel;

use crate::said::Said;

/// A witness as it was read.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What it claims.
    pub claim: Claim,
    /// The files that it is about.
    pub files: Vec<Hashed>,
    /// The property in SV-COMP's notation, in one line; empty if the witness does not say it.
    pub specification: String,
    /// The sizes of C's types, if the witness says them.
    pub data_model: Option<DataModel>,
    /// The options with which this tool read the program when it made the witness, in one line; none if another tool
    /// made it, or if the format does not say.
    pub configuration: Option<String>,
    /// The functions that the witness names, apart from those in places, each with where it is named.
    pub functions: Vec<(String, Span)>,
    /// The variables in the assumptions of edges (format 1.0), each with where the witness names it.
    pub variables: Vec<(String, Span)>,
    /// How many invariants it has at nodes that have no place: they are left aside.
    pub left_out: usize,
    /// How many contracts of functions it has, which are left aside.
    pub contracts: usize,
}

/// A file that a witness is about.
#[derive(Clone, Debug)]
pub struct Hashed {
    /// What the witness calls it.
    pub name: String,
    /// The hash of its text, in hexadecimal digits.
    pub hash: String,
    /// Where the witness has the hash.
    pub span: Span,
}

/// What a witness claims.
#[derive(Clone, Debug)]
pub enum Claim {
    /// An execution along this automaton violates the property.
    Violation(Automaton),
    /// The property holds, and so do these invariants.
    Proof(Vec<Invariant>),
}

/// Something that holds whenever a place is passed.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Where it holds.
    pub place: WitnessPlace,
    /// Whether it is said of a loop: it holds whenever the condition of the loop is about to be evaluated.
    pub of_loop: bool,
    /// For an invariant of a node of GraphML, the edge that gives the node its place. If the text of the program has no such
    /// place, the invariant is left aside.
    pub node: Option<NodePlace>,
    /// An expression of C.
    pub expression: String,
}

/// The edge that gives a node of an automaton its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodePlace {
    /// An edge that leaves the node: the node is before the statement of the edge.
    Left,
    /// An edge that enters the node: the node is behind the statement of the edge, or at the head of the loop if the
    /// statement is a loop.
    Entered,
}

impl Invariant {
    /// Whether it is said of a node that is no head of a loop.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.node.is_some() && !self.of_loop
    }
}

/// A place in the text of the program.
#[derive(Clone, Debug)]
pub struct WitnessPlace {
    /// The name of the file, if it is said, and where the witness has it.
    pub file: Option<(String, Span)>,
    /// The name of the function that the place is in, if it is said, and where the witness has it.
    pub function: Option<(String, Span)>,
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one, if it is said.
    pub column: Option<u32>,
    /// Where the witness says so.
    pub span: Span,
    /// The expressions that the witness says at the place. An expression has no text here if the file does not show where its
    /// letters are.
    pub said: Vec<Said>,
}

impl WitnessPlace {
    /// Where the witness has some words, if an expression at the place has them.
    pub(crate) fn find(&self, words: &str) -> Option<Span> {
        self.said.iter().find_map(|said| said.find(words))
    }
}

/// The executions that a violation witness describes. An execution starts in state zero. It changes its state where a
/// step applies, and keeps its state elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// The steps.
    pub steps: Vec<Step>,
    /// The last state: only an error that is reached in this state is the error that the witness means.
    pub last: u32,
    /// Where the error is; empty if the witness does not say where.
    pub targets: Vec<WitnessPlace>,
    /// Whether steps of the kind [`Event::After`] and [`Event::Body`] are details that other tools place otherwise,
    /// so that a second attempt may do without them.
    pub loose: bool,
    /// Whether the witness says more than these steps; what it says besides is ignored.
    pub lost: bool,
}

/// The number of the state that no step leaves and that has no error.
pub(crate) const SINK: u32 = u32::MAX;

/// A change of the state.
#[derive(Clone, Debug)]
pub struct Step {
    /// The state before.
    pub from: u32,
    /// The state after.
    pub to: u32,
    /// Where.
    pub place: WitnessPlace,
    /// On which occasion.
    pub event: Event,
}

/// What happens at a place.
#[derive(Clone, Debug)]
pub enum Event {
    /// The statement there is about to be executed, and the expression holds.
    Before(String),
    /// The statement there has been executed, and the expression holds.
    After(String),
    /// A call has returned, and the expression holds, in which `\result` is the returned value. For a place without a
    /// column, the name of the called function is given, too.
    Returned(Option<String>, String),
    /// A condition was evaluated to this, and the expression holds if there is one.
    Branch(Outcome, Option<String>),
    /// A function is about to be called.
    Call,
    /// The body of this function is entered.
    Body(String),
}

/// What a condition was evaluated to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// True or false.
    Truth(bool),
    /// A `switch` went to the case of this number.
    Case(i64),
    /// A `switch` has no case of the number.
    Default,
}
