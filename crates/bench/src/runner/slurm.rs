//! Batches as job arrays of Slurm.
//!
//! Each array has a folder below that of the results: the plan, the script, and for each element a folder with its
//! results, which the collector reads. Runs that an array leaves undone, because a node was lost or a job was
//! cancelled, go into the next array. States come from `squeue` alone, so that no accounting is needed; arrays are
//! known by name, so that no array is lost between its submission and a crash of the collector.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::process::Limits;
use super::store::read_journal;
use super::{Batch, Column, Configuration, Record, Settings, Store, Task};

/// What the elements of an array do.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Plan {
    /// How results are measured.
    pub settings: Settings,
    /// What a run may use.
    pub limits: Limits,
    /// The options that every run gets.
    pub options: Vec<String>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// The files of other tools.
    pub tools: Vec<PathBuf>,
    /// Whether control groups are wanted.
    pub cgroups: bool,
    /// For each element its tasks, each with the columns that are missing.
    pub elements: Vec<Vec<(Task, BTreeSet<String>)>>,
}

/// How jobs are submitted.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The program, which all nodes see.
    pub program: PathBuf,
    /// Options of `sbatch`.
    pub options: Vec<String>,
    /// How many elements may run at a time, if not as many as Slurm allows.
    pub jobs: Option<usize>,
}

/// A job array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Where its plan, its script and its results are.
    pub folder: PathBuf,
    /// The name of the job.
    pub name: String,
    /// Elements that have done all they had to, and whose results have been read.
    finished: BTreeSet<usize>,
    count: usize,
}

/// Elements of an array; Slurm refuses arrays with more than a thousand unless it is told otherwise.
const ELEMENTS: usize = 500;

impl Plan {
    /// The runs that are missing. All columns of a task are in one element, so that they run on one machine. An element
    /// has `chunk` tasks, or else as many tasks as give at most [`ELEMENTS`] elements.
    #[must_use]
    pub fn new(batch: &Batch, settings: &Settings, store: &Store, chunk: Option<usize>) -> Self {
        let mut missing: Vec<(Task, BTreeSet<String>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (task, column) in batch.plan(store) {
            let place = *places.entry(&task.name).or_insert_with(|| {
                missing.push((task.clone(), BTreeSet::new()));
                missing.len() - 1
            });
            missing[place].1.insert(column.name().to_owned());
        }
        let chunk = chunk.unwrap_or(missing.len().div_ceil(ELEMENTS)).max(1);
        Self {
            settings: settings.clone(),
            limits: batch.limits,
            options: batch.options.clone(),
            configurations: batch.configurations.clone(),
            tools: Vec::new(),
            cgroups: batch.hold.cgroups,
            elements: missing.chunks(chunk).map(<[_]>::to_vec).collect(),
        }
    }

    /// Reads the plan of an array.
    ///
    /// # Errors
    /// If the plan cannot be read.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(folder.join("plan.json"))?;
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// Has a store count the runs that an element has nothing to do with as done.
    pub fn restrict(&self, element: usize, batch: &Batch, store: &mut Store) {
        let wanted = self.elements.get(element).into_iter().flatten();
        let wanted: BTreeSet<(&str, &str)> = wanted
            .flat_map(|(task, columns)| {
                columns.iter().map(|name| (task.name.as_str(), name.as_str()))
            })
            .collect();
        let skipped: Vec<(String, String)> = batch
            .plan(store)
            .into_iter()
            .map(|(task, column): (&Task, Column)| (task.name.as_str(), column.name()))
            .filter(|pair| !wanted.contains(pair))
            .map(|(task, column)| (task.to_owned(), column.to_owned()))
            .collect();
        for (task, column) in skipped {
            store.skip(task, column);
        }
    }
}

/// The folder of an element.
#[must_use]
pub fn element_folder(array: &Path, element: usize) -> PathBuf {
    array.join(format!("element-{element}"))
}

/// Says that an element has done all it had to.
///
/// # Errors
/// If the file cannot be written.
pub fn finish(array: &Path, element: usize) -> io::Result<()> {
    fs::write(element_folder(array, element).join("done"), "")
}

impl Array {
    /// Writes the plan and the script of a new array, and submits it.
    ///
    /// # Errors
    /// If a file cannot be written, or `sbatch` refuses the job.
    pub fn submit(out: &Path, plan: &Plan, how: &Submission) -> io::Result<Self> {
        let out = fs::canonicalize(out)?;
        let number = 1 + (0..).take_while(|number| place(&out, number + 1).exists()).count();
        let array = Self {
            folder: place(&out, number),
            name: job_name(&out, number),
            finished: BTreeSet::new(),
            count: plan.elements.len(),
        };
        fs::create_dir_all(&array.folder)?;
        let text = serde_json::to_string(plan).map_err(io::Error::other)?;
        fs::write(array.folder.join("plan.json"), text)?;
        let script = array.folder.join("job.sh");
        fs::write(&script, array.script(plan, how))?;
        slurm(Command::new("sbatch").arg("--parsable").arg(&script))?;
        Ok(array)
    }

