//! The evaluations of papers on folders of models.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::runner::process::Limits;
use bench::runner::{
    Batch, Configuration, Hold, Missed, Record, Reports, Settings, Status, Store, Task, Verdicts,
};
use bench::{explicit, loops, partial, product};
use report::counted;

use super::carry::{carry_out, forget_changed, interrupted, program, settings};
use super::choose::{sampled, tasks, wanted};
use super::messages::{line, tell_end, usage};
use crate::arguments::bench::Product;
use crate::exit::Exit;
use crate::output;

/// The batch of a suite: its tasks and configurations, with what the command line says of all suites.
fn batch(
    program: PathBuf,
    arguments: &Product,
    settings: &Settings,
    tasks: Vec<Task>,
    configurations: Vec<Configuration>,
    limits: Limits,
) -> Batch {
    Batch {
        program,
        tasks: sampled(arguments, tasks),
        configurations,
        options: settings.options.clone(),
        limits,
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    }
}

/// Runs what is missing of a suite with `run`, and ends the suite. `end` writes the files and what is shown; it gives
/// the last line, which is for scripts, and how many runs have failed, if a suite with failed runs is not done.
fn carried_out(
    arguments: &Product,
    settings: &Settings,
    tasks: &[Task],
    out: &Path,
    run: impl FnOnce(&mut Store) -> Result<(), Missed>,
    end: impl FnOnce(&Path, &[Record], &Verdicts) -> io::Result<(String, usize)>,
) -> Result<Exit, Exit> {
    let mut store = Store::open(out, settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    forget_changed(&mut store, tasks)?;
    let ended = run(&mut store);
    let records = store.records();
    let verdicts = Verdicts::of(records);
    let (line, failed) = end(store.folder(), records, &verdicts)
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    tell_end(&ended);
    output::write(&line);
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if ended.is_err() || failed > 0 {
        Exit::Unknown
    } else {
        Exit::Done
    })
}

/// How many runs are solved.
fn solved(records: &[Record]) -> usize {
    records.iter().filter(|record| record.is_solved()).count()
}

/// The runs in which Proviso itself has failed.
fn failed(records: &[Record]) -> impl Iterator<Item = &Record> {
    records.iter().filter(|record| record.status == Status::Error)
}

/// Runs the packages of the paper on loop summaries.
pub(super) fn run_loops(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let options = arguments.shared()?;
    let settings = settings("loops", &program, arguments, time, options)?;
    let mut tasks = tasks(arguments, folder)?;
    tasks.retain(|task| loops::PACKAGES.iter().any(|package| package.name == task.category));
    if tasks.is_empty() {
        output::tell("error: none of the packages of the paper is there");
        return Err(Exit::BadInput);
    }
    let (configurations, limits) =
        (loops::configurations(), product::limits(time, arguments.memory()));
    let batch = batch(program, arguments, &settings, tasks, configurations, limits);
    let run = |store: &mut Store| carry_out(&batch, store);
    carried_out(arguments, &settings, &batch.tasks, out, run, |folder, records, verdicts| {
        loops::report(folder, &settings, records)?;
        output::write(&loops::table(&settings, records));
        let line = format!(
            "loops: {} runs, {} solved, {} wrong, {} disagreements\n",
            records.len(),
            solved(records),
            verdicts.wrong.len(),
            verdicts.disagreements.len(),
        );
        Ok((line, 0))
    })
}

/// Runs the configurations of the paper on explicit values with refinement on the categories of SV-COMP'12 that a
/// folder has.
pub(super) fn run_explicit(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let options = arguments.shared()?;
    let settings = settings("explicit", &program, arguments, time, options)?;
    let mut tasks = tasks(arguments, folder)?;
    tasks.retain(|task| explicit::category(&task.category).is_some());
    if tasks.is_empty() {
        output::tell("error: no family of the categories of SV-COMP'12 is there");
        return Err(Exit::BadInput);
    }
    let configurations = wanted(arguments, &explicit::configurations)?;
    let limits = product::limits(time, arguments.memory());
    let batch = batch(program, arguments, &settings, tasks, configurations, limits);
    let run = |store: &mut Store| carry_out(&batch, store);
    carried_out(arguments, &settings, &batch.tasks, out, run, |folder, records, verdicts| {
        explicit::report(folder, &settings, records)?;
        output::write(&explicit::table(&settings, records));
        Ok(last_line("explicit", records, verdicts, out))
    })
}

