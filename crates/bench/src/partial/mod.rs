//! The evaluation of partial results (Castaño 2018, Tables 3.1-3.5, 5.1 and 5.2): what runs without an
//! answer are worth on SystemC and driver tasks, for explicit values and for predicates. How many
//! frontier traces and safe cones a report has and whether these are all, how long the first one
//! takes, which lines are covered at least and at most, and which bugs are met.

mod tables;
mod thesis;

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::runner::process::Limits;
use crate::runner::{Configuration, Record, Settings, Status, Task, Worth};
pub use tables::{csv, table};
pub use thesis::{ROWS, SHARES, Share, ThesisRow};

/// The analyses, by their names on the command line.
pub const ANALYSES: [&str; 2] = ["value-itp", "predicate"];

/// The part of the verification time within which a first frontier trace is wanted.
const EARLY: f64 = 0.1;

/// A configuration for each analysis.
#[must_use]
pub fn configurations() -> Vec<Configuration> {
    ANALYSES
        .map(|name| Configuration {
            name: name.to_owned(),
            arguments: vec![format!("--analysis={name}")],
        })
        .into()
}

/// Whether tasks of a category are of the kind that the thesis has: SystemC models and drivers.
#[must_use]
pub fn is_wanted(category: &str) -> bool {
    category == "systemc" || category.starts_with("ldv-") || category.starts_with("ntdrivers")
}

/// `count` of the tasks, evenly spread over their order; all tasks if there are no more.
#[must_use]
pub fn sample(tasks: &[Task], count: usize) -> Vec<Task> {
    if count >= tasks.len() {
        return tasks.to_vec();
    }
    (0..count).map(|index| tasks[index * tasks.len() / count].clone()).collect()
}

/// The limits that are enforced from outside. They are larger than the limit on the clock that a run is told, since a
/// run that keeps to its limit ends by itself.
#[must_use]
pub fn limits(time: Duration, memory: u64) -> Limits {
    let most = time * 2 + Duration::from_secs(10);
    Limits { cpu: most, wall: most, memory }
}

/// How a run ended, as the tables count it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ended<'r> {
    /// The verification gave an answer.
    Answered,
    /// The verification gave no answer. The run may have left a report, whose search may have met a bug; a run that
    /// came to its limits before it could write a report left nothing.
    Inconclusive(Option<&'r Worth>),
    /// The program was not verified: the input was refused, or the run failed.
    Failed,
}

impl<'r> Ended<'r> {
    fn of(record: &'r Record) -> Self {
        match &record.worth {
            Some(worth) if !worth.verified => Ended::Inconclusive(Some(worth)),
            _ if record.verdict.is_some() => Ended::Answered,
            _ if [Status::Input, Status::Error].contains(&record.status) => Ended::Failed,
            _ => Ended::Inconclusive(None),
        }
    }
}

/// How the runs of a suite ended, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Runs in which the verification gave an answer.
    pub answered: usize,
    /// Runs in which the verification ended without an answer.
    pub inconclusive: usize,
    /// Inconclusive runs with a frontier or undecided trace, or an execution that violates the property,
    /// within a tenth of the verification time.
    pub early: usize,
    /// Runs that refused the input, or failed.
    pub failed: usize,
}

impl Count {
    /// Counts runs.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut count = Self::default();
        for record in records {
            match Ended::of(record) {
                Ended::Answered => count.answered += 1,
                Ended::Inconclusive(worth) => {
                    count.inconclusive += 1;
                    count.early += usize::from(worth.is_some_and(is_early));
                }
                Ended::Failed => count.failed += 1,
            }
        }
        count
    }
}

/// Whether the first frontier trace, trace up to a check that could not be decided, or execution that
/// violates the property came soon.
fn is_early(worth: &Worth) -> bool {
    worth.frontier.first.is_some_and(|first| first <= EARLY * worth.verification_seconds)
}

/// Writes `tables.md` and `reports.csv` to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn report(folder: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    fs::write(folder.join("tables.md"), table(settings, records))?;
    fs::write(folder.join("reports.csv"), csv(records))
}
