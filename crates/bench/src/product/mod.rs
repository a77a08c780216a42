//! The evaluation of Bajkai's report on product abstraction (2018, chapter 4): explicit values,
//! predicates, and the product of the two with each strategy and limit, on a folder of models.
//! Tables 4.1-4.5, and heat maps and quantile plots like Figs. 4.1-4.8.

mod configurations;
mod figures;
mod group;
mod paper;
mod rank;
mod tables;

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::runner::process::Limits;
use crate::runner::{Record, Settings, Verdicts};
pub use configurations::{configurations, configurations_as};
use group::groups;
pub use paper::{LETTER, REPORT, reported};
pub use rank::{Row, rank};

/// The limits of a run. On a busy machine a process may wait for longer than it works; the limit on the clock is for
/// processes that do nothing.
#[must_use]
pub fn limits(time: Duration, memory: u64) -> Limits {
    Limits { cpu: time, wall: time * 4 + Duration::from_secs(30), memory }
}

/// Writes `tables.md` and the pictures to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn report(folder: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    for (name, text) in files(settings, records) {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// The files of a report by name: the same bytes for the same results, in whatever order they came.
#[must_use]
pub fn files(settings: &Settings, records: &[Record]) -> Vec<(String, String)> {
    let mut records = records.to_vec();
    records.sort_by(|a, b| {
        (&a.category, &a.task, &a.configuration).cmp(&(&b.category, &b.task, &b.configuration))
    });
    let groups = groups(&records);
    let verdicts = Verdicts::of(&records);
    let mut files =
        vec![("tables.md".to_owned(), tables::markdown(settings, &records, &groups, &verdicts))];
    for group in &groups {
        let rows = rank(&records, &group.configurations);
        let map = figures::heat_map(group, &rows, &records);
        files.push((format!("heatmap-{}.svg", group.key), map.svg()));
        let plot = figures::quantile(group, &rows, &records, settings.time_seconds);
        files.push((format!("quantile-{}.svg", group.key), plot.svg()));
    }
    files
}
