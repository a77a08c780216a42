//! The commands, a file for each.

mod bench;
mod cfa;
mod check;
mod coverage;
mod explain;
mod run;
mod shell;
mod solve;
mod trace;
mod traces;
mod validate;

use std::time::Instant;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
pub use check::{Limited, last_words, leave_for_the_dead};

/// Sets the limits of commands that have some, which count from the start of the process.
pub fn limit(arguments: &Arguments, start: Instant) -> Option<Limited> {
    match &arguments.command {
        Command::Check(arguments) => Some(Limited::new(arguments, start)),
        Command::Continue(arguments) => Some(Limited::new(&arguments.check, start)),
        Command::Coverage(arguments) => Some(Limited::of_coverage(&arguments.check, start)),
        Command::Validate(arguments) => Some(Limited::of_validation(arguments, start)),
        _ => None,
    }
}

/// Does what the command line says.
pub fn run(arguments: &Arguments, limited: Option<&Limited>) -> Exit {
    let done = match (&arguments.command, limited) {
        (Command::Check(arguments), Some(limited)) => check::run(arguments, limited),
        (Command::Continue(arguments), Some(limited)) => check::run(&arguments.check, limited),
        (Command::Coverage(arguments), Some(limited)) => coverage::run(arguments, limited),
        (Command::Validate(arguments), Some(limited)) => validate::run(arguments, limited),
        (
            Command::Check(_) | Command::Continue(_) | Command::Coverage(_) | Command::Validate(_),
            None,
        ) => Err(Exit::Internal),
        (Command::Cfa(arguments), _) => cfa::run(arguments),
        (Command::Run(arguments), _) => run::run(arguments),
        (Command::Solve(arguments), _) => solve::run(arguments),
        (Command::Traces(arguments), _) => traces::run(arguments),
        (Command::Bench(arguments), _) => bench::run(arguments),
        (Command::Explain(arguments), _) => explain::run(arguments),
        (Command::Completions(arguments), _) => Ok(shell::completions(arguments)),
        (Command::Man(arguments), _) => shell::man(arguments),
    };
    done.unwrap_or_else(|exit| exit)
}
