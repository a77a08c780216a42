//! What a front end makes of its input.

use base::{Diagnostics, FileId, Span};
use cfa::{Checks, Program};

use crate::options::{DataModel, Language};
use crate::task::Property;

/// What a front end makes of its input.
pub struct Loaded {
    /// What the program was made of, and what is asked about it.
    pub subject: Subject,
    /// The model; it holds the sources for the messages too. It is to be used only if the
    /// messages have no error among them.
    pub program: Program,
    /// Warnings and errors.
    pub diagnostics: Diagnostics,
}

/// What a program was made of, and what is asked about it: for a task definition, what that says.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The files of the program, in order, without those that they include.
    pub files: Vec<FileId>,
    /// Their language, if the program was loaded.
    pub language: Option<Language>,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// The property.
    pub property: Property,
    /// The function where execution starts.
    pub entry: String,
    /// How many asserts the program has that the property does not speak of.
    pub left_out: u32,
    /// Where asserts and error calls stand that no way leads to, because conditions are constant: nothing
    /// is left to verify there.
    pub settled: Vec<Span>,
    /// Faults that must not happen.
    pub checks: Checks,
}

impl Loaded {
    pub(crate) fn new(program: Program, diagnostics: Diagnostics) -> Self {
        Self { subject: Subject::default(), program, diagnostics }
    }
}
