//! Which file of the program a place of a witness is in.

use std::ffi::OsStr;
use std::path::Path;

use base::{Diagnostic, FileId, SourceMap};

use crate::model::{Claim, Place, Witness};
use crate::sites::Text;

/// All places of a witness.
pub(crate) fn of(witness: &Witness) -> Vec<&Place> {
    match &witness.claim {
        Claim::Violation(automaton) => {
            automaton.steps.iter().map(|step| &step.place).chain(&automaton.targets).collect()
        }
        Claim::Proof(list) => list.iter().map(|invariant| &invariant.place).collect(),
    }
}

/// The file of a place that the program includes, if the place is in one: a witness cannot be woven into such a file.
pub(crate) fn included(place: &Place, sources: &SourceMap, files: &[FileId]) -> Option<FileId> {
    let name = place.file.as_deref()?;
    let is_named = |file: &FileId| last(sources.path(*file)) == last(name);
    let mut others = sources.files().filter(|file| !sources.is_borrowed(*file));
    let is_own = files.iter().any(&is_named);
    others.find(|file| !is_own && !files.contains(file) && is_named(file))
}

/// The name of a file without its folders, which may have other names elsewhere.
fn last(path: &str) -> Option<&OsStr> {
    Path::new(path).file_name()
}

/// The file of a place. A program of one file needs no name, and folders may have other names elsewhere.
pub(crate) fn find(
    place: &Place,
    sources: &SourceMap,
    files: &[FileId],
) -> Result<FileId, Diagnostic> {
    let file = match (files, &place.file) {
        ([file], _) => *file,
        (_, None) => {
            let message =
                "the program has several files, and this place does not say which one it is in";
            return Err(Diagnostic::error(place.span, message));
        }
        (_, Some(name)) => {
            let exact = files.iter().find(|file| sources.path(**file) == name);
            let mut alike = files.iter().filter(|file| last(sources.path(**file)) == last(name));
            match (exact, alike.next(), alike.next()) {
                (Some(file), ..) | (None, Some(file), None) => *file,
                _ => return Err(Diagnostic::error(place.span, "the program has no such file")),
            }
        }
    };
    if Text::offset_in(sources, file, place).is_none() {
        let name = sources.name(file);
        let column = place.column.map_or_else(String::new, |column| format!(":{column}"));
        let message = format!("{name} has no place {}{column}", place.line);
        return Err(Diagnostic::error(place.span, message));
    }
    Ok(file)
}
