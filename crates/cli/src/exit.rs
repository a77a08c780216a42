//! Exit codes, fixed so that scripts can rely on them.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// What was asked for was done.
    Done,
    /// A violation of the property was found.
    Violation,
    /// The answer is not known.
    Unknown,
    /// The command line makes no sense, or names a file that cannot be written.
    Usage,
    /// The input cannot be read.
    BadInput,
    /// A fault of this program.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Violation => 10,
            Exit::Unknown => 20,
            Exit::Usage => 64,
            Exit::BadInput => 65,
            Exit::Internal => 70,
        })
    }
}
