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
    if let Some(option) = unread(suite, product) {
        let name = clap::ValueEnum::to_possible_value(&suite);
        let name = name.as_ref().map_or("", |name| name.get_name());
        return Err(usage(&format!("the suite {name} does not look at {option}")));
    }
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
        memory_bytes: arguments.memory(),
        options,
        ..Settings::default()
    })
}

/// Does the runs that are missing, and says how far it is.
fn carry_out(batch: &Batch, store: &mut Store) -> Result<(), Missed> {
    let missing = batch.missing(store);
    output::tell(&format!(
        "{}, {} to do",
        counted(batch.tasks.len(), "program"),
        counted(missing, "run")
    ));
    let watched = io::stderr().is_terminal();
    batch.run(store, &interrupted(), &|count, record| {
        if watched || record.is_wrong() {
            output::tell(&line(count, missing, record));
        }
    })
}

/// Has results run again whose programs have changed since, and says which, and what else is run again.
fn forget_changed(store: &mut Store, tasks: &[Task]) -> Result<(), Exit> {
    const SHOWN: usize = 5;
    if let [first, rest @ ..] = store.damaged() {
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        output::tell(&format!(
            "note: line {first}{more} of results.jsonl could not be read; what is missing is run again"
        ));
    }
    if store.is_torn() {
        output::tell(
            "note: the last line of results.jsonl was cut off when the batch was killed; its run is done again",
        );
    }
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

/// A number of things: `1 task`, `2 tasks`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
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
    let found = find(folder, &arguments.include).map_err(|error| {
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

/// So many of some tasks as are wanted, evenly spread.
fn sampled(arguments: &Product, tasks: Vec<Task>) -> Vec<Task> {
    match arguments.sample {
        Some(count) => bench::partial::sample(&tasks, count.get()),
        None => tasks,
    }
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

/// The configurations that are wanted, of all that a suite has in the ways that are asked for (ours, to the letter).
/// A name stands for the configuration in these ways; one that ends with `-LETTER` for what it says.
fn wanted(
    arguments: &Product,
    all: &dyn Fn(bool, bool) -> Vec<Configuration>,
) -> Result<Vec<Configuration>, Exit> {
    let (ours, letter) = arguments.ways();
    let names = &arguments.configuration;
    if names.is_empty() {
        return Ok(all(ours, letter));
    }
    let known = all(true, true);
    let is_known = |name: &str| known.iter().any(|known| known.name == name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        return Err(usage(&format!("there is no configuration {name}")));
    }
    let is_named = |name: &str| names.iter().any(|other| other == name);
    let is_wanted = |configuration: &Configuration| {
        let name = configuration.name.as_str();
        match name.strip_suffix(product::LETTER) {
            Some(plain) => is_named(name) || (letter && is_named(plain)),
            // What is the same in both ways is there once.
            None => is_named(name) && (ours || !is_known(&format!("{name}{}", product::LETTER))),
        }
    };
    let wanted = known.iter().filter(|known| is_wanted(known));
    Ok(wanted.cloned().collect())
}

/// An option that a suite does not look at.
fn unread(suite: Suite, arguments: &Product) -> Option<&'static str> {
    use Suite::{Armc, Explicit, Loops, Partial, Product};
    let given: [(&str, bool, &[Suite]); 12] = [
        ("--sample", arguments.sample.is_some(), &[Product, Explicit, Loops, Partial]),
        ("--category", !arguments.category.is_empty(), &[Product, Explicit, Loops, Partial]),
        ("--resume", arguments.resume, &[Product, Explicit, Loops, Partial]),
        ("--configuration", !arguments.configuration.is_empty(), &[Product, Explicit]),
        ("--as", arguments.ways() != (true, false), &[Armc, Product, Explicit]),
        ("--further", arguments.further, &[Product]),
        ("--traversal", arguments.traversal.is_some(), &[Product]),
        ("--prune", arguments.prune.is_some(), &[Product]),
        ("--jobs", arguments.jobs.is_some(), &[Product, Explicit, Loops, Partial]),
        ("-I", !arguments.include.is_empty(), &[Product, Explicit, Loops, Partial]),
        ("--memory", arguments.memory.is_some(), &[Product, Explicit, Loops, Partial]),
        ("--solver", arguments.solver != "builtin", &[Product, Explicit, Loops, Partial]),
    ];
    let unread = given.iter().find(|(_, given, read)| *given && !read.contains(&suite));
    unread.map(|(name, ..)| *name)
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
