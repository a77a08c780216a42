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
mod options;
pub mod task;
pub mod theta;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span, plain_line};
use cfa::{Checks, Program};

use task::Property;

pub use c::is_standard;
pub use options::{
    Assembly, DataModel, External, Flags, Folders, Globals, Language, Macro, Options,
    OutsidePointers, SignedOverflow, Volatile,
};

/// What a front end makes of its input.
pub struct Loaded {
    /// What the program was made of, and what is asked about it.
    pub subject: Subject,
    /// The model; it holds the sources for the messages too. It is to be used only if the
    /// messages have no error among them.
    pub program: Program,
    /// Warnings and errors.
    pub diagnostics: Diagnostics,
}

/// What a program was made of, and what is asked about it: for a task definition, what that says.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The files of the program, in order, without those that they include.
    pub files: Vec<FileId>,
    /// Their language, if the program was loaded.
    pub language: Option<Language>,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// The property.
    pub property: Property,
    /// The function where execution starts.
    pub entry: String,
    /// How many asserts the program has that the property does not speak of.
    pub left_out: u32,
    /// Where asserts and error calls stand that no way leads to, because conditions are constant: nothing
    /// is left to verify there.
    pub settled: Vec<Span>,
    /// Faults that must not happen.
    pub checks: Checks,
}

impl Loaded {
    fn new(program: Program, diagnostics: Diagnostics) -> Self {
        Self { subject: Subject::default(), program, diagnostics }
    }
}

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
            let hint = "name it with --language c|cfa|armc|task";
            diagnostics.push(Diagnostic::error_without_place(message).with_hint(hint));
        }
    }
    if diagnostics.has_errors() {
        return Loaded::new(Program { sources, ..Program::default() }, diagnostics);
    }
    let mut loaded = match (files.as_slice(), languages.as_slice()) {
        ([file], [Some(Language::Theta)]) => theta::load(sources, *file),
        ([file], [Some(Language::Armc)]) => armc::load(sources, *file),
        ([file], [Some(Language::Task)]) => task::load(sources, *file, &paths[0], options),
        (_, [_, ..]) if languages.iter().all(|language| *language == Some(Language::C)) => {
            c::load(sources, &files, options)
        }
        _ => {
            let message = "several files make one program only if all of them are C";
            diagnostics.push(Diagnostic::error_without_place(message));
            Loaded::new(Program { sources, ..Program::default() }, diagnostics)
        }
    };
    // A task has said it all, about the files that it names.
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

/// The longest file that is read; a device may never end.
const MOST_BYTES: u64 = 1 << 30;

/// Why a file was not read. Memory that was refused ends the run as it does everywhere else: it is no fault of the
/// file.
fn failed(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::OutOfMemory {
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 4096]>());
    }
    error.to_string()
}

/// Takes one file into the source map; `-` is standard input.
///
/// # Errors
/// A message that names the file if it cannot be read or is too long.
pub fn read(path: &Path, sources: &mut SourceMap) -> Result<FileId, Diagnostic> {
    let name = path.display().to_string();
    let refuse = |why: String| {
        let name = plain_line(&name);
        Diagnostic::error_without_place(format!("cannot read {name}: {why}"))
    };
    if path == Path::new("-") {
        let mut text = Vec::new();
        let read = std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut text);
        read.map_err(|error| refuse(failed(&error)))?;
        if text.len() as u64 > MOST_BYTES {
            return Err(refuse("it is longer than 1 GiB".to_owned()));
        }
        return sources.add(base::STDIN, text).ok_or_else(|| refuse("it is too long".to_owned()));
    }
    if path.is_dir() {
        return Err(refuse("it is a directory".to_owned()));
    }
    let mut text = Vec::new();
    let opened = File::open(path).map_err(|error| refuse(failed(&error)))?;
    let read = opened.take(MOST_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| refuse(failed(&error)))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refuse("it is longer than 1 GiB".to_owned()));
    }
    // A name that looks like an option, or like that of a text that is no file, says that it is a path.
    let looks_otherwise = name.starts_with(['-', '<']);
    let path = if looks_otherwise { format!("./{name}") } else { name.clone() };
    sources.add(path, text).ok_or_else(|| refuse("it is too long".to_owned()))
}
