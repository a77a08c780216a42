//! How a run ends.

use base::Span;
use cfa::{EdgeId, Fault, LocId, Program, Reading};
use term::Value;

use crate::inputs::Trouble;
use crate::show;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The start function returned, with its first result if it has one.
    Returned(Option<Value>),
    /// An error location was reached.
    Error {
        /// The location.
        location: LocId,
        /// The edge that led there; none if the run started there.
        edge: Option<EdgeId>,
    },
    /// The program ended itself with this code.
    Exited {
        /// The code.
        code: Value,
        /// The edge at which the program ended itself.
        edge: EdgeId,
    },
    /// The program ended abnormally.
    Aborted {
        /// The edge at which the program ended.
        edge: EdgeId,
    },
    /// None of the edges of a location could be taken.
    AssumptionFailed {
        /// The location.
        location: LocId,
    },
    /// Memory was used as it must not be.
    Invalid {
        /// How memory was misused.
        what: Invalid,
        /// The edge that misused memory.
        edge: EdgeId,
    },
    /// The behaviour of the source program is undefined from here on.
    Fault {
        /// What makes the behaviour undefined.
        fault: Fault,
        /// The edge from which on the behaviour is undefined.
        edge: EdgeId,
    },
    /// The limit on steps was reached.
    StepLimit,
    /// The run was told to stop.
    Stopped,
    /// Something that the model or the interpreter cannot express.
    Unsupported {
        /// What cannot be expressed.
        reason: String,
        /// The edge that cannot be executed, unless the model as a whole is unsupported.
        edge: Option<EdgeId>,
    },
    /// The limit on memory was reached.
    OutOfMemory {
        /// The edge that needed the memory, unless the limit was reached before the first step.
        edge: Option<EdgeId>,
    },
    /// The inputs gave no usable value.
    Inputs(Trouble),
    /// The program's output could not be written.
    OutputFailed(std::io::ErrorKind),
}

/// How memory was misused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Invalid {
    /// The address is zero or nearly so.
    Null,
    /// The access is beside an object, or not wholly inside it.
    OutOfBounds,
    /// The object is no longer alive.
    UseAfterFree,
    /// The address is far from every object.
    Pointer,
    /// A write to an object that must not be written.
    ReadOnly,
    /// An access to the bytes of a function.
    Code,
    /// The heap object has been freed before.
    DoubleFree,
    /// No object of the kind that is to be freed starts at the address.
    Free,
}

impl Invalid {
    /// The misuse in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Invalid::Null => "null pointer",
            Invalid::OutOfBounds => "out of bounds",
            Invalid::UseAfterFree => "use after free",
            Invalid::Pointer => "invalid pointer",
            Invalid::ReadOnly => "write to read-only memory",
            Invalid::Code => "access to the code of a function",
            Invalid::DoubleFree => "double free",
            Invalid::Free => "invalid free",
        }
    }
}

impl Ending {
    /// The edge at which the run ended, if it ended at one.
    #[must_use]
    pub const fn edge(&self) -> Option<EdgeId> {
        match self {
            Ending::Error { edge, .. }
            | Ending::Unsupported { edge, .. }
            | Ending::OutOfMemory { edge } => *edge,
            Ending::Exited { edge, .. }
            | Ending::Aborted { edge }
            | Ending::Invalid { edge, .. }
            | Ending::Fault { edge, .. } => Some(*edge),
            _ => None,
        }
    }

    /// The place in the source where the run ended, as far as it is known.
    #[must_use]
    pub fn span(&self, program: &Program) -> Option<Span> {
        let of_location = match self {
            // The span of the edge that led here may be that of a condition.
            Ending::Error { location, .. } | Ending::AssumptionFailed { location } => {
                program.cfa.locations[*location].span
            }
            _ => None,
        };
        of_location.or_else(|| self.edge().and_then(|edge| program.cfa.edges[edge].span))
    }

    /// The ending in a few words: `returned 0`, `reached error at f.c:12`, `out of bounds at
    /// f.c:12:5`.
    #[must_use]
    pub fn describe(&self, program: &Program) -> String {
        let at = |what: &str| match self.span(program) {
            Some(span) => format!("{what} at {}", program.sources.describe(span)),
            None => what.to_owned(),
        };
        match self {
            Ending::Returned(None) => "returned".to_owned(),
            Ending::Returned(Some(value)) => {
                format!("returned {}", show(value, result_reading(program)))
            }
            Ending::Error { location, .. } => self.describe_error(program, *location),
            Ending::Exited { code, .. } => format!("exited with {}", show(code, Reading::Signed)),
            Ending::Aborted { .. } => "aborted".to_owned(),
            Ending::AssumptionFailed { .. } => "assumption failed".to_owned(),
            Ending::Invalid { what, .. } => at(what.describe()),
            Ending::Fault { fault, .. } => at(fault.describe()),
            Ending::StepLimit => "step limit".to_owned(),
            Ending::Stopped => "stopped".to_owned(),
            Ending::Unsupported { reason, .. } => at(&format!("unsupported ({reason})")),
            Ending::OutOfMemory { .. } => at("out of memory"),
            Ending::Inputs(Trouble::Exhausted) => "inputs exhausted".to_owned(),
            Ending::Inputs(Trouble::Unfit { message, .. }) => format!("unfit input ({message})"),
            Ending::OutputFailed(kind) => format!("output failed ({kind})"),
        }
    }

    fn describe_error(&self, program: &Program, location: LocId) -> String {
        match self.span(program) {
            // The column says nothing that the line does not, and scripts look for the line.
            Some(span) => {
                let line = program.sources.position(span).line;
                format!("reached error at {}:{line}", program.sources.name(span.file))
            }
            None => match &program.cfa.locations[location].name {
                Some(name) => format!("reached error at {name}"),
                None => format!("reached error at {location}"),
            },
        }
    }
}

/// How the first result of the start function is shown.
fn result_reading(program: &Program) -> Reading {
    let start = program.cfa.start.map(|start| &program.cfa.functions[start]);
    let result = start.and_then(|function| function.results.first());
    result.map_or(Reading::Signed, |var| program.cfa.variables[*var].reading)
}
