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

impl Exit {
    /// The number that the process ends with.
    pub const fn code(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Violation => 10,
            Exit::Unknown => 20,
            Exit::Usage => 64,
            Exit::BadInput => 65,
            Exit::Internal => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // All codes are small.
        ExitCode::from(u8::try_from(exit.code()).unwrap_or(u8::MAX))
    }
}