    /// The arrays that were submitted for a folder of results.
    #[must_use]
    pub fn all(out: &Path) -> Vec<Self> {
        let Ok(out) = fs::canonicalize(out) else { return Vec::new() };
        let mut arrays = Vec::new();
        for number in 1.. {
            let folder = place(&out, number);
            if !folder.exists() {
                break;
            }
            let count = Plan::read(&folder).map_or(0, |plan| plan.elements.len());
            let name = job_name(&out, number);
            arrays.push(Self { folder, name, finished: BTreeSet::new(), count });
        }
        arrays
    }

    /// How many elements are still to run, or run now.
    ///
    /// # Errors
    /// If Slurm does not answer.
    pub fn alive(&self) -> io::Result<usize> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--format=%T", "--name", &self.name]);
        Ok(alive(&slurm(&mut command)?))
    }

    /// The results so far of all elements but those whose last results were read before.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn collect(&mut self) -> io::Result<Vec<Record>> {
        let mut records = Vec::new();
        for element in 0..self.count {
            let folder = element_folder(&self.folder, element);
            if self.finished.contains(&element) || !folder.exists() {
                continue;
            }
            // Whether the element is done is asked before its results are read, so that no result is missed.
            let done = folder.join("done").exists();
            let read = read_journal(&folder.join("results.jsonl"));
            // A run whose line is damaged is missing, and goes into the next array.
            let read = read.map_err(|refused| io::Error::other(refused.to_string()))?;
            records.extend(read.records);
            if done {
                self.finished.insert(element);
            }
        }
        Ok(records)
    }

    /// The job script. An element is not started again by Slurm: what it leaves undone goes into the next
    /// array.
    fn script(&self, plan: &Plan, how: &Submission) -> String {
        let folder = self.folder.display();
        let most = how.jobs.map_or(String::new(), |jobs| format!("%{jobs}"));
        let megabytes = plan.limits.memory / 1_000_000 + 256;
        let columns = plan.configurations.len() + plan.tools.len();
        let tasks = plan.elements.iter().map(Vec::len).max().unwrap_or(1);
        let minutes = (plan.limits.wall.as_secs() + 10) * (columns * tasks) as u64 / 60 + 5;
        let mut script = String::from("#!/bin/sh\n");
        for option in [
            format!("--job-name={}", self.name),
            format!("--array=0-{}{most}", self.count.saturating_sub(1)),
            format!("--output=\"{folder}/log-%a.txt\""),
            "--no-requeue".to_owned(),
            "--ntasks=1".to_owned(),
            "--cpus-per-task=1".to_owned(),
            format!("--mem={megabytes}M"),
            format!("--time={minutes}"),
        ]
        .iter()
        .chain(&how.options)
        {
            let _ = writeln!(script, "#SBATCH {option}");
        }
        let program = quoted(&how.program.to_string_lossy());
        let folder = quoted(&self.folder.to_string_lossy());
        let _ = writeln!(script, "exec {program} bench --element {folder}");
        script
    }
}

fn place(out: &Path, number: usize) -> PathBuf {
    out.join("slurm").join(number.to_string())
}

/// A name that no other array has.
fn job_name(out: &Path, number: usize) -> String {
    let digest = Sha256::digest(out.as_os_str().as_encoded_bytes());
    let digest: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("proviso-{digest}-{number}")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// How many states are those of elements that still have something to do.
fn alive(states: &str) -> usize {
    let over = [
        "COMPLETED",
        "COMPLETING",
        "FAILED",
        "CANCELLED",
        "TIMEOUT",
        "NODE_FAIL",
        "PREEMPTED",
        "BOOT_FAIL",
        "DEADLINE",
        "OUT_OF_MEMORY",
        "REVOKED",
    ];
    states.lines().filter(|line| !line.is_empty() && !over.contains(&line.trim())).count()
}

/// What a command of Slurm writes.
fn slurm(command: &mut Command) -> io::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        io::Error::new(error.kind(), format!("{name}: {error}; is Slurm installed?"))
    })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("{name}: {}", text.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_are_over_are_not_waited_for() {
        assert_eq!(alive("RUNNING\nPENDING\nCOMPLETING\nNODE_FAIL\nCONFIGURING\n\n"), 3);
        assert_eq!(alive(""), 0);
    }

    #[test]
    fn scripts_quote_what_they_name() {
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
    }
}
