//! Reading the text form of program models.

mod build;
mod cursor;
mod ops;
mod syntax;

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::{Program, Violation, validate};

/// How many violations are reported; a single slip may cause thousands.
const REPORTED: usize = 20;

/// The program model that a text stands for; see [`crate::Text`] for the form. It is valid, and
/// canonical as [`Program::canonicalise`] makes it.
///
/// The model keeps `sources`, to which the sources that the text lists are added. A source
/// without text is looked for among those that are there already, by name.
///
/// # Errors
/// Messages that point at the text, if it does not have the form or the model is not valid.
pub fn parse(sources: SourceMap, file: FileId) -> Result<Program, Diagnostics> {
    let bytes = sources.text(file).clone();
    // Offsets fit: the source map takes no file for which they would not.
    let span = |start: usize, end: usize| Span::new(file, start as u32, end as u32);
    let refuse = |span: Span, message: String| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error(span, message));
        diagnostics
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        refuse(span(at, at + 1), "a byte that is not UTF-8".to_owned())
    })?;
    let built = syntax::model(text).and_then(|model| build::build(text, model, sources));
    let (mut program, places) =
        built.map_err(|error| refuse(span(error.start, error.end), error.message))?;
    let violations = validate(&program);
    if violations.is_empty() {
        program.canonicalise();
        return Ok(program);
    }
    let mut diagnostics = Diagnostics::new();
    for Violation { place, message } in violations.iter().take(REPORTED) {
        let (start, end) = places.of(*place);
        diagnostics.push(Diagnostic::error(span(start, end), message.clone()));
    }
    if violations.len() > REPORTED {
        let message = format!("{} more errors", violations.len() - REPORTED);
        diagnostics.push(Diagnostic::error_without_place(message));
    }
    Err(diagnostics)
}
