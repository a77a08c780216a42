//! `proviso cfa`: shows the program model.

use cfa::{Loops, Op, Program};

use crate::arguments::{Cfa, Format};
use crate::exit::Exit;
use crate::{input, output};

/// Writes the model to standard output.
pub fn run(arguments: &Cfa) -> Result<Exit, Exit> {
    let program = input::load_as_it_is(&arguments.input)?;
    let mut text = match arguments.format {
        Format::Text => cfa::print(&program),
        Format::Dot => cfa::dot(&program),
        Format::Json => format!("{:#}", cfa::json(&program)),
        Format::Summary => summary(&program),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    output::write(&text);
    Ok(Exit::Done)
}

/// How large the model is.
fn summary(program: &Program) -> String {
    let model = &program.cfa;
    let operations = model.edges.iter().flat_map(|edge| &edge.ops);
    let unsupported = operations.filter(|op| matches!(op, Op::Unsupported(_))).count();
    let counts = [
        ("functions", model.functions.len()),
        ("locations", model.locations.len()),
        ("edges", model.edges.len()),
        ("loops", Loops::of(model).loops.len()),
        ("variables", model.variables.len()),
        ("objects", model.objects.len()),
        ("error locations", model.errors().count()),
        ("unsupported operations", unsupported),
        ("assumptions", model.assumptions.len()),
    ];
    counts.map(|(what, count)| format!("{what}: {count}")).join("\n")
}