/// Runs the SystemC and driver tasks of a folder and compares what inconclusive runs are worth.
pub(super) fn run_partial(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let options = arguments.shared()?;
    let settings = settings("partial", &program, arguments, time, options)?;
    let mut tasks = tasks(arguments, folder)?;
    // Categories that the user names are taken as they are.
    if arguments.category.is_empty() {
        tasks.retain(|task| partial::is_wanted(&task.category));
    }
    if tasks.is_empty() {
        output::tell("error: there are no SystemC or driver tasks; --category names others");
        return Err(Exit::BadInput);
    }
    let scratch = out.join("running");
    let (configurations, limits) =
        (partial::configurations(), partial::limits(time, arguments.memory()));
    let batch = Batch {
        reports: Some(Reports { folder: scratch.clone(), time }),
        ..batch(program, arguments, &settings, tasks, configurations, limits)
    };
    let run = |store: &mut Store| {
        let ended = carry_out(&batch, store);
        // The folder is empty, but for files that could not be removed before.
        let _ = std::fs::remove_dir_all(&scratch);
        ended
    };
    carried_out(arguments, &settings, &batch.tasks, out, run, |folder, records, verdicts| {
        partial::report(folder, &settings, records)?;
        output::write(&partial::table(&settings, records));
        let count = partial::Count::of(records);
        let line = format!(
            "partial: {} runs, {} answered, {} inconclusive, {} of them with an early trace, {} failed, {} \
             wrong, {} disagreements\n",
            records.len(),
            count.answered,
            count.inconclusive,
            count.early,
            count.failed,
            verdicts.wrong.len(),
            verdicts.disagreements.len(),
        );
        Ok((line, failed(records).count()))
    })
}

/// Runs the configurations of the report on product abstraction.
pub(super) fn run_product(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let settings = settings("product", &program, arguments, time, arguments.options()?)?;
    // A user who names configurations may also name those that the report does not have.
    let further = arguments.further || !arguments.configuration.is_empty();
    let all = |ours, letter| product::configurations_as(ours, letter, further);
    let tasks = tasks(arguments, folder)?;
    let configurations = wanted(arguments, &all)?;
    let limits = product::limits(time, arguments.memory());
    let batch = batch(program, arguments, &settings, tasks, configurations, limits);
    let run = |store: &mut Store| {
        let missing = batch.missing(store);
        let models = counted(batch.tasks.len(), "model");
        let configurations = counted(batch.configurations.len(), "configuration");
        output::tell(&format!("{models}, {configurations}, {} to do", counted(missing, "run")));
        let watched = io::stderr().is_terminal();
        batch.run(store, &interrupted(), &|count, record| {
            if watched || record.is_wrong() {
                output::tell(&line(count, missing, record));
            }
        })
    };
    carried_out(arguments, &settings, &batch.tasks, out, run, |folder, records, verdicts| {
        product::report(folder, &settings, records)?;
        rank(records, verdicts);
        Ok(last_line("product", records, verdicts, out))
    })
}

/// The last line of a suite that compares configurations, with how many of its runs failed.
fn last_line(suite: &str, records: &[Record], verdicts: &Verdicts, out: &Path) -> (String, usize) {
    let failed = failed(records).count();
    let line = format!(
        "{suite}: {} runs, {} solved, {} wrong, {} disagreements, {failed} failed; see {}\n",
        records.len(),
        solved(records),
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
        out.join("tables.md").display()
    );
    (line, failed)
}

/// Writes what matters of a comparison of configurations: contradictions, some runs that failed, and the
/// configurations, best first.
fn rank(records: &[Record], verdicts: &Verdicts) {
    output::write(&verdicts.to_string());
    for record in failed(records).take(5) {
        let Record { task, configuration, reason, .. } = record;
        output::tell(&format!("failed: {task} {configuration}: {reason}"));
    }
    let names: BTreeSet<String> = records.iter().map(|r| r.configuration.clone()).collect();
    let names: Vec<String> = names.into_iter().collect();
    for row in product::rank(records, &names) {
        output::write(&format!(
            "{:24} {:5} solved of {} in {} ms\n",
            row.configuration, row.solved, row.tried, row.milliseconds
        ));
    }
}
