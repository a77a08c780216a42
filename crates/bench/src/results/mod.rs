//! What is made of the results of a batch: scores, tables by family and by reason, columns beside each
//! other and beside earlier results, pictures; as Markdown and as one HTML page that needs nothing else.

mod compare;
mod document;
mod figures;
mod junit;
mod score;
mod tables;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::runner::{Record, Settings, Verdicts};
pub use compare::{Change, Changes};
pub use score::{Score, points};
pub use tables::said;

use document::{Document, Section};

/// Results that others are compared with.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// Where they are from.
    pub name: String,
    /// How they were measured.
    pub settings: Settings,
    /// The results.
    pub records: Vec<Record>,
}

/// The results of a batch, in an order that does not depend on which run ended first.
struct Results<'r> {
    settings: &'r Settings,
    records: Vec<&'r Record>,
    /// Names of columns: those of this program first.
    columns: Vec<&'r str>,
    families: Vec<&'r str>,
}

impl<'r> Results<'r> {
    fn new(settings: &'r Settings, records: &'r [Record], order: &[String]) -> Self {
        let mut sorted: Vec<&Record> = records.iter().collect();
        sorted.sort_by(|a, b| {
            (&a.category, &a.task, &a.configuration).cmp(&(&b.category, &b.task, &b.configuration))
        });
        let families: BTreeSet<&str> = sorted.iter().map(|r| r.category.as_str()).collect();
        let columns: BTreeSet<&str> = sorted.iter().map(|r| r.configuration.as_str()).collect();
        let mut columns: Vec<&str> = columns.into_iter().collect();
        columns
            .sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
        Self { settings, records: sorted, columns, families: families.into_iter().collect() }
    }

    /// The results of a column.
    fn column<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'r Record> + Clone + 's {
        self.records.iter().copied().filter(move |record| record.configuration == name)
    }
}

/// The files of a report by name: the same bytes for the same results, in whatever order they came.
/// Columns are shown in the given order.
#[must_use]
pub fn files(
    settings: &Settings,
    records: &[Record],
    order: &[String],
    earlier: Option<&Earlier>,
) -> Vec<(String, String)> {
    let results = Results::new(settings, records, order);
    let document = document(&results, records, earlier);
    let mut files = vec![
        ("tables.md".to_owned(), document.markdown()),
        ("index.html".to_owned(), document.html()),
        ("junit.xml".to_owned(), junit::junit(&results)),
    ];
    files.extend(document.pictures());
    files
}

/// Writes the report to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn report(
    folder: &Path,
    settings: &Settings,
    records: &[Record],
    order: &[String],
    earlier: Option<&Earlier>,
) -> io::Result<()> {
    for (name, text) in files(settings, records, order, earlier) {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn document(results: &Results, records: &[Record], earlier: Option<&Earlier>) -> Document {
    let verdicts = Verdicts::of(records);
    let mut sections = Vec::new();
    if !verdicts.is_fine() {
        sections.push(Section {
            title: "Wrong answers".to_owned(),
            items: verdicts.to_string().lines().map(str::to_owned).collect(),
            alarming: true,
            ..Section::default()
        });
    }
    if let Some(earlier) = earlier {
        sections.extend(compare::sections(results, earlier));
    }
    sections.push(tables::scores(results));
    sections.extend(tables::beside(results));
    sections.push(tables::families(results));
    sections.extend(tables::reasons(results));
    sections.extend(figures::sections(results));
    sections.push(tables::tasks(results));
    Document { title: "Results of a batch".to_owned(), lead: tables::lead(results), sections }
}
