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

/// What a program was made of, and what is asked about it. A task definition says both.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The files of the program, in order, without those that they include.
    pub files: Vec<FileId>,
    /// The language of the files, if the program was loaded.
    pub language: Option<Language>,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// The property.
    pub property: Property,
    /// The function where execution starts.
    pub entry: String,
    /// How many asserts the program has that the property does not speak of.
    pub left_out: u32,
    /// The asserts and error calls that no way leads to, because conditions are constant or because something that is
    /// not modelled is before them: the program has no error there.
    pub settled: Vec<Settled>,
    /// Faults that must not happen.
    pub checks: Checks,
}

/// An assert or an error call that no way leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled {
    /// Where the assert or the call stands.
    pub span: Span,
    /// The function whose call would be the error; `None` if reaching a label would be the error.
    pub called: Option<Box<str>>,
    /// Whether the way there is cut off by something that is not modelled; the model then lists the place as cut off.
    pub is_cut: bool,
}

impl Loaded {
    pub(crate) fn new(program: Program, diagnostics: Diagnostics) -> Self {
        Self { subject: Subject::default(), program, diagnostics }
    }
}
