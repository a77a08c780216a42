//! The evaluation of explicit values with abstraction, refinement and interpolation (Beyer & Löwe 2012, §IV):
//! Tables I-III with the points of SV-COMP'12, and Figs. 3-5, for the families of a folder that its categories
//! were made of.

mod paper;
mod tables;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::plot::{Quantile, Series};
use crate::runner::{Configuration, Record, Settings};
pub use paper::CATEGORIES;
use paper::TABLES;
pub use tables::{Cell, points, table};

/// The configurations by the paper's names, and what `proviso check` is told.
const CONFIGURATIONS: [(&str, &str); 5] = [
    ("EXPL", "value"),
    ("EXPLitp", "value-itp"),
    ("PRED", "predicate"),
    ("EXPL-PRED", "value+predicate"),
    ("EXPLitp-PRED", "value-itp+predicate"),
];

/// The end of the name of a configuration that follows the paper to the letter.
pub const LETTER: &str = "-LETTER";

/// The configurations of the paper: as this program does them best, to the letter of the paper, or both. `EXPL`, which
/// tracks everything and refines nothing, is the same in both ways.
#[must_use]
pub fn configurations(ours: bool, letter: bool) -> Vec<Configuration> {
    let mut all = Vec::new();
    for (name, analysis) in CONFIGURATIONS {
        let arguments = vec![format!("--analysis={analysis}")];
        let is_same = name == "EXPL";
        if letter && !is_same {
            let mut arguments = arguments.clone();
            arguments.push("--profile=explicit".to_owned());
            all.push(Configuration { name: format!("{name}{LETTER}"), arguments });
        }
        if ours || is_same {
            all.push(Configuration { name: name.to_owned(), arguments });
        }
    }
    all
}

/// The category of SV-COMP'12 that a family of tasks belongs to, if it does.
#[must_use]
pub fn category(family: &str) -> Option<&'static str> {
    Some(match family {
        "ssh-simplified" | "locks" | "ntdrivers-simplified" => "ControlFlowInt",
        "ntdrivers" | "ddv-machzwd" | "ldv-regression" => "DeviceDrivers",
        "heap-manipulation" | "list-properties" => "HeapManipul",
        "systemc" => "SystemC",
        family if family.starts_with("ldv-") => "DeviceDrivers64",
        _ => return None,
    })
}

/// Writes `tables.md`, the quantile plots and their points to a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn report(folder: &Path, settings: &Settings, records: &[Record]) -> io::Result<()> {
    fs::write(folder.join("tables.md"), table(settings, records))?;
    fs::write(folder.join("figures.csv"), data(records))?;
    for (number, names) in figures() {
        let plot = quantile(number, names, records, settings.time_seconds);
        fs::write(folder.join(format!("figure-{number}.svg")), plot.svg())?;
    }
    Ok(())
}

/// The figures of the paper, and the configurations in them.
fn figures() -> impl Iterator<Item = (u32, &'static [&'static str])> {
    (3..).zip(TABLES.iter().map(|table| table.configurations))
}

/// The records of the configuration with a name.
fn of<'r>(records: &'r [Record], name: &str) -> impl Iterator<Item = &'r Record> {
    records.iter().filter(move |record| record.configuration == name)
}

/// The names under which configurations of the paper have records: to the letter, as this program does them best, or
/// both.
fn ways(records: &[Record], names: &[&str]) -> Vec<String> {
    let ways = names.iter().flat_map(|name| [format!("{name}{LETTER}"), (*name).to_owned()]);
    ways.filter(|name| of(records, name).next().is_some()).collect()
}

/// Times of the solved tasks, least first.
fn times(records: &[Record], name: &str) -> Vec<f64> {
    let solved = of(records, name).filter(|record| record.is_solved());
    let mut times: Vec<f64> = solved.map(|record| record.cpu_seconds).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn quantile(number: u32, names: &[&str], records: &[Record], limit: f64) -> Quantile {
    let series = ways(records, names).into_iter().map(|name| Series {
        times: times(records, &name),
        name,
        reference: None,
    });
    let title = format!("Fig. {number}: time per task");
    Quantile { title, series: series.collect(), limit }
}

/// The points of the figures: the n fastest results of a configuration take at most so long each.
fn data(records: &[Record]) -> String {
    let mut text = "figure,configuration,n,seconds\n".to_owned();
    for (number, names) in figures() {
        for name in ways(records, names) {
            for (index, seconds) in times(records, &name).into_iter().enumerate() {
                let _ = writeln!(text, "{number},{name},{},{seconds:.6}", index + 1);
            }
        }
    }
    text
}
