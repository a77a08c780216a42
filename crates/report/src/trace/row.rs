//! A row of a counterexample.

use base::{FileId, Span};
use cfa::FuncId;

/// A line of the source that a run passes, with what changes there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// How many calls it is deep.
    pub(crate) depth: usize,
    /// File and line; none for what is not in the source.
    pub(crate) place: Option<(FileId, u32)>,
    /// The column that matters, if the line is too long to be shown.
    pub(crate) focus: u32,
    /// The step as the model has it, where there is no source; by its name and labels, if it has a name.
    pub(crate) model: String,
    /// What changed.
    pub(crate) values: Vec<String>,
    /// Which of these values are those of parameters, where the line calls a function.
    pub(crate) arguments: Vec<String>,
    /// Which of these values are written as they were before, and not computed from something.
    pub(crate) handed_on: Vec<String>,
    /// Whether the line was left by a call, and goes on now.
    pub(crate) resumed: bool,
    /// Whether the line is that of the last row, in the next round of a loop or by the next statement on the line.
    pub(crate) again: bool,
    /// How many events of the run it is the end of.
    pub(crate) until: usize,
    /// The function and the text of its first step.
    pub(crate) statement: Option<(FuncId, Span)>,
    /// Those of its last step.
    pub(crate) latest: Option<(FuncId, Span)>,
}
