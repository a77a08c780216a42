//! Results in a folder: `run.json` says what is measured, `results.jsonl` has a line for every run, and `results.csv`
//! has the same lines for spreadsheets. Lines are added as runs end, so that a batch that was interrupted can be taken
//! up again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Record, Task};

/// What is measured. Results are comparable only if all of these fields are the same.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// The suite.
    pub suite: String,
    /// The version of the program.
    pub version: String,
    /// A hash that tells this build of the program from others.
    pub build: String,
    /// Time on processors that a run may take.
    pub time_seconds: f64,
    /// Memory that a run may use.
    pub memory_bytes: u64,
    /// The options that every run gets.
    pub options: Vec<String>,
    /// What each column of a batch is, by name. Columns may be added later; no column may change.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// The machine, and how limits are enforced there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
}

impl Settings {
    /// The beginning of the hash of the build, as tables show it.
    pub(crate) fn short_build(&self) -> &str {
        self.build.get(..12).unwrap_or(&self.build)
    }
}

/// What tells a build of a program from others: the SHA-256 of the file.
///
/// # Errors
/// If the file cannot be read.
pub fn build(program: &Path) -> io::Result<String> {
    // The file is read in pieces, because the memory of this process shows in the figures of the processes that it
    // starts.
    let (mut file, mut hash) = (File::open(program)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Why results cannot be kept in a folder.
#[derive(Debug)]
pub enum Refused {
    /// The folder has results already.
    Occupied(PathBuf),
    /// The folder has no results, but a file or folder with a name that a batch would write to.
    Foreign(PathBuf),
    /// Another process adds results to the folder.
    Busy(PathBuf),
    /// The results in the folder were measured with other settings.
    Different(PathBuf, String),
    /// A file cannot be read as what it should be.
    Unreadable(PathBuf, String),
    /// A file or folder cannot be read or written.
    System(PathBuf, io::Error),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Occupied(path) => write!(
                f,
                "{} has results already; --resume adds what is missing there, or name another folder",
                path.display()
            ),
            Refused::Foreign(path) => write!(
                f,
                "{} is there, and is not of an earlier run; name another folder",
                path.display()
            ),
            Refused::Busy(path) => {
                write!(f, "another process adds results to {}; wait for it", path.display())
            }
            Refused::Different(path, what) => write!(
                f,
                "the results in {} were measured with {what}; name another folder",
                path.display()
            ),
            Refused::Unreadable(path, why) => write!(f, "{}: {why}", path.display()),
            Refused::System(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

/// A folder of results, open for more.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    records: Vec<Record>,
    done: BTreeSet<(String, String)>,
    lines: File,
    table: File,
    /// When results were last written to the disk, so that a crash of the machine does not lose them.
    synced: Instant,
    /// The numbers of lines that could not be read.
    damaged: Vec<usize>,
    /// Whether the last line was cut off.
    torn: bool,
    /// Held as long as results are added, so that no other process adds any.
    _lock: File,
}

/// Whether a batch or a suite writes or removes files or folders of this name besides its results: such files of others
/// must not be lost.
fn is_ours(name: &str) -> bool {
    let known = [
        "results.csv",
        "results.new",
        "run.new",
        "tables.md",
        "index.html",
        "junit.xml",
        "figures.csv",
        "reports.csv",
        "quantile.svg",
        "heatmap.svg",
        "logs",
        "running",
        "slurm",
    ];
    let one_of_many = ["scatter-", "figure-", "heatmap-", "quantile-"];
    known.contains(&name)
        || name.ends_with(".svg") && one_of_many.iter().any(|start| name.starts_with(start))
}

/// A file or folder that does not come from an earlier run, and would be overwritten: the first by name.
fn foreign(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.sort();
    let name = names.iter().find(|name| name.to_str().is_some_and(is_ours));
    Ok(name.map(|name| folder.join(name)))
}

/// How often results are written to the disk, so that a crash of the machine loses few. The lost runs are repeated.
const SYNC: Duration = Duration::from_secs(1);

impl Store {
    /// Opens a folder, which is made if it does not exist. If the folder has results already, they are kept with
    /// `resume`; without `resume` the folder is refused.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn open(folder: &Path, settings: &Settings, resume: bool) -> Result<Self, Refused> {
        let system = |error| Refused::System(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(system)?;
        let (run, lines, table) =
            (folder.join("run.json"), folder.join("results.jsonl"), folder.join("results.csv"));
        // Nothing is written to the lock file, so that somebody else's file of this name stays as it is.
        let mut lock = OpenOptions::new();
        let lock = lock.create(true).append(true).open(folder.join("lock")).map_err(system)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Refused::Busy(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(system(error)),
        }
        let mut journal = Journal::default();
        let mut settings = settings.clone();
        if run.exists() || lines.exists() {
            if !resume {
                return Err(Refused::Occupied(folder.to_owned()));
            }
            let before = read_settings(&run)?;
            agree(folder, &before, &settings)?;
            settings.columns.extend(before.columns);
            journal = read_journal(&lines)?;
        } else if let Some(foreign) = foreign(folder).map_err(system)? {
            return Err(Refused::Foreign(foreign));
        }
        let text = serde_json::to_string_pretty(&settings)
            .map_err(|error| Refused::Unreadable(run.clone(), error.to_string()))?;
        drop(replace(&run, &(text + "\n")).map_err(system)?);
        // The files are written anew: the last line may have been cut off when a run was interrupted.
        let (as_json, as_table) = texts(&journal.records);
        let mut store = Self {
            folder: folder.to_owned(),
            records: Vec::new(),
            done: BTreeSet::new(),
            lines: replace(&lines, &as_json).map_err(system)?,
            table: replace(&table, &as_table).map_err(system)?,
            synced: Instant::now(),
            damaged: journal.damaged,
            torn: journal.torn,
            _lock: lock,
        };
        for record in journal.records {
            store.remember(record);
        }
        Ok(store)
    }

    /// Takes results away whose programs have other contents now than when they were run, so that they are run
    /// again. Gives the tasks. Results that do not say what their programs were are kept.
    ///
    /// # Errors
    /// If the results cannot be written anew.
    pub fn forget_changed(&mut self, tasks: &[Task]) -> io::Result<Vec<String>> {
        let mut now: BTreeMap<&str, Option<String>> = BTreeMap::new();
        let named: BTreeMap<&str, &Task> =
            tasks.iter().map(|task| (task.name.as_str(), task)).collect();
        let mut changed = BTreeSet::new();
        for record in &self.records {
            let (Some(before), Some(task)) = (&record.inputs, named.get(record.task.as_str()))
            else {
                continue;
            };
            let digest = now.entry(&task.name).or_insert_with(|| task.digest());
            if digest.as_ref() != Some(before) {
                changed.insert(record.task.clone());
            }
        }
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        self.records.retain(|record| record.inputs.is_none() || !changed.contains(&record.task));
        let kept = self.records.iter();
        self.done =
            kept.map(|record| (record.task.clone(), record.configuration.clone())).collect();
        self.rewrite()?;
        Ok(changed.into_iter().collect())
    }

    /// Writes all results anew.
    fn rewrite(&mut self) -> io::Result<()> {
        let (lines, table) = texts(&self.records);
        self.lines = replace(&self.folder.join("results.jsonl"), &lines)?;
        self.table = replace(&self.folder.join("results.csv"), &table)?;
        Ok(())
    }

    /// Whether there is a result already.
    #[must_use]
    pub fn has(&self, task: &str, configuration: &str) -> bool {
        self.done.contains(&(task.to_owned(), configuration.to_owned()))
    }

    /// Has a run count as done without a result: another process does this run.
    pub fn skip(&mut self, task: String, configuration: String) {
        self.done.insert((task, configuration));
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: Record) -> io::Result<()> {
        self.lines.write_all(json(&record).as_bytes())?;
        self.table.write_all(record.csv().as_bytes())?;
        if self.synced.elapsed() > SYNC {
            self.lines.sync_data()?;
            self.synced = Instant::now();
        }
        self.remember(record);
        Ok(())
    }

    /// All results, in the order in which they came.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The numbers of the lines of `results.jsonl` that were there and could not be read. Their runs are repeated.
    #[must_use]
    pub fn damaged(&self) -> &[usize] {
        &self.damaged
    }

    /// Whether the last line of `results.jsonl` was cut off when a batch was killed. Its run is repeated.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn remember(&mut self, record: Record) {
        self.done.insert((record.task.clone(), record.configuration.clone()));
        self.records.push(record);
    }
}

/// The contents of `results.jsonl` and of `results.csv`.
fn texts(records: &[Record]) -> (String, String) {
    let table: String = records.iter().map(Record::csv).collect();
    (records.iter().map(json).collect(), Record::COLUMNS.to_owned() + &table)
}

/// A line of `results.jsonl`.
fn json(record: &Record) -> String {
    // A record has only strings, numbers and truth values, so writing JSON cannot fail.
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// Puts text into a file, all of it or nothing, and leaves the file open for more.
fn replace(path: &Path, text: &str) -> io::Result<File> {
    let other = path.with_extension("new");
    let mut file = File::create(&other)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&other, path)?;
    OpenOptions::new().append(true).open(path)
}

fn agree(folder: &Path, before: &Settings, now: &Settings) -> Result<(), Refused> {
    let what = if before.suite != now.suite {
        format!("the suite {}", before.suite)
    } else if before.time_seconds.to_bits() != now.time_seconds.to_bits() {
        format!("a time limit of {} s", before.time_seconds)
    } else if before.memory_bytes != now.memory_bytes {
        format!("a memory limit of {} bytes", before.memory_bytes)
    } else if before.options != now.options {
        format!("the options {}", before.options.join(" "))
    } else if (&before.version, &before.build) != (&now.version, &now.build) {
        "another build of this program".to_owned()
    } else if let Some((name, _)) = now
        .columns
        .iter()
        .find(|(name, what)| before.columns.get(*name).is_some_and(|other| other != *what))
    {
        format!("something else as {name}")
    } else {
        return Ok(());
    };
    Err(Refused::Different(folder.to_owned(), what))
}

fn read_settings(path: &Path) -> Result<Settings, Refused> {
    let text = fs::read_to_string(path).map_err(|error| Refused::System(path.to_owned(), error))?;
    serde_json::from_str(&text)
        .map_err(|error| Refused::Unreadable(path.to_owned(), error.to_string()))
}

/// The results of a folder, for callers that add none.
///
/// # Errors
/// If the folder has no results.
pub fn read_results(folder: &Path) -> Result<(Settings, Vec<Record>), Refused> {
    let settings = read_settings(&folder.join("run.json"))?;
    let lines = folder.join("results.jsonl");
    let Journal { records, damaged, .. } = read_journal(&lines)?;
    match damaged.first() {
        Some(line) => Err(Refused::Unreadable(lines, format!("line {line} is damaged"))),
        None => Ok((settings, records)),
    }
}

/// What a file of results has.
#[derive(Default)]
pub(super) struct Journal {
    /// The results.
    pub records: Vec<Record>,
    /// The numbers of the lines that are no results.
    damaged: Vec<usize>,
    /// Whether the last line is incomplete: its run was interrupted, and is repeated.
    torn: bool,
}

/// Reads a file of results.
pub(super) fn read_journal(path: &Path) -> Result<Journal, Refused> {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Refused::System(path.to_owned(), error)),
    };
    let (mut journal, mut seen) = (Journal::default(), BTreeSet::new());
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str::<Record>(line) {
            Ok(record) => {
                if seen.insert((record.task.clone(), record.configuration.clone())) {
                    journal.records.push(record);
                }
            }
            Err(_) if !line.ends_with('\n') => journal.torn = true,
            Err(_) => journal.damaged.push(index + 1),
        }
    }
    Ok(journal)
}
