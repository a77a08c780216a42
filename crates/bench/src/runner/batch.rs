//! All tasks with all configurations, several at a time.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use frontend::{DataModel, Language};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::process::{self, Cgroups, Job, Keeper, Limits, Measured, RESERVED, Stopped};
use super::{Record, Status, Store, Task, Tool, Worth, check};

/// A way to check models, by name.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// Its name in tables.
    pub name: String,
    /// What `proviso check` is told.
    pub arguments: Vec<String>,
}

/// The tasks and configurations that are to be run, and within which limits.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The program, which knows the command `check`.
    pub program: PathBuf,
    /// The models.
    pub tasks: Vec<Task>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// Other programs that are tried on the same models.
    pub tools: Vec<Tool>,
    /// The options that every run gets besides the arguments of its configuration.
    pub options: Vec<String>,
    /// What a run may use.
    pub limits: Limits,
    /// How many runs go on at a time.
    pub jobs: usize,
    /// Whether runs leave reports, and how.
    pub reports: Option<Reports>,
    /// How runs are held together and within their limits.
    pub hold: Hold,
}

/// How runs are held together and within their limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hold {
    /// By control groups, where these can be made.
    pub cgroups: bool,
    /// Whether this process starts nothing but runs, so that every orphan comes from a run.
    pub sole: bool,
}

/// A column of the results: what a model is tried with.
#[derive(Clone, Copy, Debug)]
pub enum Column<'b> {
    /// This program.
    Own(&'b Configuration),
    /// Another program.
    Tool(&'b Tool),
}

impl<'b> Column<'b> {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'b str {
        match self {
            Column::Own(configuration) => &configuration.name,
            Column::Tool(tool) => &tool.name,
        }
    }
}

/// Runs that end by themselves and leave a report.
#[derive(Clone, Debug)]
pub struct Reports {
    /// Where runs write their reports, each to a folder of its own that is removed when the report was read.
    pub folder: PathBuf,
    /// The limit on the clock that a run is told. A run that is stopped from outside has no time for a
    /// report, so the limits of the batch have to be larger.
    pub time: Duration,
}

/// Why a batch ended early.
#[derive(Debug)]
pub enum Missed {
    /// The user has stopped the batch.
    Interrupted,
    /// A process could not be started, or a result could not be written.
    System(io::Error),
}

impl Batch {
    /// How many runs are not in the store yet.
    #[must_use]
    pub fn missing(&self, store: &Store) -> usize {
        self.plan(store).len()
    }

