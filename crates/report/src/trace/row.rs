//! A row of a counterexample.

use base::{FileId, Span};
use cfa::FuncId;

/// A line of the source that a run passes, with what changes there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// How many calls are open at the row.
    pub(crate) depth: usize,
    /// File and line; none for what is not in the source.
    pub(crate) place: Option<(FileId, u32)>,
    /// The column that matters, if the line is too long to be shown.
    pub(crate) focus: u32,
    /// The step as the model has it, if there is no source; if the step has a name, its name and labels.
    pub(crate) model: String,
    /// What changed.
    pub(crate) values: Vec<String>,
    /// Those of `values` that are values of parameters, if the line calls a function.
    pub(crate) arguments: Vec<String>,
    /// Those of `values` that the step passes on unchanged, instead of computing them.
    pub(crate) handed_on: Vec<String>,
    /// Whether the line was left by a call, and goes on now.
    pub(crate) resumed: bool,
    /// Whether the line is that of the last row, in the next round of a loop or by the next statement on the line.
    pub(crate) again: bool,
    /// How many events of the run have been taken in up to the end of this row.
    pub(crate) until: usize,
    /// The function and the text of the first step of the row.
    pub(crate) statement: Option<(FuncId, Span)>,
    /// The function and the text of the last step of the row.
    pub(crate) latest: Option<(FuncId, Span)>,
}
