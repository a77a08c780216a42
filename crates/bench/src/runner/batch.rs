//! All tasks with all configurations, several at a time.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use frontend::{DataModel, Language};

use super::process::{self, Job, Limits, Stopped};
use super::{Record, Store, Task, check};

/// A way to check models, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// Its name in tables.
    pub name: String,
    /// What `proviso check` is told.
    pub arguments: Vec<String>,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The program, which knows the command `check`.
    pub program: PathBuf,
    /// The models.
    pub tasks: Vec<Task>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// What every run is told besides.
    pub options: Vec<String>,
    /// What a run may use.
    pub limits: Limits,
    /// How many run at a time.
    pub jobs: usize,
}

/// Why a batch ended early.
#[derive(Debug)]
pub enum Missed {
    /// The user wanted it.
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

    /// Runs what is not in the store yet. `tell` hears of every result, with the number of those
    /// so far. A run that `stop` cuts short leaves no result.
    ///
    /// # Errors
    /// If something was left out.
    pub fn run(
        &self,
        store: &mut Store,
        stop: &AtomicBool,
        tell: &(dyn Fn(usize, &Record) + Sync),
    ) -> Result<(), Missed> {
        let plan = self.plan(store);
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((store, 0, None));
        let work = || {
            while let Some((task, configuration)) = plan.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let result = self.one(task, configuration, stop);
                let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (store, count, failed) = &mut *guard;
                let kept = match result {
                    Ok(Some(record)) => {
                        *count += 1;
                        tell(*count, &record);
                        store.add(record)
                    }
                    Ok(None) => Ok(()),
                    Err(error) => Err(error),
                };
                if let Err(error) = kept {
                    // What fails once fails again: the others are told to stop.
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
        let (.., failed) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failed {
            Some(error) => Err(Missed::System(error)),
            None if stop.load(Ordering::Relaxed) => Err(Missed::Interrupted),
            None => Ok(()),
        }
    }

    /// The runs that are missing. A model is tried in all ways before the next one, so that what is
    /// there after an interrupt can be compared.
    fn plan(&self, store: &Store) -> Vec<(&Task, &Configuration)> {
        let pairs = self.tasks.iter().flat_map(|task| {
            self.configurations.iter().map(move |configuration| (task, configuration))
        });
        pairs.filter(|(task, way)| !store.has(&task.name, &way.name)).collect()
    }

    fn one(
        &self,
        task: &Task,
        configuration: &Configuration,
        stop: &AtomicBool,
    ) -> io::Result<Option<Record>> {
        let job = Job {
            program: self.program.clone(),
            arguments: self.arguments(task, configuration),
            limits: self.limits,
        };
        let measured = process::run(&job, stop)?;
        let cut = measured.stopped == Some(Stopped::Interrupted);
        Ok((!cut).then(|| check::read(task, &configuration.name, &measured, &self.limits)))
    }

    /// The command line of a run. The program's own limit on time is one of the clock, so it gets
    /// that; the limit on processor time is seen to from outside.
    fn arguments(&self, task: &Task, configuration: &Configuration) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["check".into(), task.file.clone().into()];
        let c = Language::of_path(&task.file) == Some(Language::C);
        match task.model.filter(|_| c) {
            Some(DataModel::Ilp32) => arguments.push("--32".into()),
            Some(DataModel::Lp64) => arguments.push("--64".into()),
            None => {}
        }
        arguments.extend(configuration.arguments.iter().map(OsString::from));
        arguments.extend(self.options.iter().map(OsString::from));
        let limits = [
            "--stats=json".to_owned(),
            format!("--timelimit={}ms", self.limits.wall.as_millis()),
            format!("--memlimit={}", self.limits.memory),
        ];
        arguments.extend(limits.map(OsString::from));
        arguments
    }
}
