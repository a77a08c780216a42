//! The evaluations of papers on folders of models.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use bench::runner::{Batch, Hold, Missed, Record, Reports, Status, Store, Verdicts};
use bench::{explicit, loops, partial, product};

use super::carry::{carry_out, forget_changed, interrupted, program, settings};
use super::choose::{sampled, tasks, wanted};
use super::messages::{counted, line, tell_end, usage};
use crate::arguments::bench::Product;
use crate::exit::Exit;
use crate::output;

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
    let batch = Batch {
        program,
        tasks: sampled(arguments, tasks),
        configurations: loops::configurations(),
        options: settings.options.clone(),
        limits: product::limits(time, arguments.memory()),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    };
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    forget_changed(&mut store, &batch.tasks)?;
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
    let batch = Batch {
        program,
        tasks: sampled(arguments, tasks),
        configurations: wanted(arguments, &explicit::configurations)?,
        options: settings.options.clone(),
        limits: product::limits(time, arguments.memory()),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    };
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    forget_changed(&mut store, &batch.tasks)?;
    let ended = carry_out(&batch, &mut store);
    let records = store.records();
    explicit::report(store.folder(), &settings, records)
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    output::write(&explicit::table(&settings, records));
    tell_end(&ended);
    let verdicts = Verdicts::of(records);
    let solved = records.iter().filter(|record| record.is_solved()).count();
    let failed = records.iter().filter(|record| record.status == Status::Error).count();
    output::write(&format!(
        "explicit: {} runs, {solved} solved, {} wrong, {} disagreements, {failed} failed; see {}\n",
        records.len(),
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
        out.join("tables.md").display()
    ));
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if ended.is_err() || failed > 0 {
        Exit::Unknown
    } else {
        Exit::Done
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
    // Whoever names categories wants these.
    if arguments.category.is_empty() {
        tasks.retain(|task| partial::is_wanted(&task.category));
    }
    if tasks.is_empty() {
        output::tell("error: there are no SystemC or driver tasks; --category names others");
        return Err(Exit::BadInput);
    }
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    let scratch = out.join("running");
    let batch = Batch {
        program,
        tasks: sampled(arguments, tasks),
        configurations: partial::configurations(),
        options: settings.options.clone(),
        limits: partial::limits(time, arguments.memory()),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: Some(Reports { folder: scratch.clone(), time }),
    };
    forget_changed(&mut store, &batch.tasks)?;
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

/// Runs the configurations of the report on product abstraction.
pub(super) fn run_product(
    arguments: &Product,
    folder: &Path,
    out: &Path,
    time: Duration,
) -> Result<Exit, Exit> {
    let program = program()?;
    let settings = settings("product", &program, arguments, time, arguments.options()?)?;
    // Whoever names configurations may name those that the report does not have.
    let further = arguments.further || !arguments.configuration.is_empty();
    let all = |ours, letter| product::configurations_as(ours, letter, further);
    let batch = Batch {
        program,
        tasks: sampled(arguments, tasks(arguments, folder)?),
        configurations: wanted(arguments, &all)?,
        options: settings.options.clone(),
        limits: product::limits(time, arguments.memory()),
        jobs: arguments.local_jobs(),
        tools: Vec::new(),
        hold: Hold::default(),
        reports: None,
    };
    let mut store = Store::open(out, &settings, arguments.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    forget_changed(&mut store, &batch.tasks)?;
    let missing = batch.missing(&store);
    let models = counted(batch.tasks.len(), "model");
    let configurations = counted(batch.configurations.len(), "configuration");
    output::tell(&format!("{models}, {configurations}, {} to do", counted(missing, "run")));
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
            "{:24} {:5} solved of {} in {} ms\n",
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
