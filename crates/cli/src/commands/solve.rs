//! `proviso solve`: decides an SMT-LIB file.

use std::fmt::Write as _;
use std::time::Instant;

use base::{Diagnostic, SourceMap, Span};
use run::Budget;
use smt::{Answer, FullSolver, Query, Recorder, Said};
use term::{Check, Status, TermId, Terms, Var};

use crate::arguments::Solve;
use crate::exit::Exit;
use crate::{input, output};

/// Answers every check of the file.
pub fn run(arguments: &Solve) -> Result<Exit, Exit> {
    let mut sources = SourceMap::new();
    let mut terms = Terms::new();
    let query = read(arguments, &mut sources, &mut terms)?;
    let name = &arguments.solver.solver;
    let solver = smt::open(name).map_err(|error| usage(&error.to_string()))?;
    match &arguments.solver.record_queries {
        None => Ok(Answers::new(arguments, &query, &mut terms).of(solver).0),
        Some(folder) => {
            let cannot = |error: &std::io::Error| output::cannot_write(folder, error);
            let recorder = Recorder::new(solver, folder).map_err(|error| cannot(&error))?;
            let (exit, recorder) = Answers::new(arguments, &query, &mut terms).of(recorder);
            recorder.trouble().map_or(Ok(exit), |error| Err(cannot(error)))
        }
    }
}

fn usage(message: &str) -> Exit {
    output::tell(&format!("error: {message}"));
    Exit::Usage
}

fn read(arguments: &Solve, sources: &mut SourceMap, terms: &mut Terms) -> Result<Query, Exit> {
    let file = frontend::read(&arguments.file, sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, sources))?;
    let bytes = sources.text(file).clone();
    let at = |offset: usize, message: String| {
        // Offsets of files fit: longer ones are not read.
        let start = u32::try_from(offset).unwrap_or(u32::MAX);
        Diagnostic::error(Span::new(file, start, start), message)
    };
    let parsed = match std::str::from_utf8(&bytes) {
        Ok(text) => Query::parse(terms, text).map_err(|error| at(error.offset, error.message)),
        Err(error) => Err(at(error.valid_up_to(), "the text is not UTF-8".to_owned())),
    };
    parsed.map_err(|diagnostic| input::refuse(&diagnostic, sources))
}

/// The answers to a file, as they are given.
struct Answers<'a> {
    arguments: &'a Solve,
    query: &'a Query,
    terms: &'a mut Terms,
}

impl<'a> Answers<'a> {
    fn new(arguments: &'a Solve, query: &'a Query, terms: &'a mut Terms) -> Self {
        Self { arguments, query, terms }
    }

    fn of<S: FullSolver>(self, mut solver: S) -> (Exit, S) {
        let Self { arguments, query, terms } = self;
        let mut exit = Exit::Done;
        let end = || arguments.timelimit.and_then(|time| Instant::now().checked_add(time));
        let mut limits = || Budget::until(end());
        // Values become terms in a copy of the table, since the solver reads the table itself meanwhile.
        let mut writer = terms.clone();
        let table: &Terms = terms;
        query.replay(table, &mut solver, &mut limits, &mut |solver, said| match said {
            Said::Answer { check, answer, symbols } => {
                let line = answered(check, &answer);
                if let Answer::Unknown(reason) = &answer {
                    output::tell(&format!("unknown: {reason}"));
                    exit = Exit::Unknown;
                }
                output::write(&format!("{line}\n"));
                if arguments.model && answer == Answer::Sat {
                    output::write(&model(query, &mut writer, symbols, table, solver));
                }
            }
            Said::Model { symbols, is_sat: true } => {
                output::write(&model(query, &mut writer, symbols, table, solver));
            }
            Said::Values { values, is_sat: true } => {
                output::write(&evaluated(&mut writer, values, table, solver));
            }
            Said::Model { .. } | Said::Values { .. } => {
                output::write("(error \"there is no model: the last answer was not sat\")\n");
            }
            Said::Text(text) => output::write(&format!("{text}\n")),
        });
        (exit, solver)
    }
}

/// The line that says the answer. An answer other than that which the file expects is told.
fn answered(check: &Check, answer: &Answer) -> &'static str {
    let line = match answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let contradicts = matches!(
        (check.status, answer),
        (Some(Status::Sat), Answer::Unsat) | (Some(Status::Unsat), Answer::Sat)
    );
    if contradicts {
        output::note(&format!("warning: the file says otherwise than {line}"));
    }
    line
}

/// The values of terms as pairs, each term as it is written in the file.
fn evaluated<S: FullSolver>(
    writer: &mut Terms,
    values: &[(String, TermId)],
    table: &Terms,
    solver: &mut S,
) -> String {
    let mut pairs = Vec::new();
    for (text, term) in values {
        let value = table.eval(*term, &mut |var| Some(solver.value(table, var)));
        // Every symbol has a value.
        let Ok(value) = value else { continue };
        let value = writer.constant(value);
        pairs.push(format!("({text} {})", writer.display(value)));
    }
    format!("({})\n", pairs.join("\n "))
}

/// The values as definitions. Symbols of the file are written as they were named.
fn model<S: FullSolver>(
    query: &Query,
    terms: &mut Terms,
    vars: &[Var],
    table: &Terms,
    solver: &mut S,
) -> String {
    let mut text = "(\n".to_owned();
    for var in vars {
        let value = solver.value(table, *var);
        let sort = terms.var_sort(*var);
        let name = query.name(terms, *var);
        let symbol = terms.declare(name, sort);
        let (symbol, value) = (terms.var(symbol), terms.constant(value));
        let _ = writeln!(
            text,
            "  (define-fun {} () {} {})",
            terms.display(symbol),
            terms.display_sort(sort),
            terms.display(value)
        );
    }
    text.push_str(")\n");
    text
}
