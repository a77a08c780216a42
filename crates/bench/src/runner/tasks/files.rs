//! Folders and the files in them: programs, task definitions, and the names of tasks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::SourceMap;
use frontend::Language;

use super::manifest::Entry;

/// Reads a task definition. An error says where the definition goes wrong, and why.
pub(super) fn read_definition(path: &Path) -> Result<frontend::task::Task, String> {
    let mut sources = SourceMap::new();
    let file = frontend::read(path, &mut sources).map_err(|why| why.message)?;
    frontend::task::read(&sources, file, path).map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        let told = first.map(|first| match first.span.map(|span| sources.position(span)) {
            Some(at) => format!("{}:{}: {}", at.line, at.column, first.message),
            None => first.message.clone(),
        });
        told.unwrap_or_default()
    })
}

/// Says that a file is no task definition, and why.
pub(super) fn unusable(name: &str, why: &str) -> String {
    format!("{name} is not a task definition that can be used: {why}")
}

/// Adds all files below a folder that look like programs or task definitions. Hidden folders are left out.
pub(super) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type()?;
        let path = entry.path();
        // A link to a folder may lead round in circles; a link to a file may not.
        if kind.is_dir() {
            walk(&path, files)?;
        } else if Language::of_path(&path).is_some() && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// The name of a task: the path of its file below the folder.
pub(super) fn name(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The category of a file: its family in the manifest, or else the first folder below `root`.
pub(super) fn category(root: &Path, path: &Path, entry: Option<&Entry>) -> String {
    if let Some(entry) = entry {
        return entry.family.clone();
    }
    let below = path.strip_prefix(root).unwrap_or(path);
    let folder = match below.iter().collect::<Vec<_>>()[..] {
        [first, _, ..] => Some(first),
        _ => root.file_name(),
    };
    folder.map_or_else(|| "models".to_owned(), |folder| folder.to_string_lossy().into_owned())
}
