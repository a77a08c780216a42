//! `proviso cfa`: shows the program model.

use crate::arguments::{Cfa, Format};
use crate::exit::Exit;
use crate::{input, output};

/// Writes the model to standard output.
pub fn run(arguments: &Cfa) -> Result<Exit, Exit> {
    let program = input::load(&arguments.input)?;
    let mut text = match arguments.format {
        Format::Text => cfa::print(&program),
        Format::Dot => cfa::dot(&program),
        Format::Json => format!("{:#}", cfa::json(&program)),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    output::write(&text);
    Ok(Exit::Done)
}
