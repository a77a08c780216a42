//! `proviso bench SET…`: any tasks with any configurations and other tools.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use bench::product;
use bench::results::{self, Changes, Earlier, Score};
use bench::runner::process::Limits;
use bench::runner::{
    Batch, Configuration, Hold, Missed, Record, Settings, Status, Store, Task, Tool, Verdicts,
    collect, describe, read_results,
};
use clap::ValueEnum;
use frontend::task::Property;
use report::counted;

use super::carry::{Prepared, forget_changed, interrupted, program, settings};
use super::choose::{chosen, sampled};
use super::messages::{Progress, tell_end, usage};
use super::slurm;
use crate::arguments::bench::{Batch as Options, Bench, Engine};
use crate::arguments::{Analysis, variant};
use crate::exit::Exit;
use crate::output;

/// Runs a batch.
pub(super) fn run(arguments: &Bench, time: Duration) -> Result<Exit, Exit> {
    if let Some(folder) = &arguments.batch.element {
        return slurm::element(folder);
    }
    if arguments.product.sets.is_empty() {
        return Err(usage(
            "what is to be run? Name tasks (.yml, .set, .tsv, programs or folders) and --out DIR, or a \
             suite with --suite",
        ));
    }
    let Some(out) = &arguments.product.out else {
        return Err(usage("where do results go? Name a folder with --out DIR"));
    };
    let earlier = arguments.batch.compare.as_deref().map(earlier).transpose()?;
    let prepared = prepare(arguments, time)?;
    let mut store = Store::open(out, &prepared.settings, arguments.product.resume)
        .map_err(|refused| usage(&refused.to_string()))?;
    forget_changed(&mut store, &prepared.batch.tasks)?;
    let ended = match arguments.batch.engine {
        Engine::Local => carry_out(&prepared.batch, &mut store),
        Engine::Slurm => slurm::carry_out(arguments, &prepared, &mut store)?,
    };
    conclude(&prepared, &store, &ended, earlier.as_ref())
}

/// Earlier results.
fn earlier(folder: &Path) -> Result<Earlier, Exit> {
    let (settings, records) = read_results(folder).map_err(|refused| {
        output::tell(&format!("error: {refused}"));
        Exit::BadInput
    })?;
    Ok(Earlier { name: folder.display().to_string(), settings, records })
}

/// Finds the tasks and the columns.
fn prepare(arguments: &Bench, time: Duration) -> Result<Prepared, Exit> {
    let (product, options) = (&arguments.product, &arguments.batch);
    if !product.configuration.is_empty() || product.further {
        return Err(usage("--configuration and --further are for suites (--suite)"));
    }
    for name in &options.property {
        if Property::named(name).is_none() {
            return Err(usage(&format!("there is no property {name}")));
        }
    }
    for (name, words) in &options.variant {
        // The options are refused once here, and not once for each task.
        if let Some(why) = variant::refusal(words) {
            return Err(usage(&format!("the variant {name}: {why}")));
        }
        for (option, with) in variant::idle(words) {
            let why = format!("{option} has no effect with {with}");
            output::tell(&format!("warning: the variant {name}: {why}"));
        }
    }
    let tasks = tasks(arguments)?;
    let configurations = configurations(options);
    let mut tools = Vec::new();
    for file in &options.tool {
        tools.push(Tool::read_file(file).map_err(|refused| usage(&refused.to_string()))?);
    }
    let mut names = BTreeSet::new();
    let columns = configurations.iter().map(|configuration| &configuration.name);
    for name in columns.chain(tools.iter().map(|tool| &tool.name)) {
        if !names.insert(name.as_str()) {
            return Err(usage(&format!("two columns have the name {name}")));
        }
    }
    let mut limits = product::limits(time, product.memory());
    if let Some(wall) = options.walltimelimit {
        limits = Limits { wall, ..limits };
    }
    let program = program()?;
    let told = product.shared()?;
    let hold = Hold { cgroups: !options.no_cgroups, sole: true };
    let settings = Settings {
        columns: described(&configurations, &tools),
        machine: match options.engine {
            Engine::Local => describe(hold.cgroups),
            // Nodes differ; each element describes its node in its `run.json`.
            Engine::Slurm => "Machine: nodes of a Slurm cluster".to_owned(),
        },
        ..settings("batch", &program, product, time, told.clone())?
    };
    let batch = Batch {
        program,
        tasks,
        configurations,
        tools,
        options: told,
        limits,
        jobs: product.local_jobs(),
        reports: None,
        hold,
    };
    Ok(Prepared { batch, settings, tools: options.tool.clone() })
}

fn tasks(arguments: &Bench) -> Result<Vec<Task>, Exit> {
    let (sets, include) = (&arguments.product.sets, &arguments.product.include);
    let found = collect(sets, &arguments.batch.property, include).map_err(|refused| {
        output::tell(&format!("error: {refused}"));
        Exit::BadInput
    })?;
    let tasks = sampled(&arguments.product, chosen(&arguments.product, found)?);
    if tasks.is_empty() {
        output::tell("error: there are no tasks");
        return Err(Exit::BadInput);
    }
    Ok(tasks)
}

