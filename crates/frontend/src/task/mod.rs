//! SV-COMP's task definitions (`.yml`, formats 1.0 and 2.0) and properties (`.prp`).
//!
//! A task names the files of a program, its properties with the verdicts that are expected, and
//! the data model. Loading it loads the program, with the first of its properties that is about
//! reachability.

mod definition;
pub(crate) mod property;
mod prp;

pub use definition::{Task, TaskProperty, read};
pub use property::{Coverage, Property, PropertyKind};

use std::path::{Path, PathBuf};

use base::{Diagnostic, Diagnostics, FileId, SourceMap};

use crate::options::{Folders, Language, Options};
use crate::setting::{Setting, Wording};

/// The contents of SV-COMP's property files, which are the same everywhere: tasks name these files in a folder beside
/// their own, and are passed on without this folder.
const STANDARD: &[(&str, &str)] = &[
    ("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
    ("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )"),
    (
        "valid-memsafety.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
         CHECK( init(main()), LTL(G valid-memtrack) )",
    ),
    ("valid-memcleanup.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )"),
    ("termination.prp", "CHECK( init(main()), LTL(F end) )"),
    ("no-data-race.prp", "CHECK( init(main()), LTL(G ! data-race) )"),
];

/// The program that a task definition names, and how it is read.
pub(crate) struct Named {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The options of the caller, completed by what the task says.
    pub options: Options,
    /// Warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a task definition. What the options say goes before what the task says.
///
/// # Errors
/// Why no program can be loaded.
pub(crate) fn named(
    sources: &SourceMap,
    file: FileId,
    path: &Path,
    options: &Options,
) -> Result<Named, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let task = read(sources, file, path)?;
    let allowed = folders(path, options);
    for input in task.input_files.iter().filter(|input| !allowed.has(input)) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).display().to_string();
        let message = format!("{} is not in the folder of the task, {folder}", input.display());
        let error = Diagnostic::error(task.input_span, message);
        let include = options.wording.of(Setting::Include);
        let hint = format!("if the task may read it, name its folder with {include}");
        diagnostics.push(error.with_hint(hint));
    }
    let mut options = options.clone();
    options.language = language(&task, &mut diagnostics);
    options.data_model = options.data_model.or(task.data_model);
    if options.property.is_default()
        && !task.properties.is_empty()
        && let Some(property) = choose(&task, &allowed, options.wording, &mut diagnostics)
    {
        if options.entry == Options::default().entry {
            options.entry = property.entry.clone();
        }
        options.property = property;
    }
    options.flags.folders = Some(allowed);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(Named { files: task.input_files, options, diagnostics })
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
fn choose(
    task: &Task,
    allowed: &Folders,
    wording: Wording,
    diagnostics: &mut Diagnostics,
) -> Option<Property> {
    let mut problems = Vec::new();
    let mut other = None;
    for entry in &task.properties {
        match property_of(entry, allowed, wording, diagnostics) {
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
        let property = wording.of(Setting::Property);
        diagnostics.push(error.with_hint(format!("give another property with {property}")));
    }
    for problem in problems {
        diagnostics.push(problem);
    }
    None
}

/// The folders that a task may read from: its own and what is in it, and those that the user has
/// named.
fn folders(task: &Path, options: &Options) -> Folders {
    // The folder of a plain name is the present one.
    let own = task.parent().filter(|folder| !folder.as_os_str().is_empty());
    let own = own.unwrap_or(Path::new("."));
    let named = options.include.iter().map(PathBuf::as_path);
    let files = options.flags.preinclude.iter().map(Path::new);
    Folders::new(std::iter::once(own).chain(named).chain(files))
}

fn including(include: &[PathBuf]) -> Options {
    Options { include: include.to_vec(), ..Options::default() }
}

impl TaskProperty {
    /// Whether the task may read the file of the property: the file is in the folder of the task, or in one of the
    /// folders `include`. A file that does not exist is allowed.
    #[must_use]
    pub fn is_allowed(&self, task: &Path, include: &[PathBuf]) -> bool {
        folders(task, &including(include)).has(&self.property_file)
    }

    /// Whether a property of a task is SV-COMP's property of this name. The contents of its file decide; a file that
    /// does not exist, or that the task may not read, is taken by its name.
    ///
    /// # Errors
    /// Why the file does not tell.
    pub fn is_named(
        &self,
        name: &str,
        task: &Path,
        include: &[PathBuf],
    ) -> Result<bool, Diagnostic> {
        let stem = self.property_file.file_stem().unwrap_or_default().to_string_lossy();
        let readable = self.property_file.exists() && self.is_allowed(task, include);
        if !readable && Property::named(&stem).is_some() {
            return Ok(stem == name);
        }
        let allowed = folders(task, &including(include));
        let said = property_of(self, &allowed, Wording::default(), &mut Diagnostics::new())?;
        let asked = Property::named(name);
        Ok(asked.is_some_and(|asked| {
            // SV-COMP's property is about executions from `main`. Its list has the older name of the error function
            // besides today's; a file with today's name alone is the same property.
            let is_same = match (&said.kind, &asked.kind) {
                (
                    PropertyKind::UnreachCall { functions: said },
                    PropertyKind::UnreachCall { functions: asked },
                ) => said == asked || said[..] == asked[..1],
                (said, asked) => said == asked,
            };
            is_same && said.entry == asked.entry
        }))
    }
}

fn property_of(
    entry: &TaskProperty,
    allowed: &Folders,
    wording: Wording,
    diagnostics: &mut Diagnostics,
) -> Result<Property, Diagnostic> {
    let path = &entry.property_file;
    let mut sources = SourceMap::new();
    let standard = STANDARD.iter().find(|(name, _)| path.file_name().is_some_and(|it| it == *name));
    let read = match allowed.has(path) {
        true => crate::input::read(path, &mut sources),
        false => {
            let message = format!("{} is not in the folder of the task", path.display());
            let hint = format!(
                "if the task may read it, name its folder with {}, or the file with {}",
                wording.of(Setting::Include),
                wording.of(Setting::Property)
            );
            Err(Diagnostic::error_without_place(message).with_hint(hint))
        }
    };
    let file = match (read, standard) {
        (Ok(file), _) => file,
        (Err(_), Some((name, text))) => {
            if !path.exists() {
                let message = format!("{} cannot be read; it is taken as `{text}`", path.display());
                diagnostics.push(Diagnostic::warning(entry.span, message));
            }
            sources
                .add(*name, text.as_bytes().to_vec())
                .ok_or_else(|| Diagnostic::error(entry.span, "the property is too long"))?
        }
        (Err(problem), None) => return Err(Diagnostic { span: Some(entry.span), ..problem }),
    };
    Property::parse(&sources, file).map_err(|problems| {
        let problem = problems.iter().next().map(|problem| match problem.span {
            Some(span) => format!("{}: {}", sources.describe(span), problem.message),
            None => problem.message.clone(),
        });
        Diagnostic::error(entry.span, problem.unwrap_or_default())
    })
}
