//! `proviso solve`: decides an SMT-LIB file.

use std::fmt::Write as _;
use std::time::Instant;

use base::{Diagnostic, SourceMap, Span};
use run::Budget;
use smt::{Answer, FullSolver, Query, Recorder};
use term::{Command, Status, Terms, Value, Var};

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
            let cannot = |error: &std::io::Error| {
                usage(&format!("cannot write {}: {error}", folder.display()))
            };
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
        let vars: Vec<Var> = query
            .script
            .commands
            .iter()
            .filter_map(|command| match command {
                Command::Declare(var) => Some(*var),
                _ => None,
            })
            .collect();
        let mut exit = Exit::Done;
        let end = || arguments.timelimit.and_then(|time| Instant::now().checked_add(time));
        let mut limits = || Budget::until(end());
        let mut models: Vec<Vec<Value>> = Vec::new();
        let mut lines: Vec<(&str, bool)> = Vec::new();
        let table: &Terms = terms;
        query.replay(table, &mut solver, &mut limits, &mut |solver, check, answer| {
            let said = match check.status {
                Some(Status::Sat) => Some(&Answer::Sat),
                Some(Status::Unsat) => Some(&Answer::Unsat),
                _ => None,
            };
            let (line, modelled) = match &answer {
                Answer::Sat => ("sat", arguments.model),
                Answer::Unsat => ("unsat", false),
                Answer::Unknown(reason) => {
                    output::tell(&format!("unknown: {reason}"));
                    exit = Exit::Unknown;
                    ("unknown", false)
                }
            };
            if !matches!(answer, Answer::Unknown(_)) && said.is_some_and(|said| *said != answer) {
                output::tell(&format!("warning: the file says otherwise than {line}"));
            }
            if modelled {
                models.push(vars.iter().map(|var| solver.value(table, *var)).collect());
            }
            lines.push((line, modelled));
            if !arguments.model {
                output::write(&format!("{line}\n"));
            }
        });
        if arguments.model {
            let mut models = models.into_iter();
            for (line, modelled) in lines {
                output::write(&format!("{line}\n"));
                if modelled && let Some(values) = models.next() {
                    output::write(&model(query, terms, &vars, values));
                }
            }
        }
        (exit, solver)
    }
}

/// The values as definitions. Symbols of the file are written as they were named.
fn model(query: &Query, terms: &mut Terms, vars: &[Var], values: Vec<Value>) -> String {
    let mut text = "(\n".to_owned();
    for (var, value) in vars.iter().zip(values) {
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
