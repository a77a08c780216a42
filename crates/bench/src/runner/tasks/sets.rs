//! The tasks that the words of a command line name: task definitions, lists of them in BenchExec's
//! form (`.set`), folders, lists with answers (`.tsv`), and programs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use frontend::Language;

use super::files::{category, name, read_definition, unusable, walk};
use super::manifest::{self, Entry, Manifest};
use super::task::{FoundTasks, Task, UNREACH};

/// Why a word names no tasks.
#[derive(Debug)]
pub enum NotASet {
    /// A file or folder cannot be read.
    System(PathBuf, io::Error),
    /// The file is something else than a set.
    Other(PathBuf, String),
}

impl fmt::Display for NotASet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotASet::System(path, error) => write!(f, "{}: {error}", path.display()),
            NotASet::Other(path, why) => write!(f, "{}: {why}", path.display()),
        }
    }
}

/// Collects tasks, each with one property.
struct Collector<'p> {
    properties: &'p [String],
    /// Folders that a definition may read from, besides its own folder.
    include: &'p [PathBuf],
    /// How many property files were taken by their names, because it is not allowed to read them.
    by_name: usize,
    found: FoundTasks,
    names: BTreeSet<String>,
    /// Files with the properties that are asked about them.
    known: BTreeSet<(PathBuf, Option<String>)>,
}

/// The tasks of all sets, for each of the properties that they have. A task that several sets name is in the result
/// once. Property files are read from the folders of their definitions and from the folders `include`. A property file
/// elsewhere is taken by its name, and a note says so.
///
/// # Errors
/// If a set cannot be read, or is something else.
pub fn collect(
    sets: &[PathBuf],
    properties: &[String],
    include: &[PathBuf],
) -> Result<FoundTasks, NotASet> {
    let mut collector = Collector {
        properties,
        include,
        by_name: 0,
        found: FoundTasks::default(),
        names: BTreeSet::new(),
        known: BTreeSet::new(),
    };
    for set in sets {
        let system = |error| NotASet::System(set.clone(), error);
        let path = fs::canonicalize(set).map_err(system)?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            let mut files = Vec::new();
            walk(&path, &mut files).map_err(system)?;
            files.sort();
            collector.files(&path, &files).map_err(system)?;
        } else if ending == "set" {
            let files = collector.globs(&path).map_err(system)?;
            let folder = path.parent().unwrap_or(Path::new("/"));
            collector.files(folder, &files).map_err(system)?;
        } else if ending == "tsv" {
            collector.rows(&path).map_err(system)?;
        } else if Language::of_path(&path).is_some() {
            let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
            collector.files(&folder, &[path]).map_err(system)?;
        } else {
            let why = "neither a folder, nor .set, .tsv, .yml, nor a program".to_owned();
            return Err(NotASet::Other(set.clone(), why));
        }
    }
    if collector.by_name > 0 {
        collector.found.notes.push(format!(
            "property files outside the folders of their tasks are taken by their names ({} of them); -I names folders to \
             read them from",
            collector.by_name
        ));
    }
    Ok(collector.found)
}

