//! Which tasks and configurations the command line asks for.

use std::collections::BTreeSet;
use std::path::Path;

use bench::product;
use bench::runner::{Configuration, FoundTasks, Task, find};

use super::messages::usage;
use crate::arguments::bench::Product;
use crate::exit::Exit;
use crate::output;

/// The tasks of a folder that are wanted.
pub(super) fn tasks(arguments: &Product, folder: &Path) -> Result<Vec<Task>, Exit> {
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

/// As many of the tasks as are wanted, evenly spread over all.
pub(super) fn sampled(arguments: &Product, tasks: Vec<Task>) -> Vec<Task> {
    match arguments.sample {
        Some(count) => bench::partial::sample(&tasks, count.get()),
        None => tasks,
    }
}

/// The tasks of the categories that are wanted.
pub(super) fn chosen(arguments: &Product, found: FoundTasks) -> Result<Vec<Task>, Exit> {
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

/// The configurations of a suite that are wanted. A name stands for its configuration in the ways that are asked for
/// (ours, to the letter); a name that ends with `-LETTER` stands for that one configuration.
pub(super) fn wanted(
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
            // A configuration that is the same in both ways is there once.
            None => is_named(name) && (ours || !is_known(&format!("{name}{}", product::LETTER))),
        }
    };
    let wanted = known.iter().filter(|known| is_wanted(known));
    Ok(wanted.cloned().collect())
}