    /// Runs what is not in the store yet. `tell` is called with every result, and with the number of results so far. A
    /// run that `stop` cuts short leaves no result.
    ///
    /// # Errors
    /// If a run was left out.
    pub fn run(
        &self,
        store: &mut Store,
        stop: &AtomicBool,
        tell: &(dyn Fn(usize, &Record) + Sync),
    ) -> Result<(), Missed> {
        let plan = self.plan(store);
        let keeper = self.keeper(store.folder());
        // Processes that a killed batch has left behind would disturb this batch.
        process::end_left_over(&format!("{}-", keeper.mark));
        let (scratch, logs) = (store.folder().join("running"), store.folder().join("logs"));
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((store, 0, None));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((task, column)) = plan.get(number) else { return };
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let own = scratch.join(number.to_string());
                let inputs = task.digest();
                let result = match column {
                    Column::Own(way) => self.own(&keeper, number, task, way, stop),
                    Column::Tool(tool) => self.other(&keeper, &own, task, tool, stop),
                };
                if let Ok(Some((record, measured))) = &result {
                    log(&logs, record, measured);
                }
                let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (store, count, failed) = &mut *guard;
                let kept = match result {
                    Ok(Some((record, _))) => {
                        let record = Record { inputs, ..record };
                        *count += 1;
                        tell(*count, &record);
                        store.add(record)
                    }
                    Ok(None) => Ok(()),
                    Err(error) => Err(error),
                };
                if let Err(error) = kept {
                    // An error that happens once happens again, so the other threads are told to stop.
                    *failed = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(work);
            }
        });
        // The folder is empty but for files that could not be removed before.
        let _ = fs::remove_dir_all(&scratch);
        let (.., failed) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failed {
            Some(error) => Err(Missed::System(error)),
            None if stop.load(Ordering::Relaxed) => Err(Missed::Interrupted),
            None => Ok(()),
        }
    }

    /// The runs that are missing. A model is tried with all columns before the next model, so that the results after an
    /// interrupt can be compared, and that all columns suffer alike from other work of the machine.
    #[must_use]
    pub fn plan(&self, store: &Store) -> Vec<(&Task, Column<'_>)> {
        let mut plan = Vec::new();
        for task in &self.tasks {
            let own = self.configurations.iter().map(Column::Own);
            let others = self.tools.iter().filter(|tool| tool.takes(task)).map(Column::Tool);
            plan.extend(own.chain(others).map(|column| (task, column)));
        }
        plan.retain(|(task, column)| !store.has(&task.name, column.name()));
        plan
    }

    /// What the runs of this batch share; `folder` is where its results go.
    fn keeper(&self, folder: &Path) -> Keeper {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
        let mark = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let cgroups = if self.hold.cgroups { Cgroups::new().ok() } else { None };
        Keeper::new(mark, cgroups, self.hold.sole)
    }

    /// A run of this program.
    fn own(
        &self,
        keeper: &Keeper,
        number: usize,
        task: &Task,
        configuration: &Configuration,
        stop: &AtomicBool,
    ) -> io::Result<Option<(Record, Measured)>> {
        let own = self.reports.as_ref().map(|reports| reports.folder.join(number.to_string()));
        let job = Job {
            program: self.program.clone(),
            arguments: self.arguments(task, configuration, own.as_deref()),
            limits: self.limits,
            reserved: RESERVED,
            folder: None,
        };
        // A report of an earlier run must not be taken for that of this one.
        let clear = || own.iter().try_for_each(|folder| remove(folder));
        clear()?;
        let measured = process::run(&job, keeper, stop)?;
        let worth = own.as_deref().and_then(Worth::read);
        clear()?;
        if measured.stopped == Some(Stopped::Interrupted) {
            return Ok(None);
        }
        let record = check::read(task, &configuration.name, &measured, &self.limits);
        Ok(Some((Record { worth, ..record }, measured)))
    }

    /// A run of another program, in a folder of its own that goes away.
    fn other(
        &self,
        keeper: &Keeper,
        folder: &Path,
        task: &Task,
        tool: &Tool,
        stop: &AtomicBool,
    ) -> io::Result<Option<(Record, Measured)>> {
        remove(folder)?;
        fs::create_dir_all(folder)?;
        let job = tool.job(task, self.limits, folder);
        let measured = process::run(&job, keeper, stop);
        remove(folder)?;
        let measured = measured.map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", job.program.display()))
        })?;
        if measured.stopped == Some(Stopped::Interrupted) {
            return Ok(None);
        }
        Ok(Some((tool.read(task, &measured, &self.limits), measured)))
    }

    /// The command line of a run. The program is told all limits, so that it can share out its time; the limits are
    /// also enforced from outside. Where no reports are read, no time is kept back for them.
    fn arguments(
        &self,
        task: &Task,
        configuration: &Configuration,
        own: Option<&Path>,
    ) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["check".into(), task.file.clone().into()];
        let c = Language::of_path(&task.file) == Some(Language::C);
        match task.model.filter(|_| c) {
            Some(DataModel::Ilp32) => arguments.push("--32".into()),
            Some(DataModel::Lp64) => arguments.push("--64".into()),
            None => {}
        }
        match &task.property {
            Some(property) if c || Language::of_path(&task.file) == Some(Language::Task) => {
                arguments.push(format!("--property={property}").into());
            }
            // A task without a property is one of a suite, and suites know the answers about asserts and error calls
            // alone.
            None if c => arguments.extend(["--check".into(), "none".into()]),
            _ => {}
        }
        arguments.extend(configuration.arguments.iter().map(OsString::from));
        // An option can be given once: where a column has an option of its own, such as another solver, the shared one
        // is left out.
        let name = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let named =
            |option: &str| configuration.arguments.iter().any(|own| name(own) == name(option));
        let shared = self.options.iter().filter(|option| !named(option));
        arguments.extend(shared.map(OsString::from));
        let clock = self.reports.as_ref().map_or(self.limits.wall, |reports| reports.time);
        let limits = [
            "--stats=json".to_owned(),
            format!("--timelimit={}ms", clock.as_millis()),
            format!("--memlimit={}", self.limits.memory),
        ];
        arguments.extend(limits.map(OsString::from));
        if self.reports.is_none() {
            let cpu = format!("--cputimelimit={}ms", self.limits.cpu.as_millis());
            arguments.extend([cpu, "--report-budget=0s".to_owned()].map(OsString::from));
        }
        if let Some(folder) = own {
            arguments.extend(["--output-dir".into(), folder.into()]);
        }
        arguments
    }
}

/// Keeps the output of a run that failed or gave a wrong answer, so that the user can find out why.
fn log(folder: &Path, record: &Record, measured: &Measured) {
    if record.status != Status::Error && !record.is_wrong() {
        return;
    }
    let name = format!("{} {}.txt", record.task, record.configuration).replace('/', "_");
    let text = format!(
        "{} {}\n{}\n\nStandard output:\n{}\nStandard error:\n{}\n",
        record.task, record.configuration, measured.status, measured.out, measured.err
    );
    // The log is for people only: a batch goes on if the log cannot be written.
    let _ = fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(name), text));
}

/// Removes a folder with its contents, if the folder exists.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