impl Collector<'_> {
    /// The files that the patterns of a `.set` name, as BenchExec reads it: a pattern in each line, from
    /// the folder of the list; `#` begins a comment.
    fn globs(&mut self, list: &Path) -> io::Result<Vec<PathBuf>> {
        let folder = list.parent().unwrap_or(Path::new("/"));
        let mut files = Vec::new();
        for (index, line) in fs::read_to_string(list)?.lines().enumerate() {
            let pattern = line.split('#').next().unwrap_or_default().trim();
            if pattern.is_empty() {
                continue;
            }
            let whole = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern);
            let found = glob::glob(&whole.to_string_lossy());
            let found: Vec<PathBuf> = match found {
                Ok(paths) => paths.flatten().filter(|path| path.is_file()).collect(),
                Err(error) => {
                    let message = format!("{}:{}: {error}", list.display(), index + 1);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
            };
            if found.is_empty() {
                let place = format!("{}:{}", name(folder, list), index + 1);
                self.found.notes.push(format!("{place}: there is no {pattern}"));
            }
            files.extend(found);
        }
        Ok(files)
    }

    /// Programs and task definitions. A program that a definition among them names is no task of its own.
    fn files(&mut self, root: &Path, files: &[PathBuf]) -> io::Result<()> {
        let manifest = Manifest::near(root, &mut self.found.notes)?;
        let is_task = |path: &&PathBuf| Language::of_path(path) == Some(Language::Task);
        let (definitions, programs): (Vec<_>, Vec<_>) = files.iter().partition(is_task);
        let mut covered = Vec::new();
        for path in definitions {
            covered.extend(self.define(root, path));
        }
        covered.sort();
        for path in programs {
            let resolved = fs::canonicalize(path)?;
            if covered.binary_search(&resolved).is_ok() {
                continue;
            }
            let entry = manifest.get(&resolved);
            self.plain(name(root, path), path, category(root, path, entry), entry, None);
        }
        Ok(())
    }

    /// The lines of a list with answers.
    fn rows(&mut self, list: &Path) -> io::Result<()> {
        let mut missing = 0;
        for row in manifest::rows(list, &mut self.found.notes)? {
            match manifest::resolve(list, &row.file) {
                Some(file) => {
                    let family = row.entry.family.clone();
                    self.plain(row.file, &file, family, Some(&row.entry), Some(&row.property));
                }
                None => missing += 1,
            }
        }
        if missing > 0 {
            let list = list.file_name().unwrap_or_default().to_string_lossy();
            self.found.notes.push(format!("{list}: {missing} files are not there"));
        }
        Ok(())
    }

    /// Adds a program without a definition. The expected answer, if there is one, is about one property.
    fn plain(
        &mut self,
        name: String,
        file: &Path,
        category: String,
        entry: Option<&Entry>,
        property: Option<&str>,
    ) {
        // Models of other languages have error locations and no error function: their property counts as
        // `unreach-call`.
        let known = property.filter(|property| *property != "error-location");
        let known = known.unwrap_or(UNREACH);
        if entry.is_some() && !self.properties.iter().any(|property| property == known) {
            return;
        }
        let property = if entry.is_some() { Some(known) } else { None };
        let property = property.or(self.properties.first().map(String::as_str));
        self.add(Task {
            name,
            file: file.to_owned(),
            category,
            expected: entry.and_then(|entry| entry.expected),
            model: entry.and_then(|entry| entry.model),
            property: property.map(str::to_owned),
            ..Task::default()
        });
    }

    /// A task for each property of a definition that is wanted. Gives back the files of the program.
    fn define(&mut self, root: &Path, path: &Path) -> Vec<PathBuf> {
        let name = name(root, path);
        let definition = match read_definition(path) {
            Ok(definition) => definition,
            Err(why) => {
                self.found.notes.push(unusable(&name, &why));
                return Vec::new();
            }
        };
        let inputs: Vec<PathBuf> =
            definition.input_files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
        let (mut some, mut problem) = (false, None);
        for property in &definition.properties {
            let mut is_it = |wanted: &&String| {
                property.is_named(wanted, path, self.include).unwrap_or_else(|why| {
                    problem.get_or_insert(why.message);
                    false
                })
            };
            let Some(asked) = self.properties.iter().find(&mut is_it) else { continue };
            some = true;
            self.by_name += usize::from(!property.is_allowed(path, self.include));
            let ending = if asked == UNREACH { String::new() } else { format!(" {asked}") };
            self.add(Task {
                name: format!("{name}{ending}"),
                file: path.to_owned(),
                category: category(root, path, None),
                expected: property.expected_verdict,
                model: definition.data_model,
                property: Some(asked.clone()),
                violated: property.subproperty.clone(),
                inputs: inputs.clone(),
            });
        }
        if !some {
            let wanted = self.properties.join(", ");
            let why = problem.unwrap_or_else(|| format!("it says nothing about {wanted}"));
            self.found.notes.push(format!("{name} is left out: {why}"));
        }
        inputs
    }

    /// Adds a task that was not added before. Of two tasks with the same name, the second gets the name of the folder
    /// above it in front.
    fn add(&mut self, mut task: Task) {
        if !self.known.insert((task.file.clone(), task.property.clone())) {
            return;
        }
        let mut above = task.file.parent().map(Path::to_owned);
        while self.names.contains(&task.name) {
            let folder = above.as_deref().and_then(Path::file_name);
            let folder = folder.map_or("again".into(), |folder| folder.to_string_lossy());
            task.name = format!("{folder}/{}", task.name);
            above = above.as_deref().and_then(Path::parent).map(Path::to_owned);
        }
        self.names.insert(task.name.clone());
        self.found.tasks.push(task);
    }
}
