//! What is made of the results of a batch: scores, tables by family and by reason, columns beside each
//! other and beside earlier results, pictures; as Markdown and as one HTML page that needs nothing else.

mod batch;
mod compare;
mod document;
mod figures;
mod junit;
mod score;
mod tables;

use std::fs;
use std::io;
use std::path::Path;

use crate::runner::{Record, Settings, Verdicts};
pub use compare::{Change, Changes, Earlier};
pub use score::{Score, points};
pub use tables::said;

use batch::BatchResults;
use document::{Document, Section};

/// The files of a report by name: the same bytes for the same results, in whatever order they came.
/// Columns are shown in the given order.
#[must_use]
pub fn files(
    settings: &Settings,
    records: &[Record],
    order: &[String],
    earlier: Option<&Earlier>,
) -> Vec<(String, String)> {
    let results = BatchResults::new(settings, records, order);
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

fn document(results: &BatchResults, records: &[Record], earlier: Option<&Earlier>) -> Document {
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
    Document { title: "BatchResults of a batch".to_owned(), lead: tables::lead(results), sections }
}
