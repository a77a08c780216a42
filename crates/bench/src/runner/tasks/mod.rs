//! Which models a folder has, of which category each is, and which answers are expected.

mod manifest;
mod sets;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::SourceMap;
use frontend::{DataModel, Language};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use manifest::{Entry, Manifest};
use sets::UNREACH;
pub use sets::{NotASet, collect};

/// A model to be checked.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// Its path below the folder of models; no two have the same.
    pub name: String,
    /// The file that `proviso check` gets.
    pub file: PathBuf,
    /// The family in the manifest, or else the first folder below that of models.
    pub category: String,
    /// Whether the property holds, where that is known.
    pub expected: Option<bool>,
    /// Sizes of C's types, where the manifest or the definition says so.
    #[serde(with = "model")]
    pub model: Option<DataModel>,
    /// The property by its name in SV-COMP; none for suites, which ask about asserts and error calls.
    pub property: Option<String>,
    /// The part of the property that is violated, where that is known.
    pub violated: Option<String>,
    /// The files of the program, for those who read no task definitions; none if that is `file`.
    pub inputs: Vec<PathBuf>,
}

impl Task {
    /// The files of the program.
    #[must_use]
    pub fn programs(&self) -> &[PathBuf] {
        if self.inputs.is_empty() { std::slice::from_ref(&self.file) } else { &self.inputs }
    }

    /// What tells the files of the task from others: a hash of their contents. None if one cannot be read. What
    /// a program includes is not looked at.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let mut hash = Sha256::new();
        let inputs = self.inputs.iter().filter(|file| **file != self.file);
        for file in inputs.chain([&self.file]) {
            let bytes = fs::read(file).ok()?;
            // Lengths keep the end of one file from being taken for the beginning of the next.
            hash.update(bytes.len().to_le_bytes());
            hash.update(bytes);
        }
        Some(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The language of the program, if the ending of its first file says so.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.programs().first().and_then(|file| Language::of_path(file))
    }
}

/// Data models by their names in files.
mod model {
    use frontend::DataModel;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn name(model: DataModel) -> &'static str {
        match model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    pub fn named(name: &str) -> Option<DataModel> {
        [DataModel::Ilp32, DataModel::Lp64].into_iter().find(|model| self::name(*model) == name)
    }

    pub fn serialize<S: Serializer>(model: &Option<DataModel>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(model.map_or("", name))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<DataModel>, D::Error> {
        Ok(named(&String::deserialize(from)?))
    }
}

/// The models of a folder.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The models, by name.
    pub tasks: Vec<Task>,
    /// What was passed over or left open, and why.
    pub notes: Vec<String>,
}

/// Finds the models in a folder and the folders below it: files in C, in Theta's and in ARMC's
/// language, and SV-COMP's task definitions, which stand for the files that they name.
///
/// Expected answers are those of the task definitions and of a `manifest.tsv` in the folder or in
/// one of the two above it: family, path, property, `true` or `false`, data model. Property files are read from the
/// folders of their definitions and from those of `include`.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(folder: &Path, include: &[PathBuf]) -> io::Result<Found> {
    let root = fs::canonicalize(folder)?;
    let mut found = Found::default();
    let manifest = Manifest::near(&root, &mut found.notes)?;
    let mut files = Vec::new();
    walk(&root, &mut files)?;
    let (definitions, programs): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|path| Language::of_path(path) == Some(Language::Task));
    let mut covered = BTreeSet::new();
    for path in definitions {
        define((&root, include), &path, &manifest, &mut covered, &mut found);
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
            ..Task::default()
        });
    }
    found.tasks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Adds what a task definition says about reachability.
fn define(
    (root, include): (&Path, &[PathBuf]),
    path: &Path,
    manifest: &Manifest,
    covered: &mut BTreeSet<PathBuf>,
    found: &mut Found,
) {
    let name = name(root, path);
    let definition = match read(path) {
        Ok(definition) => definition,
        Err(why) => return found.notes.push(unusable(&name, &why)),
    };
    let inputs: Vec<PathBuf> =
        definition.input_files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
    let mut problem = None;
    let reachability = definition.properties.iter().find(|property| {
        property.is_named(UNREACH, path, include).unwrap_or_else(|why| {
            problem.get_or_insert(why.message);
            false
        })
    });
    if reachability.is_none() && !definition.properties.is_empty() {
        let why = problem.unwrap_or_else(|| "it has no property unreach-call".to_owned());
        found.notes.push(format!("{name} is left out: {why}"));
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
    covered.extend(inputs.iter().cloned());
    found.tasks.push(Task {
        name,
        file: path.to_owned(),
        category: category(root, path, entry),
        expected,
        model: definition.data_model,
        inputs,
        ..Task::default()
    });
}

/// What a task definition says, or where it goes wrong and why.
fn read(path: &Path) -> Result<frontend::task::Task, String> {
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
fn unusable(name: &str, why: &str) -> String {
    format!("{name} is not a task definition that can be used: {why}")
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
