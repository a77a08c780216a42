//! Which models a folder has, of which category each is, and which answers are expected.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::SourceMap;
use frontend::{DataModel, Language};

/// A model to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its path below the folder of models; no two have the same.
    pub name: String,
    /// The file that `proviso check` gets.
    pub file: PathBuf,
    /// The family in the manifest, or else the first folder below that of models.
    pub category: String,
    /// Whether the property holds, where that is known.
    pub expected: Option<bool>,
    /// Sizes of C's types, where the manifest says so.
    pub model: Option<DataModel>,
}

/// The models of a folder.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The models, by name.
    pub tasks: Vec<Task>,
    /// What was passed over or left open, and why.
    pub notes: Vec<String>,
}

/// What the manifest says about a file.
struct Entry {
    family: String,
    expected: Option<bool>,
    model: Option<DataModel>,
}

/// What the manifest says, by the resolved paths of files.
type Manifest = BTreeMap<PathBuf, Entry>;

/// Finds the models in a folder and the folders below it: files in C, in Theta's and in ARMC's
/// language, and SV-COMP's task definitions, which stand for the files that they name.
///
/// Expected answers are those of the task definitions and of a `manifest.tsv` in the folder or in
/// one of the two above it: family, path, property, `true` or `false`, data model.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(folder: &Path) -> io::Result<Found> {
    let root = fs::canonicalize(folder)?;
    let mut found = Found::default();
    let manifest = manifest(&root, &mut found.notes)?;
    let mut files = Vec::new();
    walk(&root, &mut files)?;
    let (definitions, programs): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|path| Language::of_path(path) == Some(Language::Task));
    let mut covered = BTreeSet::new();
    for path in definitions {
        define(&root, &path, &manifest, &mut covered, &mut found);
    }
    for path in &programs {
        let resolved = fs::canonicalize(path)?;
        if covered.contains(&resolved) {
            continue;
        }
        let entry = manifest.get(&resolved);
        found.tasks.push(Task {
            name: name(&root, path),
            file: path.clone(),
            category: category(&root, path, entry),
            expected: entry.and_then(|entry| entry.expected),
            model: entry.and_then(|entry| entry.model),
        });
    }
    found.tasks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Adds what a task definition says.
fn define(
    root: &Path,
    path: &Path,
    manifest: &Manifest,
    covered: &mut BTreeSet<PathBuf>,
    found: &mut Found,
) {
    let name = name(root, path);
    let mut sources = SourceMap::new();
    let read = frontend::read(path, &mut sources)
        .ok()
        .and_then(|file| frontend::task::read(&sources, file, path).ok());
    let Some(definition) = read else {
        found.notes.push(format!("{name} is not a task definition"));
        return;
    };
    let inputs: Vec<PathBuf> =
        definition.input_files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
    let reachability = definition.properties.iter().find(|property| {
        property.property_file.file_name().is_some_and(|name| name == "unreach-call.prp")
    });
    if reachability.is_none() && !definition.properties.is_empty() {
        found.notes.push(format!("{name} has no property unreach-call"));
        return;
    }
    let entry = inputs.first().and_then(|file| manifest.get(file));
    let defined = reachability.and_then(|property| property.expected_verdict);
    let listed = entry.and_then(|entry| entry.expected);
    let expected = match (defined, listed) {
        (Some(one), Some(other)) if one != other => {
            found.notes.push(format!("{name}: it and the manifest expect different answers"));
            None
        }
        _ => defined.or(listed),
    };
    covered.extend(inputs);
    found.tasks.push(Task {
        name,
        file: path.to_owned(),
        category: category(root, path, entry),
        expected,
        model: None,
    });
}

/// All files that look like programs or task definitions. Hidden folders are left out.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type()?;
        let path = entry.path();
        // A link to a folder may lead round in circles; one to a file may not.
        if kind.is_dir() {
            walk(&path, files)?;
        } else if Language::of_path(&path).is_some() && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn name(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn category(root: &Path, path: &Path, entry: Option<&Entry>) -> String {
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

/// The nearest manifest, if there is one.
fn manifest(root: &Path, notes: &mut Vec<String>) -> io::Result<Manifest> {
    let mut entries = Manifest::new();
    let places = root.ancestors().take(3).map(|folder| folder.join("manifest.tsv"));
    let Some(path) = places.into_iter().find(|path| path.is_file()) else { return Ok(entries) };
    let folder = path.parent().unwrap_or(root);
    let text = fs::read_to_string(&path)?;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [family, file, property, expected, ref rest @ ..] = columns[..] else {
            notes.push(format!("manifest.tsv:{}: fewer than four columns", index + 1));
            continue;
        };
        let expected = match expected {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let model = match rest.first() {
            Some(&"ILP32") => Some(DataModel::Ilp32),
            Some(&"LP64") => Some(DataModel::Lp64),
            _ => None,
        };
        let reachability = ["unreach-call", "error-location"].contains(&property);
        let places = [folder.join(file), folder.join("files").join(file)];
        let resolved = places.iter().find_map(|path| fs::canonicalize(path).ok());
        if let Some(path) = resolved.filter(|_| reachability) {
            let entry = Entry { family: family.to_owned(), expected, model };
            if let Some(other) = entries.insert(path, entry)
                && other.expected != expected
            {
                notes.push(format!("manifest.tsv:{}: {file} has two answers", index + 1));
            }
        }
    }
    Ok(entries)
}
