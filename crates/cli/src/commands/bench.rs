//! `proviso bench`: runs a suite and prints its table.

use crate::arguments::{Bench, Suite};
use crate::exit::Exit;
use crate::output;

/// Runs the suite.
pub fn run(arguments: &Bench) -> Result<Exit, Exit> {
    let text = match arguments.suite {
        Suite::Armc => bench::armc::run(arguments.timelimit).to_string(),
    };
    output::write(&text);
    Ok(Exit::Done)
}
