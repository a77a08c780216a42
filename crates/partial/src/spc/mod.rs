//! Assumption automata as files, in CPAchecker's language: written, read, and matched with the steps
//! of a program.

mod fingerprint;
mod foreign;
mod read;
mod text;
mod write;

use base::Span;
use cfa::Program;

pub use fingerprint::fingerprint;
pub use foreign::Foreign;
pub use read::read;
pub use text::Texts;
pub use write::{Written, write};

/// An automaton as a file says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spc {
    /// The state before the first step.
    pub initial: usize,
    /// All states. `__TRUE` and `__FALSE` are among them if the file has them.
    pub states: Vec<Stated>,
    /// The fingerprint of the program that it was made of, if the file says one: those of other tools do
    /// not.
    pub made_of: Option<String>,
}

impl Spc {
    /// Whether the automaton was made of this program, as far as that is known.
    #[must_use]
    pub fn fits(&self, program: &Program) -> bool {
        self.made_of.as_ref().is_none_or(|made_of| *made_of == fingerprint(program))
    }
}

/// A state of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Its name.
    pub name: String,
    /// Whether the first transition that matches is taken. Otherwise all that match are, and where
    /// these are several nothing is known.
    pub first: bool,
    /// Its transitions, in order.
    pub moves: Vec<Move>,
    /// Where it is.
    pub span: Option<Span>,
}

/// A transition of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The statement that it matches; none: any.
    pub on: Option<String>,
    /// Whether executions are assumed to satisfy something besides. Nothing is concluded then.
    pub assumes: bool,
    /// The state that it leads to.
    pub to: usize,
}

/// The name of the state after which everything was analysed.
pub(crate) const TRUE: &str = "__TRUE";
/// The name of the state for what was not analysed.
pub(crate) const FALSE: &str = "__FALSE";

/// What the name of an automaton begins with that Proviso has written; the fingerprint follows.
pub(crate) const NAME: &str = "AssumptionAutomaton_";
