//! Lists of models with their families and answers: `manifest.tsv`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use frontend::DataModel;

use super::model;

/// A line of a manifest: family, path, property, `true` or `false`, data model.
pub(super) struct Row {
    pub line: usize,
    pub file: String,
    pub property: String,
    pub entry: Entry,
}

/// What a manifest says about a file.
pub(super) struct Entry {
    pub family: String,
    pub expected: Option<bool>,
    pub model: Option<DataModel>,
}

/// What a manifest says about reachability, by the resolved paths of files.
#[derive(Default)]
pub(super) struct Manifest(BTreeMap<PathBuf, Entry>);

impl Manifest {
    /// The nearest manifest, if there is one.
    pub fn near(root: &Path, notes: &mut Vec<String>) -> io::Result<Self> {
        let mut entries = Self::default();
        let places = root.ancestors().take(3).map(|folder| folder.join("manifest.tsv"));
        let Some(path) = places.into_iter().find(|path| path.is_file()) else { return Ok(entries) };
        for row in rows(&path, notes)? {
            let reachability = ["unreach-call", "error-location"].contains(&row.property.as_str());
            let Some(file) = resolve(&path, &row.file).filter(|_| reachability) else { continue };
            let expected = row.entry.expected;
            if let Some(other) = entries.0.insert(file, row.entry)
                && other.expected != expected
            {
                notes.push(format!("manifest.tsv:{}: {} has two answers", row.line, row.file));
            }
        }
        Ok(entries)
    }

    pub fn get(&self, file: &Path) -> Option<&Entry> {
        self.0.get(file)
    }
}

/// The file that a line of a manifest is about: its path starts at the manifest, or at `files` beside it.
pub(super) fn resolve(manifest: &Path, file: &str) -> Option<PathBuf> {
    let folder = manifest.parent()?;
    let places = [folder.join(file), folder.join("files").join(file)];
    places.iter().find_map(|path| fs::canonicalize(path).ok())
}

/// The lines of a manifest.
pub(super) fn rows(path: &Path, notes: &mut Vec<String>) -> io::Result<Vec<Row>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut rows = Vec::new();
    for (index, line) in fs::read_to_string(path)?.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [family, file, property, expected, ref rest @ ..] = columns[..] else {
            notes.push(format!("{name}:{}: fewer than four columns", index + 1));
            continue;
        };
        let expected = match expected {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let model = rest.first().and_then(|name| model::named(name));
        rows.push(Row {
            line: index + 1,
            file: file.to_owned(),
            property: property.to_owned(),
            entry: Entry { family: family.to_owned(), expected, model },
        });
    }
    Ok(rows)
}
