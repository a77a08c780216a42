//! `proviso bench --engine slurm`: submits job arrays, and collects what comes of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use bench::runner::slurm::{Array, Plan, Submission, element_folder, finish};
use bench::runner::{Batch, Hold, Missed, Store, Tool, describe};
use report::counted;

use super::carry::{Prepared, interrupted, program};
use super::messages::{Progress, tell_end, usage};
use crate::arguments::bench::Bench;
use crate::exit::Exit;
use crate::output;

/// How long to wait between two looks at the results of an array.
const LOOK: Duration = Duration::from_secs(2);

/// How often in a row Slurm may fail to answer before the batch gives up.
const PATIENCE: usize = 30;

/// Submits the runs that are missing and collects their results, again and again until no run is missing.
pub(super) fn carry_out(
    arguments: &Bench,
    prepared: &Prepared,
    store: &mut Store,
) -> Result<Result<(), Missed>, Exit> {
    let batch = &prepared.batch;
    let submission = Submission {
        program: copy_of_program(store.folder())?,
        options: arguments.batch.sbatch.clone(),
        jobs: arguments.product.jobs.map(std::num::NonZeroUsize::get),
    };
    let missing = batch.missing(store);
    let (tasks, runs) = (counted(batch.tasks.len(), "task"), counted(missing, "run"));
    output::tell(&format!("{tasks}, {runs} to do"));
    let mut collector = Collector { progress: Progress::new(missing), count: 0, store };
    let stop = interrupted();
    // Arrays that an earlier run has submitted may go on, or have ended meanwhile.
    let mut arrays = Array::all(collector.store.folder());
    loop {
        for mut array in arrays.drain(..) {
            if let Err(missed) = collector.wait(&mut array, &stop) {
                return Ok(Err(missed));
            }
        }
        let chunk = arguments.batch.chunk.map(std::num::NonZeroUsize::get);
        let mut plan = Plan::new(batch, &prepared.settings, collector.store, chunk);
        if plan.elements.is_empty() {
            return Ok(Ok(()));
        }
        for tool in &prepared.tools {
            let path = fs::canonicalize(tool)
                .map_err(|error| usage(&format!("{}: {error}", tool.display())))?;
            plan.tools.push(path);
        }
        let before = collector.count;
        let mut array = match Array::submit(collector.store.folder(), &plan, &submission) {
            Ok(array) => array,
            Err(error) => return Ok(Err(Missed::System(error))),
        };
        output::tell(&format!("{}: {} elements submitted", array.name, plan.elements.len()));
        if let Err(missed) = collector.wait(&mut array, &stop) {
            return Ok(Err(missed));
        }
        if collector.count == before {
            let logs = array.folder.display();
            let message = format!("no element of the last array has left a result; see {logs}");
            return Ok(Err(Missed::System(io::Error::other(message))));
        }
    }
}

/// Puts the results of elements into the store.
struct Collector<'s> {
    store: &'s mut Store,
    progress: Progress,
    count: usize,
}

impl Collector<'_> {
    /// Collects until no element of an array has anything left to do.
    fn wait(
        &mut self,
        array: &mut Array,
        stop: &std::sync::atomic::AtomicBool,
    ) -> Result<(), Missed> {
        let mut failures = 0;
        loop {
            if stop.load(Ordering::Relaxed) {
                output::tell(&format!("the jobs go on; scancel --name {} ends them", array.name));
                return Err(Missed::Interrupted);
            }
            // Slurm is asked before the results are read, so that no result of an element that has ended is missed.
            let alive = array.alive();
            self.take(array).map_err(Missed::System)?;
            match alive {
                Ok(0) => return Ok(()),
                Ok(_) => failures = 0,
                Err(error) => {
                    failures += 1;
                    if failures > PATIENCE {
                        return Err(Missed::System(error));
                    }
                }
            }
            thread::sleep(LOOK);
        }
    }

    /// Adds results that are not known yet.
    fn take(&mut self, array: &mut Array) -> io::Result<()> {
        for record in array.collect()? {
            if !self.store.has(&record.task, &record.configuration) {
                self.count += 1;
                self.progress.tell(self.count, &record);
                self.store.add(record)?;
            }
        }
        Ok(())
    }
}

/// Copies this program beside the results. Nodes run the copy, which no later build replaces.
fn copy_of_program(out: &Path) -> Result<PathBuf, Exit> {
    let refuse = |error: io::Error| usage(&format!("{}: {error}", out.display()));
    let folder = fs::canonicalize(out).map_err(refuse)?.join("slurm");
    fs::create_dir_all(&folder).map_err(refuse)?;
    let copy = folder.join("proviso");
    if !copy.exists() {
        let new = folder.join("proviso.new");
        fs::copy(program()?, &new).map_err(refuse)?;
        fs::rename(&new, &copy).map_err(refuse)?;
    }
    Ok(copy)
}

/// Carries out an element of a job array.
pub(super) fn element(folder: &Path) -> Result<Exit, Exit> {
    let number = std::env::var("SLURM_ARRAY_TASK_ID").ok().and_then(|text| text.parse().ok());
    let number: usize = number.ok_or_else(|| usage("SLURM_ARRAY_TASK_ID names no element"))?;
    let plan =
        Plan::read(folder).map_err(|error| usage(&format!("{}: {error}", folder.display())))?;
    let mut tools = Vec::new();
    for file in &plan.tools {
        tools.push(Tool::read_file(file).map_err(|refused| usage(&refused.to_string()))?);
    }
    let mut settings = plan.settings.clone();
    settings.machine = describe(plan.cgroups);
    let tasks = plan.elements.get(number).into_iter().flatten().map(|(task, _)| task.clone());
    let batch = Batch {
        program: program()?,
        tasks: tasks.collect(),
        configurations: plan.configurations.clone(),
        tools,
        options: plan.options.clone(),
        limits: plan.limits,
        jobs: 1,
        reports: None,
        hold: Hold { cgroups: plan.cgroups, sole: true },
    };
    let mut store = Store::open(&element_folder(folder, number), &settings, true)
        .map_err(|refused| usage(&refused.to_string()))?;
    plan.restrict(number, &batch, &mut store);
    let ended = batch.run(&mut store, &interrupted(), &|_, _| {});
    tell_end(&ended);
    if ended.is_err() {
        return Err(Exit::Unknown);
    }
    finish(folder, number).map_err(|error| usage(&format!("{}: {error}", folder.display())))?;
    Ok(Exit::Done)
}
