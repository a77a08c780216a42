//! The commands, a file for each.

mod cfa;
mod run;
mod solve;
mod trace;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> Exit {
    let done = match &arguments.command {
        Command::Cfa(arguments) => cfa::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
    };
    done.unwrap_or_else(|exit| exit)
}
