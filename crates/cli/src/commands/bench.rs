//! `proviso bench`: runs a suite or a batch and makes its tables.

mod batch;
mod slurm;
mod suites;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bench::product;
use bench::runner::{
    Batch, Configuration, Found, Missed, Record, Settings, Store, Task, build, find,
};

use crate::arguments::bench::{Bench, Product, Suite};
use crate::exit::Exit;
use crate::output;

/// Runs the suite, or a batch.
pub fn run(arguments: &Bench) -> Result<Exit, Exit> {
    let time = |seconds| arguments.time.unwrap_or(Duration::from_secs(seconds));
    let product = &arguments.product;
    let Some(suite) = arguments.suite else { return batch::run(arguments, time(60)) };
    match (suite, product.sets.as_slice(), &product.out) {
        (Suite::Armc, [], None) => {
            let (ours, letter) = product.ways();
            if ours {
                output::write(&bench::armc::run(time(60), false).to_string());
            }
            if letter {
                output::write(&bench::armc::run(time(60), true).to_string());
            }
            Ok(Exit::Done)
        }
        (Suite::Explicit, [folder], Some(out)) => {
            suites::run_explicit(product, folder, out, time(60))
        }
        (Suite::Explicit, ..) => Err(usage("the suite explicit needs one folder and --out")),
        (Suite::Armc, ..) => Err(usage("the suite armc brings its programs along")),
        (Suite::Product, [folder], Some(out)) => {
            suites::run_product(product, folder, out, time(180))
        }
        (Suite::Product, ..) => Err(usage("the suite product needs one folder and --out")),
        (Suite::Loops, [folder], Some(out)) => suites::run_loops(product, folder, out, time(60)),
        (Suite::Loops, [folder], None) => {
            // The results of runs are collected in a folder, whether they are kept or not.
            let name = format!("proviso-loops-{}", std::process::id());
            let scratch = std::env::temp_dir().join(name);
            let exit = suites::run_loops(product, folder, &scratch, time(60));
            let _ = std::fs::remove_dir_all(&scratch);
            exit
        }
        (Suite::Loops, ..) => Err(usage("the suite loops needs one folder")),
        (Suite::Partial, [folder], Some(out)) => {
            suites::run_partial(product, folder, out, time(10))
        }
        (Suite::Partial, ..) => Err(usage("the suite partial needs one folder and --out")),
    }
}

/// What is measured.
fn settings(
    suite: &str,
    program: &Path,
    arguments: &Product,
    time: Duration,
    options: Vec<String>,
) -> Result<Settings, Exit> {
    Ok(Settings {
        suite: suite.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: build(program).map_err(|error| usage(&format!("cannot read myself: {error}")))?,
        time_seconds: time.as_secs_f64(),
        memory_bytes: arguments.memory,
        options,
        ..Settings::default()
    })
}

/// Does the runs that are missing, and says how far it is.
fn carry_out(batch: &Batch, store: &mut Store) -> Result<(), Missed> {
    let missing = batch.missing(store);
    output::tell(&format!("{} programs, {missing} runs to do", batch.tasks.len()));
    let watched = io::stderr().is_terminal();
    batch.run(store, &interrupted(), &|count, record| {
        if watched || record.is_wrong() {
            output::tell(&line(count, missing, record));
        }
    })
}

/// Has results run again whose programs have changed since, and says which.
fn forget_changed(store: &mut Store, tasks: &[Task]) -> Result<(), Exit> {
    const SHOWN: usize = 5;
    let changed = store
        .forget_changed(tasks)
        .map_err(|error| usage(&format!("{}: {error}", store.folder().display())))?;
    if !changed.is_empty() {
        let more = changed.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = changed.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        output::tell(&format!(
            "note: these have changed since their results were written, and are run again: {names}{more}"
        ));
    }
    Ok(())
}

/// Says why runs are missing, if some are.
fn tell_end(ended: &Result<(), Missed>) {
    match ended {
        Err(Missed::Interrupted) => output::tell("interrupted; --resume goes on"),
        Err(Missed::System(error)) => output::tell(&format!("error: {error}")),
        Ok(()) => {}
    }
}

fn usage(message: &str) -> Exit {
    output::tell(&format!("error: {message}"));
    Exit::Usage
}

/// A flag that an interrupt sets; a second interrupt ends the process.
fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler an interrupt ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::abort();
        }
    });
    stop
}

/// This program. Where the system has a name for it, that stays the same build even if the file is
/// replaced during a long run.
fn program() -> Result<PathBuf, Exit> {
    let same = PathBuf::from("/proc/self/exe");
    if same.exists() {
        return Ok(same);
    }
    std::env::current_exe().map_err(|error| usage(&format!("cannot find myself: {error}")))
}

fn tasks(arguments: &Product, folder: &Path) -> Result<Vec<Task>, Exit> {
    let found = find(folder).map_err(|error| {
        output::tell(&format!("error: cannot read {}: {error}", folder.display()));
        Exit::BadInput
    })?;
    let tasks = chosen(arguments, found)?;
    if tasks.is_empty() {
        output::tell(&format!("error: there are no models in {}", folder.display()));
        return Err(Exit::BadInput);
    }
    Ok(tasks)
}

/// The tasks of the categories that are wanted.
fn chosen(arguments: &Product, found: Found) -> Result<Vec<Task>, Exit> {
    for note in &found.notes {
        output::tell(&format!("note: {note}"));
    }
    let known: BTreeSet<&str> = found.tasks.iter().map(|task| task.category.as_str()).collect();
    if let Some(name) = arguments.category.iter().find(|name| !known.contains(name.as_str())) {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(usage(&format!("there is no category {name}; there are {known}")));
    }
    let wanted =
        |task: &Task| arguments.category.is_empty() || arguments.category.contains(&task.category);
    Ok(found.tasks.into_iter().filter(wanted).collect())
}

fn configurations(arguments: &Product) -> Result<Vec<Configuration>, Exit> {
    if arguments.configuration.is_empty() {
        let (ours, letter) = arguments.ways();
        return Ok(product::configurations_as(ours, letter, arguments.further));
    }
    only(arguments, product::configurations_as(true, true, true))
}

/// Those configurations that are wanted.
fn only(arguments: &Product, all: Vec<Configuration>) -> Result<Vec<Configuration>, Exit> {
    if arguments.configuration.is_empty() {
        return Ok(all);
    }
    let mut all = all;
    let unknown = |name: &&String| !all.iter().any(|known| known.name == **name);
    if let Some(name) = arguments.configuration.iter().find(unknown) {
        return Err(usage(&format!("there is no configuration {name}")));
    }
    all.retain(|known| arguments.configuration.contains(&known.name));
    Ok(all)
}

fn line(count: usize, missing: usize, record: &Record) -> String {
    let said = match record.verdict {
        Some(true) => "TRUE",
        Some(false) => "FALSE",
        None => record.status.name(),
    };
    let wrong = if record.is_wrong() { " WRONG" } else { "" };
    format!(
        "[{count}/{missing}] {} {}: {said}{wrong} {:.2} s",
        record.task, record.configuration, record.cpu_seconds
    )
}
