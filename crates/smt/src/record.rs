//! Recording queries as files, and reading them back.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use term::{Command, ParseError, Script, TermId, Terms, Value, Var};

use crate::smtlib::{self, Dialect, Features, Writer};
use crate::{Answer, Cores, Models, Solver, Statistics};
use run::Budget;

/// A solver whose every check is written as a file of its own: `000001.smt2`, `000002.smt2`, …
///
/// Each file stands alone and any solver can read it; the assumptions of the check are asserted, and `:status` is the
/// answer that was given. A number that a file has already is passed over.
pub struct Recorder<S> {
    solver: S,
    folder: PathBuf,
    scopes: Vec<Vec<TermId>>,
    number: u64,
    trouble: Option<io::Error>,
}

impl<S> Recorder<S> {
    /// Records the checks of a solver in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(solver: S, folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Self { solver, folder, scopes: vec![Vec::new()], number: 0, trouble: None })
    }

    /// The first error in writing; after this error nothing more was written.
    pub fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }

    /// The solver itself.
    pub fn into_inner(self) -> S {
        self.solver
    }

    fn create(&mut self) -> io::Result<File> {
        loop {
            self.number += 1;
            let path = self.folder.join(format!("{:06}.smt2", self.number));
            match File::create_new(path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                result => return result,
            }
        }
    }

    fn record(&mut self, terms: &Terms, assumptions: &[TermId], answer: &Answer) -> io::Result<()> {
        let asserted: Vec<TermId> = self.scopes.iter().flatten().copied().collect();
        let text = query(terms, &asserted, assumptions, answer).map_err(io::Error::other)?;
        self.create()?.write_all(text.as_bytes())
    }
}

/// A check as a script that stands alone.
///
/// # Errors
/// If a formula has something that cannot be written, in words.
pub fn query(
    terms: &Terms,
    asserted: &[TermId],
    assumptions: &[TermId],
    answer: &Answer,
) -> Result<String, String> {
    let mut features = Features::default();
    for formula in asserted.iter().chain(assumptions) {
        features.add(terms, *formula);
    }
    let mut text = format!("(set-info :smt-lib-version 2.6)\n(set-info :source |{SOURCE}|)\n");
    let status = match answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let _ = writeln!(text, "(set-info :status {status})\n(set-logic {})", features.logic());
    // Some operators of terms have no equal in SMT-LIB; a query with such operators can only be read back by Proviso.
    let mut writer = Writer::new(Dialect { guard_division: false, own_names: true });
    for (formulas, heading) in [(asserted, ""), (assumptions, "; Assumptions\n")] {
        if !formulas.is_empty() {
            writer.out.push_str(heading);
        }
        for formula in formulas {
            writer.assert(terms, *formula)?;
        }
    }
    text.push_str(&writer.out);
    text.push_str("(check-sat)\n(exit)\n");
    Ok(text)
}

/// The source that files written by a [`Recorder`] name.
const SOURCE: &str = "Proviso";

/// A script that has been read.
pub struct Query {
    /// Its commands.
    pub script: Script,
    /// Whether an Unsat of the built-in solver holds for the script: not if the script uses operators where SMT-LIB
    /// lets solvers choose a value.
    pub exact: bool,
}

/// What a script has a solver say.
pub enum Said<'a> {
    /// The answer to a check.
    Answer {
        /// The check.
        check: &'a term::Check,
        /// The answer.
        answer: Answer,
        /// The symbols that are declared and in scope.
        symbols: &'a [Var],
    },
    /// The values of all symbols.
    Model {
        /// The symbols that are declared and in scope.
        symbols: &'a [Var],
        /// Whether there are values: the last check answered Sat, and nothing was asserted since.
        is_sat: bool,
    },
    /// The values of terms.
    Values {
        /// The terms, each with its text in the script.
        values: &'a [(String, TermId)],
        /// Whether there are values, as of [`Said::Model`].
        is_sat: bool,
    },
    /// A text.
    Text(&'a str),
}

impl Query {
    /// Reads a script, written by Proviso or not.
    ///
    /// # Errors
    /// If the text is no script, or has something that terms do not have.
    pub fn parse(terms: &mut Terms, text: &str) -> Result<Self, ParseError> {
        let script = terms.parse_script(text)?;
        // Scripts written by Proviso apply these operators only where SMT-LIB gives them the same value.
        let ours = script.source.as_deref() == Some(SOURCE);
        let exact = ours || !script.open_meaning;
        Ok(Self { script, exact })
    }

    /// Whether the script was written by Proviso, so that its symbols hold the names of variables.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.script.source.as_deref() == Some(SOURCE)
    }

    /// The name of a variable of the script, as it was before the script was written.
    #[must_use]
    pub fn name(&self, terms: &Terms, var: Var) -> String {
        let symbol = terms.var_name(var);
        let decoded = if self.is_ours() { smtlib::decode(symbol) } else { None };
        decoded.unwrap_or_else(|| symbol.to_owned())
    }

    /// Has a solver do what the script says. `answered` is called with each answer, and with each text or model that
    /// the script asks for.
    pub fn replay<S: Solver + ?Sized>(
        &self,
        terms: &Terms,
        solver: &mut S,
        limits: &mut dyn FnMut() -> Budget,
        answered: &mut dyn FnMut(&mut S, Said<'_>),
    ) {
        let mut is_sat = false;
        let mut symbols: Vec<Var> = Vec::new();
        // For each open scope, how many symbols there were when it was opened.
        let mut scopes: Vec<usize> = Vec::new();
        for command in &self.script.commands {
            match command {
                Command::Declare(var) => symbols.push(*var),
                Command::Assert(formula) => {
                    is_sat = false;
                    solver.assert(terms, *formula);
                }
                Command::Push(count) => {
                    is_sat = false;
                    for _ in 0..*count {
                        scopes.push(symbols.len());
                        solver.push();
                    }
                }
                Command::Pop(count) => {
                    is_sat = false;
                    for _ in 0..*count {
                        symbols.truncate(scopes.pop().unwrap_or_default());
                        solver.pop();
                    }
                }
                Command::Model => answered(solver, Said::Model { symbols: &symbols, is_sat }),
                Command::Values(values) => answered(solver, Said::Values { values, is_sat }),
                Command::Echo(text) => answered(solver, Said::Text(text)),
                Command::Check(check) => {
                    let answer = match solver.check(terms, &check.assumptions, &limits()) {
                        Answer::Unsat if !self.exact => {
                            Answer::Unknown(crate::Reason::Unsupported(
                                "a value that SMT-LIB leaves open, as of a division by zero,"
                                    .to_owned(),
                            ))
                        }
                        answer => answer,
                    };
                    is_sat = answer == Answer::Sat;
                    answered(solver, Said::Answer { check, answer, symbols: &symbols });
                }
            }
        }
    }
}

impl<S: Solver> Solver for Recorder<S> {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
        self.scopes.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(formula);
        }
        self.solver.assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Budget) -> Answer {
        let answer = self.solver.check(terms, assumptions, limits);
        if self.trouble.is_none() {
            self.trouble = self.record(terms, assumptions, &answer).err();
        }
        answer
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

impl<S: Models> Models for Recorder<S> {
    fn value(&mut self, terms: &Terms, var: Var) -> Value {
        self.solver.value(terms, var)
    }
}

impl<S: Cores> Cores for Recorder<S> {
    fn core(&self) -> &[TermId] {
        self.solver.core()
    }
}
