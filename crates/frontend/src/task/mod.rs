//! SV-COMP's task definitions (`.yml`, formats 1.0 and 2.0) and properties (`.prp`).
//!
//! A task names the files of a program, its properties with the verdicts that are expected, and
//! the data model. Loading it loads the program, with the first of its properties that is about
//! reachability.

mod definition;
mod property;
mod prp;

pub use definition::{Task, TaskProperty, read};
pub use property::{Coverage, Property, PropertyKind};

use std::path::Path;

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use cfa::Program;

use crate::{Language, Loaded, Options};

/// What an `unreach-call.prp` says that is not at hand.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// Loads the program that a task definition names.
///
/// What the options say goes before what the task says.
#[must_use]
pub fn load(sources: SourceMap, file: FileId, path: &Path, options: &Options) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let task = match read(&sources, file, path) {
        Ok(task) => task,
        Err(diagnostics) => return refused(sources, diagnostics),
    };
    let mut options = options.clone();
    options.language = language(&task, &mut diagnostics);
    options.data_model = options.data_model.or(task.data_model);
    if options.property.is_default()
        && !task.properties.is_empty()
        && let Some(property) = choose(&task, &mut diagnostics)
    {
        if options.entry == Options::default().entry {
            options.entry = property.entry.clone();
        }
        options.property = property;
    }
    if diagnostics.has_errors() {
        return refused(sources, diagnostics);
    }
    let mut loaded = crate::load(&task.input_files, &options);
    // The program has sources of its own; the task's text joins them for its messages.
    let text = sources.text(file).clone();
    let moved = loaded.program.sources.add(sources.name(file), text);
    for mut diagnostic in diagnostics.iter().cloned() {
        let move_span = |span: Span| moved.map(|file| Span { file, ..span });
        diagnostic.span = diagnostic.span.and_then(move_span);
        loaded.diagnostics.push(diagnostic);
    }
    loaded
}

fn refused(sources: SourceMap, diagnostics: Diagnostics) -> Loaded {
    Loaded::new(Program { sources, ..Program::default() }, diagnostics)
}

/// The language of the input files; `None` if their endings are to decide.
fn language(task: &Task, diagnostics: &mut Diagnostics) -> Option<Language> {
    let itself = |path: &Path| Language::of_path(path) == Some(Language::Task);
    match task.language.as_deref() {
        None if task.input_files.iter().any(|path| itself(path)) => {
            let message = "an input file of a task is not itself a task";
            diagnostics.push(Diagnostic::error_without_place(message));
            None
        }
        None => None,
        Some("C" | "c") => Some(Language::C),
        Some(other) => {
            let message = format!("programs in {other} are not supported");
            diagnostics.push(Diagnostic::error_without_place(message));
            None
        }
    }
}

/// The first property that says that some places are never reached, or else the first about faults.
fn choose(task: &Task, diagnostics: &mut Diagnostics) -> Option<Property> {
    let mut problems = Vec::new();
    let mut other = None;
    for entry in &task.properties {
        match property_of(entry, diagnostics) {
            Ok(property) if property.is_reachability() => return Some(property),
            Ok(property) if property.is_decided() => other = other.or(Some(property)),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    if other.is_some() {
        return other;
    }
    if problems.is_empty() {
        let message = "no property of the task is about reachability or faults";
        let error = match task.properties.first() {
            Some(property) => Diagnostic::error(property.span, message),
            None => Diagnostic::error_without_place(message),
        };
        diagnostics.push(error.with_hint("give another property with --spec"));
    }
    for problem in problems {
        diagnostics.push(problem);
    }
    None
}

fn property_of(
    entry: &TaskProperty,
    diagnostics: &mut Diagnostics,
) -> Result<Property, Diagnostic> {
    let path = &entry.property_file;
    let mut sources = SourceMap::new();
    let file = match crate::read(path, &mut sources) {
        Ok(file) => file,
        // Tasks are passed on without the folder of properties; this one says the same everywhere.
        Err(_) if path.file_name().is_some_and(|name| name == "unreach-call.prp") => {
            let message =
                format!("{} cannot be read; it is taken as `{UNREACH_CALL}`", path.display());
            diagnostics.push(Diagnostic::warning(entry.span, message));
            let functions = vec!["reach_error".to_owned()];
            let kind = PropertyKind::UnreachCall { functions };
            return Ok(Property { kind, text: UNREACH_CALL.to_owned(), ..Property::default() });
        }
        Err(problem) => return Err(Diagnostic::error(entry.span, problem.message)),
    };
    Property::parse(&sources, file).map_err(|problems| {
        let problem = problems.iter().next().map(|problem| match problem.span {
            Some(span) => format!("{}: {}", sources.describe(span), problem.message),
            None => problem.message.clone(),
        });
        Diagnostic::error(entry.span, problem.unwrap_or_default())
    })
}
