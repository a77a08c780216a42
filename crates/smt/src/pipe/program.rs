//! Which programs speak SMT-LIB, and how each is started.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::smtlib::Dialect;

/// A solver's binary and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The name of the solver in messages.
    pub name: String,
    pub path: PathBuf,
    pub kind: SolverKind,
}

/// Solvers that are known by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolverKind {
    Z3,
    Cvc5,
    Yices,
    Bitwuzla,
    Mathsat,
    /// Anything that reads SMT-LIB from standard input.
    Other,
}

/// Why a solver cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenError {
    pub(crate) name: String,
    pub(crate) why: String,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the solver `{}` {}", self.name, self.why)
    }
}

impl std::error::Error for OpenError {}

impl Program {
    /// Finds a program by its name in `PATH`, or takes the path to one.
    pub fn find(given: &str) -> Result<Self, OpenError> {
        let error = |why: &str| OpenError { name: given.to_owned(), why: why.to_owned() };
        if given.contains(['/', std::path::MAIN_SEPARATOR]) {
            let path = PathBuf::from(given);
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let Some(name) = name.filter(|_| path.is_file()) else {
                return Err(error("is not a file"));
            };
            return Ok(Self { kind: SolverKind::of(&name), name, path });
        }
        let kind = SolverKind::of(given);
        let file = if given == "yices" { "yices-smt2" } else { given };
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&folders)
            .map(|folder| folder.join(file))
            .find(|path| is_program(path))
            .ok_or_else(|| error("is not in PATH"))?;
        Ok(Self { name: given.to_owned(), path, kind })
    }

    /// The arguments on the command line of the solver.
    pub fn arguments(&self) -> &'static [&'static str] {
        match self.kind {
            SolverKind::Z3 => &["-smt2", "-in"],
            SolverKind::Cvc5 => &["--lang=smt2", "--incremental", "--quiet"],
            SolverKind::Yices => &["--incremental"],
            SolverKind::Bitwuzla => &["--lang", "smt2"],
            SolverKind::Mathsat => &["-input=smt2"],
            SolverKind::Other => &[],
        }
    }

    /// The commands with which a script for the solver begins.
    pub fn greeting(&self, logic: &str) -> String {
        format!(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic {logic})\n"
        )
    }

    pub fn dialect(&self) -> Dialect {
        let guard_division = matches!(self.kind, SolverKind::Mathsat | SolverKind::Other);
        Dialect { guard_division, own_names: false }
    }
}

impl SolverKind {
    fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let known = [
            ("z3", SolverKind::Z3),
            ("cvc5", SolverKind::Cvc5),
            ("yices", SolverKind::Yices),
            ("bitwuzla", SolverKind::Bitwuzla),
            ("mathsat", SolverKind::Mathsat),
        ];
        let found = known.iter().find(|(start, _)| name.starts_with(start));
        found.map_or(SolverKind::Other, |(_, kind)| *kind)
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_known_by_the_names_of_their_files() {
        for (name, kind) in [
            ("z3", SolverKind::Z3),
            ("z3-4.8.12", SolverKind::Z3),
            ("yices-smt2", SolverKind::Yices),
            ("Bitwuzla.exe", SolverKind::Bitwuzla),
            ("my-solver", SolverKind::Other),
        ] {
            assert_eq!(SolverKind::of(name), kind, "{name}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_said_to_be_missing() {
        let error = Program::find("no-such-solver").expect_err("it is not there");
        assert_eq!(error.to_string(), "the solver `no-such-solver` is not in PATH");
        let error = Program::find("./no/such").expect_err("it is not there");
        assert_eq!(error.to_string(), "the solver `./no/such` is not a file");
    }
}
