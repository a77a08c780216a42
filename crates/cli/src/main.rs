//! The command `proviso`.

mod arguments;
mod commands;
mod exit;
mod guard;
mod input;
mod output;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::parse() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    guard::run(move || commands::run(&arguments)).into()
}
