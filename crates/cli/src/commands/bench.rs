//! `proviso bench`: runs a suite or a batch and makes its tables.

mod batch;
mod slurm;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bench::runner::{
    Batch, Configuration, Found, Hold, Missed, Record, Reports, Settings, Status, Store, Task,
    Verdicts, build, find,
};
use bench::{loops, partial, product};

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
            output::write(&bench::armc::run(time(60)).to_string());
            Ok(Exit::Done)
        }
        (Suite::Armc, ..) => Err(usage("the suite armc brings its programs along")),
        (Suite::Product, [folder], Some(out)) => run_product(product, folder, out, time(180)),
        (Suite::Product, ..) => Err(usage("the suite product needs one folder and --out")),
        (Suite::Loops, [folder], Some(out)) => run_loops(product, folder, out, time(60)),
        (Suite::Loops, [folder], None) => {
            // The results of runs are collected in a folder, whether they are kept or not.
            let name = format!("proviso-loops-{}", std::process::id());
            let scratch = std::env::temp_dir().join(name);
            let exit = run_loops(product, folder, &scratch, time(60));
            let _ = std::fs::remove_dir_all(&scratch);
            exit
        }
        (Suite::Loops, ..) => Err(usage("the suite loops needs one folder")),
        (Suite::Partial, [folder], Some(out)) => run_partial(product, folder, out, time(10)),
        (Suite::Partial, ..) => Err(usage("the suite partial needs one folder and --out")),
    }
}

/// Runs the packages of the paper on loop summaries.
fn run_loops(arguments: &Product, folder: &Path, out: &Path, time: Duration) -> Result<Exit, Exit> {
    let program = program()?;
    let options = vec![format!("--solver={}", arguments.solver)];
    let settings = settings("loops", &program, arguments, time, options)?;
    let mut tasks = tasks(arguments, folder)?;
    tasks.retain(|task| loops::PACKAGES.iter().any(|package| package.name == task.category));
    if tasks.is_empty() {
        output::tell("error: none of the packages of the paper is there");
        return Err(Exit::BadInput);
    }
    let batch = Batch {
        program,
        tasks,
        configurations: loops::configurations(),
        options: settings.options.clone(),
        limits: product::limits(time, arguments.memory),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    };
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    let ended = carry_out(&batch, &mut store);
    let records = store.records();
    loops::report(store.folder(), &settings, records)
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    output::write(&loops::table(&settings, records));
    tell_end(&ended);
    let verdicts = Verdicts::of(records);
    let solved = records.iter().filter(|record| record.is_solved()).count();
    output::write(&format!(
        "loops: {} runs, {solved} solved, {} wrong, {} disagreements\n",
        records.len(),
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
    ));
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if ended.is_err() {
        Exit::Unknown
    } else {
        Exit::Done
    })
}

/// Runs the SystemC and driver tasks of a folder and compares what inconclusive runs are worth.
fn run_partial(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let options = vec![format!("--solver={}", arguments.solver)];
    let settings = settings("partial", &program, arguments, time, options)?;
    let mut tasks = tasks(arguments, folder)?;
    // Whoever names categories wants these.
    if arguments.category.is_empty() {
        tasks.retain(|task| partial::is_wanted(&task.category));
    }
    if tasks.is_empty() {
        output::tell("error: there are no SystemC or driver tasks; --category names others");
        return Err(Exit::BadInput);
    }
    if let Some(count) = arguments.sample {
        tasks = partial::sample(&tasks, count.get());
    }
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    let scratch = out.join("running");
    let batch = Batch {
        program,
        tasks,
        configurations: partial::configurations(),
        options: settings.options.clone(),
        limits: partial::limits(time, arguments.memory),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: Some(Reports { folder: scratch.clone(), time }),
    };
    let ended = carry_out(&batch, &mut store);
    // Empty but for what could not be removed before.
    let _ = std::fs::remove_dir_all(&scratch);
    let records = store.records();
    partial::report(store.folder(), &settings, records)
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    output::write(&partial::table(&settings, records));
    tell_end(&ended);
    let verdicts = Verdicts::of(records);
    let count = partial::Count::of(records);
    output::write(&format!(
        "partial: {} runs, {} answered, {} inconclusive, {} of them with an early trace, {} failed, {} \
         wrong, {} disagreements\n",
        records.len(),
        count.answered,
        count.inconclusive,
        count.early,
        count.failed,
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
    ));
    let failed = records.iter().any(|record| record.status == Status::Error);
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if ended.is_err() || failed {
        Exit::Unknown
    } else {
        Exit::Done
    })
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

fn run_product(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let settings = settings("product", &program, arguments, time, arguments.options())?;
    let batch = Batch {
        program,
        tasks: tasks(arguments, folder)?,
        configurations: configurations(arguments)?,
        options: settings.options.clone(),
        limits: product::limits(time, arguments.memory),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    };
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    let missing = batch.missing(&store);
    let told = format!(
        "{} models, {} configurations, {missing} runs to do",
        batch.tasks.len(),
        batch.configurations.len()
    );
    output::tell(&told);
    let watched = io::stderr().is_terminal();
    let ended = batch.run(&mut store, &interrupted(), &|count, record| {
        if watched || record.is_wrong() {
            output::tell(&line(count, missing, record));
        }
    });
    product::report(store.folder(), &settings, store.records())
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    conclude(&store, ended, out)
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

/// Writes what matters, contradictions first; the last line is for scripts.
fn conclude(store: &Store, ended: Result<(), Missed>, out: &Path) -> Result<Exit, Exit> {
    let records = store.records();
    let verdicts = Verdicts::of(records);
    output::write(&verdicts.to_string());
    let failed = records.iter().filter(|record| record.status == Status::Error);
    for record in failed.clone().take(5) {
        let Record { task, configuration, reason, .. } = record;
        output::tell(&format!("failed: {task} {configuration}: {reason}"));
    }
    let names: BTreeSet<String> = records.iter().map(|r| r.configuration.clone()).collect();
    let names: Vec<String> = names.into_iter().collect();
    for row in product::rank(records, &names) {
        output::write(&format!(
            "{:18} {:5} solved of {} in {} ms\n",
            row.configuration, row.solved, row.tried, row.milliseconds
        ));
    }
    let interrupted = ended.is_err();
    tell_end(&ended);
    let failed = failed.count();
    output::write(&format!(
        "product: {} runs, {} solved, {} wrong, {} disagreements, {failed} failed; see {}\n",
        records.len(),
        records.iter().filter(|record| record.is_solved()).count(),
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
        out.join("tables.md").display()
    ));
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if interrupted || failed > 0 {
        Exit::Unknown
    } else {
        Exit::Done
    })
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
        return Ok(product::configurations(arguments.further));
    }
    let mut all = product::configurations(true);
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
