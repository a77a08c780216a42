//! The commands, a file for each.

mod bench;
mod cfa;
mod check;
mod run;
mod solve;
mod trace;

use std::time::Instant;

use ::cfa::Program;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::output;

/// Does what the command line says.
pub fn run(arguments: &Arguments, start: Instant) -> Exit {
    let done = match &arguments.command {
        Command::Check(arguments) => check::run(arguments, start),
        Command::Cfa(arguments) => cfa::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
    };
    done.unwrap_or_else(|exit| exit)
}

fn tell_assumptions(program: &Program) {
    for assumption in &program.cfa.assumptions {
        let place = match assumption.span {
            Some(span) => format!(" ({})", program.sources.describe(span)),
            None => String::new(),
        };
        output::tell(&format!("assumption: {}{place}", assumption.text));
    }
}
