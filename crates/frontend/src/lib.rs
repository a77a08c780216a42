//! From text to the program model: C, Theta's `.cfa`, ARMC's facts, and SV-COMP task definitions.
//!
//! Each language has a folder of its own and one function `load`, which takes the text that a
//! [`SourceMap`] holds and gives a [`Program`] with messages. After it nothing asks what the
//! source language means.
//!
//! ```
//! use proviso_frontend::{Options, load_text};
//!
//! let loaded = load_text("a.c", "int main(void) { unsigned char x = 255; x++; return x; }", &Options::default());
//! assert!(!loaded.diagnostics.has_errors());
//! // What C leaves to its rules is explicit: `x` has eight bits, and is extended where it is returned.
//! let model = cfa::print(&loaded.program);
//! assert!(model.contains("|main::x| := (bvadd |main::x| #x01)"), "{model}");
//! assert!(model.contains("|main::result| := ((_ zero_extend 24) |main::x|)"), "{model}");
//! let wrong = load_text("a.c", "int main(void) { return y; }", &Options::default());
//! assert!(wrong.diagnostics.has_errors());
//! ```

pub mod armc;
pub mod c;
mod input;
mod loaded;
mod messages;
mod options;
mod setting;
pub mod task;
pub mod theta;

use std::path::{Path, PathBuf};

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span, plain_line};
use cfa::Program;

pub use c::is_standard;
pub use input::read;
pub use loaded::{Loaded, Settled, Subject};
pub use options::{
    Assembly, DataModel, External, Flags, Folders, Globals, Language, Macro, Options,
    OutsidePointers, SignedOverflow, Volatile,
};
pub use setting::{Setting, Wording};

/// Reads files and makes one program of them: several C files, or one file of any other language.
#[must_use]
pub fn load(paths: &[PathBuf], options: &Options) -> Loaded {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let mut files = Vec::new();
    for path in paths {
        match read(path, &mut sources) {
            Ok(file) => files.push(file),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if diagnostics.has_errors() {
        return Loaded::new(Program { sources, ..Program::default() }, diagnostics);
    }
    load_read(sources, files, paths, options)
}

/// Makes a program of a text that is called by a name.
#[must_use]
pub fn load_text(name: &str, text: &str, options: &Options) -> Loaded {
    let mut sources = SourceMap::new();
    match sources.add(name, text.as_bytes()) {
        Some(file) => load_read(sources, vec![file], &[PathBuf::from(name)], options),
        None => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::error_without_place(format!("{name} is too long")));
            Loaded::new(Program { sources, ..Program::default() }, diagnostics)
        }
    }
}

/// Makes one program of files that were read.
fn load_read(
    sources: SourceMap,
    files: Vec<FileId>,
    paths: &[PathBuf],
    options: &Options,
) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let languages: Vec<_> =
        paths.iter().map(|path| options.language.or_else(|| Language::of_path(path))).collect();
    for ((path, language), file) in paths.iter().zip(&languages).zip(&files) {
        if let Some(at) = sources.text(*file).iter().position(|byte| *byte == 0) {
            let name = sources.name(*file);
            let message = format!("{name} is no text: its byte {at} is zero");
            diagnostics.push(Diagnostic::error_without_place(message));
        } else if language.is_none() {
            let message =
                format!("the language of {} is not known", plain_line(&path.display().to_string()));
            let hint = format!("name it with {}", options.wording.of(Setting::Language));
            diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
        }
    }
    if diagnostics.has_errors() {
        return Loaded::new(Program { sources, ..Program::default() }, diagnostics);
    }
    let mut loaded = match (files.as_slice(), languages.as_slice()) {
        ([file], [Some(Language::Theta)]) => theta::load(sources, *file),
        ([file], [Some(Language::Armc)]) => armc::load(sources, *file),
        ([file], [Some(Language::Task)]) => load_task(sources, *file, &paths[0], options),
        (_, [_, ..]) if languages.iter().all(|language| *language == Some(Language::C)) => {
            c::load(sources, &files, options)
        }
        _ => {
            let message = "several files make one program only if all of them are C";
            diagnostics.push(Diagnostic::error_without_place(message));
            Loaded::new(Program { sources, ..Program::default() }, diagnostics)
        }
    };
    // The subject of a task definition has been filled already, with the files that the task names.
    if languages[..] != [Some(Language::Task)] {
        loaded.subject = Subject {
            files,
            language: languages.first().copied().flatten(),
            data_model: options.data_model.unwrap_or_default(),
            property: options.property.clone(),
            entry: options.entry.clone(),
            left_out: loaded.subject.left_out,
            settled: loaded.subject.settled,
            checks: options.checks(),
        };
    }
    debug_assert!(
        loaded.diagnostics.has_errors() || cfa::validate(&loaded.program).is_empty(),
        "a front end makes valid programs: {:?}",
        cfa::validate(&loaded.program)
    );
    loaded
}

/// Loads the program that a task definition names.
fn load_task(sources: SourceMap, file: FileId, path: &Path, options: &Options) -> Loaded {
    let named = match task::named(&sources, file, path, options) {
        Ok(named) => named,
        Err(diagnostics) => {
            return Loaded::new(Program { sources, ..Program::default() }, diagnostics);
        }
    };
    let mut loaded = load(&named.files, &named.options);
    // The program has sources of its own; the task's text joins them for its messages.
    let text = sources.text(file).clone();
    let moved = loaded.program.sources.add(sources.name(file), text);
    for mut diagnostic in named.diagnostics.iter().cloned() {
        let move_span = |span: Span| moved.map(|file| Span { file, ..span });
        diagnostic.span = diagnostic.span.and_then(move_span);
        loaded.diagnostics.push(diagnostic);
    }
    loaded
}
