//! Assumption automata as files, in CPAchecker's language: written, read, and matched with the steps
//! of a program.

mod fingerprint;
mod foreign;
mod read;
mod text;
mod write;

use base::Span;

use fingerprint::fingerprint;
pub use foreign::{Astray, Foreign, Unmatched, unmatched};
pub use read::read;
pub use text::{Texts, unmatched_parentheses};
pub use write::{Written, write, write_again};

/// An automaton as a file says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spc {
    /// The state before the first step.
    pub initial: usize,
    /// All states. `__TRUE` and `__FALSE` are among them if the file has them.
    pub states: Vec<Stated>,
    /// Whether the automaton was made of the program that it was read for. Files of other tools do not say
    /// of which program they were made, and are taken to fit.
    pub fits: bool,
    /// Whether Proviso has written the file, and not another tool or a person.
    pub ours: bool,
    /// What the runs have proved that the automaton was made of, in sentences.
    pub proved: Vec<String>,
    /// The checks of the program that these runs have proved, by their numbers in [`crate::all_checks`].
    pub checks: Vec<usize>,
}

/// A state of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Its name.
    pub name: String,
    /// Whether only the first matching transition is taken. Otherwise all matching transitions are taken, and if
    /// several match, nothing is known.
    pub first: bool,
    /// Its transitions, in order.
    pub moves: Vec<Move>,
    /// Where it is.
    pub span: Option<Span>,
}

/// A transition of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The statement that the transition matches; none if it matches every statement.
    pub on: Option<String>,
    /// Whether nothing is concluded from it: it assumes something of executions besides, or another
    /// transition of the state has the same statement and leads elsewhere.
    pub unclear: bool,
    /// The state that it leads to.
    pub to: usize,
    /// Where it is.
    pub span: Option<Span>,
}

/// The beginning of a comment that lists the proved checks of a program. The comment names the text of the program.
fn checks_of(program: &cfa::Program) -> String {
    format!("// checks of {}: ", fingerprint::of_text(program))
}

/// The beginning of a comment that says what was proved of a program. The comment names the text of the program.
fn proved_of(program: &cfa::Program) -> String {
    format!("// proved of {}: ", fingerprint::of_text(program))
}

/// The name of the state after which everything was analysed.
pub(crate) const TRUE: &str = "__TRUE";
/// The name of the state for what was not analysed.
pub(crate) const FALSE: &str = "__FALSE";

/// What the name of an automaton begins with that Proviso has written; the fingerprint follows.
pub(crate) const NAME: &str = "AssumptionAutomaton_";
