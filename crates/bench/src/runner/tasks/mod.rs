//! Which models a folder has, of which category each is, and which answers are expected.

mod files;
mod manifest;
mod model;
mod sets;
mod task;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use frontend::Language;

use files::{category, name, read_definition, unusable, walk};
use manifest::Manifest;
pub use sets::{NotASet, collect};
use task::UNREACH;
pub use task::{FoundTasks, Task};

/// Finds the models in a folder and the folders below it: files in C, in Theta's and in ARMC's
/// language, and SV-COMP's task definitions, which stand for the files that they name.
///
/// Expected answers are those of the task definitions and of a `manifest.tsv` in the folder or in one of the two
/// folders above it. A line has family, path, property, `true` or `false`, data model. Property files are read from
/// the folders of their definitions and from the folders `include`.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(folder: &Path, include: &[PathBuf]) -> io::Result<FoundTasks> {
    let root = fs::canonicalize(folder)?;
    let mut found = FoundTasks::default();
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
    found: &mut FoundTasks,
) {
    let name = name(root, path);
    let definition = match read_definition(path) {
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