/// A column for each analysis and each variant; the default analysis if there is neither, so that other tools are
/// compared with something.
fn configurations(options: &Options) -> Vec<Configuration> {
    let mut analyses = options.analysis.clone();
    if analyses.is_empty() && options.variant.is_empty() {
        analyses.push(Analysis::Auto);
    }
    let named = |analysis: &Analysis| {
        let value = analysis.to_possible_value();
        let name = value.map(|value| value.get_name().to_owned()).unwrap_or_default();
        Configuration { arguments: vec![format!("--analysis={name}")], name }
    };
    let mut all: Vec<Configuration> = analyses.iter().map(named).collect();
    all.extend(options.variant.iter().map(|(name, arguments)| Configuration {
        name: name.clone(),
        arguments: arguments.clone(),
    }));
    all
}

/// What each column is, so that results of other columns with the same name are not mixed in.
fn described(configurations: &[Configuration], tools: &[Tool]) -> BTreeMap<String, String> {
    let own = configurations.iter().map(|way| (way.name.clone(), way.arguments.join(" ")));
    own.chain(tools.iter().map(|tool| (tool.name.clone(), tool.description()))).collect()
}

/// Does the runs that are missing, and says how far the batch is.
fn carry_out(batch: &Batch, store: &mut Store) -> Result<(), Missed> {
    let missing = batch.missing(store);
    let columns = batch.configurations.len() + batch.tools.len();
    let tasks = counted(batch.tasks.len(), "task");
    let (columns, missing_runs) = (counted(columns, "column"), counted(missing, "run"));
    output::tell(&format!("{tasks}, {columns}, {missing_runs} to do"));
    let progress = Progress::new(missing);
    batch.run(store, &interrupted(), &|count, record| progress.tell(count, record))
}

/// Writes tables and pictures, and what matters to standard output: contradictions first; the last
/// line is for scripts.
fn conclude(
    prepared: &Prepared,
    store: &Store,
    ended: &Result<(), Missed>,
    earlier: Option<&Earlier>,
) -> Result<Exit, Exit> {
    let (records, out) = (store.records(), store.folder());
    let own = prepared.batch.configurations.iter().map(|way| way.name.clone());
    let others = prepared.batch.tools.iter().map(|tool| tool.name.clone());
    let order: Vec<String> = own.chain(others).collect();
    results::report(out, &prepared.settings, records, &order, earlier)
        .map_err(|error| usage(&format!("{}: {error}", out.display())))?;
    let verdicts = Verdicts::of(records);
    output::write(&verdicts.to_string());
    let changes = earlier.map(|earlier| Changes::of(&earlier.records, records));
    for (change, before, now) in changes.iter().flat_map(|changes| &changes.list) {
        if change.is_regression() {
            // Each regression is one line, whatever characters its names have.
            let (task, way) = (base::plain_line(&now.task), &now.configuration);
            let (then, since) = (before.cpu_seconds, now.cpu_seconds);
            let (was, is) = (results::said(before), results::said(now));
            output::write(&format!(
                "REGRESSION: {task}: {way} {}: {was} -> {is}: {then:.2} s, now {since:.2} s\n",
                change.name()
            ));
        }
    }
    let failed = records.iter().filter(|record| record.status == Status::Error);
    for Record { task, configuration, reason, .. } in failed.clone().take(5) {
        let task = base::plain_line(task);
        output::tell(&format!("failed: {task} {configuration}: {reason}"));
    }
    let mut refused = false;
    for name in &order {
        let own = || records.iter().filter(|record| record.configuration == *name);
        // If every program is refused, the options of the column are wrong, or the programs were chosen wrongly.
        if let Some(first) = own().next()
            && own().all(|record| record.status == Status::Input)
        {
            refused = true;
            output::tell(&format!("error: every run of {name} was refused: {}", first.reason));
        }
        let score = Score::of(own());
        output::write(&format!(
            "{name:18} {:5} points, {:5} solved of {}, {} wrong, {:.1} s\n",
            score.points,
            score.solved(),
            score.tried,
            score.wrong(),
            score.cpu_seconds
        ));
    }
    tell_end(ended);
    let regressions =
        changes.map_or(String::new(), |changes| format!(", {} regressions", changes.regressions()));
    let failed = failed.count();
    output::write(&format!(
        "batch: {} runs, {} solved, {} wrong, {} disagreements, {failed} failed{regressions}; see {}\n",
        records.len(),
        records.iter().filter(|record| record.is_solved()).count(),
        verdicts.wrong.len(),
        verdicts.disagreements.len(),
        out.join("index.html").display()
    ));
    Ok(if !verdicts.is_fine() {
        Exit::Violation
    } else if ended.is_err() || failed > 0 || refused {
        Exit::Unknown
    } else {
        Exit::Done
    })
}
