//! The tables of a report.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::BatchResults;
use super::document::{Cell, Section, Table, Tone};
use super::score::Score;
use crate::plot::seconds;
use crate::runner::{Record, Status};

/// What was measured, in sentences.
pub(super) fn lead(results: &BatchResults) -> Vec<String> {
    let tasks: BTreeSet<&str> = results.records.iter().map(|r| r.task.as_str()).collect();
    let known = results.records.iter().filter(|record| record.expected.is_some());
    let known: BTreeSet<&str> = known.map(|record| record.task.as_str()).collect();
    let settings = results.settings;
    let mut lead = vec![
        format!(
            "{} tasks ({} with a known answer), {} columns, {} runs.",
            tasks.len(),
            known.len(),
            results.columns.len(),
            results.records.len()
        ),
        format!(
            "Limits of a run: {} s of processor time, {} MB of memory.",
            settings.time_seconds,
            settings.memory_bytes / 1_000_000
        ),
        format!("Proviso {}, build {}.", settings.version, settings.short_build()),
    ];
    if !settings.machine.is_empty() {
        lead.push(format!("{}.", settings.machine));
    }
    for name in &results.columns {
        let tried = results.column(name).count();
        if tried < tasks.len() {
            lead.push(format!("{name} was tried on {tried}."));
        }
    }
    let clock = results.records.iter().filter(|r| r.reason.starts_with(Record::BY_CLOCK)).count();
    if clock > 0 {
        lead.push(format!(
            "{clock} runs were stopped by the clock before they had used their processor time; fewer \
             --jobs may solve more."
        ));
    }
    lead
}

/// The columns of a table about scores, after the names.
const SCORED: [&str; 11] = [
    "Score", "Tasks", "TRUE", "FALSE", "Wrong", "Unjudged", "Unknown", "Timeout", "Memory",
    "Failed", "CPU",
];

/// The cells of a score, and the most memory.
fn cells(score: &Score) -> Vec<Cell> {
    let alarm = |count: usize| Cell {
        text: count.to_string(),
        tone: if count > 0 { Tone::Bad } else { Tone::Plain },
    };
    vec![
        score.points.into(),
        score.tried.into(),
        score.right_true.into(),
        score.right_false.into(),
        alarm(score.wrong()),
        score.unjudged.into(),
        score.unknown.into(),
        score.timeouts.into(),
        score.out_of_memory.into(),
        score.failed.into(),
        seconds(score.cpu_seconds).into(),
        score
            .peak_bytes
            .map_or_else(|| "–".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000))
            .into(),
    ]
}

fn head(first: &[&str]) -> Vec<String> {
    let all = first.iter().chain(&SCORED).chain(&["Peak"]);
    all.map(|name| (*name).to_owned()).collect()
}

/// What each column is worth.
pub(super) fn scores(results: &BatchResults) -> Section {
    let mut rows = Vec::new();
    for name in &results.columns {
        let mut row: Vec<Cell> = vec![name.into()];
        row.extend(cells(&Score::of(results.column(name))));
        rows.push(row);
    }
    Section {
        title: "Scores".to_owned(),
        text: "By SV-COMP's schema: a right TRUE 2, a right FALSE 1, a wrong TRUE -32, a wrong FALSE -16. \
               TRUE and FALSE are right answers in time; unjudged answers are about tasks whose answer \
               nobody has told. CPU is the processor time of all runs, peak the most memory of one."
            .to_owned(),
        table: Some(Table { head: head(&["Column"]), words: 1, rows }),
        ..Section::default()
    }
}

/// What each column is worth in each family.
pub(super) fn families(results: &BatchResults) -> Section {
    let mut rows = Vec::new();
    for family in &results.families {
        for name in &results.columns {
            let own = results.column(name).filter(|record| record.category == *family);
            let score = Score::of(own);
            if score.tried > 0 {
                let mut row: Vec<Cell> = vec![family.into(), name.into()];
                row.extend(cells(&score));
                rows.push(row);
            }
        }
    }
    Section {
        title: "Families".to_owned(),
        table: Some(Table { head: head(&["Family", "Column"]), words: 2, rows }),
        ..Section::default()
    }
}

/// The reason of a record without the text behind its name, which is about one task.
fn kind(record: &Record) -> String {
    let reason = record.reason.split([':', ';']).next().unwrap_or_default().trim();
    match (record.status, reason) {
        (status, "") => status.name().to_owned(),
        (Status::TimeLimit | Status::MemoryLimit, reason) => reason.to_owned(),
        (status, reason) => format!("{}: {reason}", status.name()),
    }
}

/// Why there are no answers.
pub(super) fn reasons(results: &BatchResults) -> Option<Section> {
    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, name) in results.columns.iter().enumerate() {
        for record in results.column(name).filter(|record| record.status != Status::Answered) {
            let row = counts.entry(kind(record)).or_insert_with(|| vec![0; results.columns.len()]);
            row[index] += 1;
        }
    }
    if counts.is_empty() {
        return None;
    }
    let mut rows: Vec<(String, Vec<usize>)> = counts.into_iter().collect();
    let sum = |counts: &[usize]| counts.iter().sum::<usize>();
    rows.sort_by(|a, b| sum(&b.1).cmp(&sum(&a.1)).then_with(|| a.0.cmp(&b.0)));
    let rows = rows.into_iter().map(|(reason, counts)| {
        std::iter::once(reason.into()).chain(counts.into_iter().map(Cell::from)).collect()
    });
    let head = std::iter::once("Reason").chain(results.columns.iter().copied());
    Some(Section {
        title: "Without an answer".to_owned(),
        table: Some(Table {
            head: head.map(str::to_owned).collect(),
            words: 1,
            rows: rows.collect(),
        }),
        ..Section::default()
    })
}

/// Differences between times below this, in seconds, are noise.
const NOISE: f64 = 0.01;

/// Each pair of columns: what one solves and the other does not, and how their times compare where
/// both solve a task.
pub(super) fn beside(results: &BatchResults) -> Option<Section> {
    let mut rows = Vec::new();
    for (index, first) in results.columns.iter().enumerate() {
        for second in &results.columns[index + 1..] {
            let others: BTreeMap<&str, &Record> =
                results.column(second).map(|record| (record.task.as_str(), record)).collect();
            let (mut both, mut only, mut logs) = (0usize, [0usize; 2], 0.0);
            for one in results.column(first) {
                let Some(other) = others.get(one.task.as_str()) else { continue };
                match (one.is_solved(), other.is_solved()) {
                    (true, true) => {
                        both += 1;
                        logs += (other.cpu_seconds.max(NOISE) / one.cpu_seconds.max(NOISE)).ln();
                    }
                    (true, false) => only[0] += 1,
                    (false, true) => only[1] += 1,
                    (false, false) => {}
                }
            }
            let ratio = match both {
                0 => "–".to_owned(),
                _ => format!("{:.2}", (logs / both as f64).exp()),
            };
            let row: [Cell; 6] = [
                first.into(),
                second.into(),
                both.into(),
                only[0].into(),
                only[1].into(),
                ratio.into(),
            ];
            rows.push(row.to_vec());
        }
    }
    if rows.is_empty() {
        return None;
    }
    let head = ["One", "Other", "Both solve", "Only one", "Only other", "Time of other / one"];
    Some(Section {
        title: "Columns beside each other".to_owned(),
        text: "The last column is the geometric mean of the ratios of processor times where both solve a \
               task: above 1 the other is slower. Times below 10 ms count as 10 ms. All columns of a task \
               were run one after the other on the same machine."
            .to_owned(),
        table: Some(Table { head: head.map(str::to_owned).into(), words: 2, rows }),
        ..Section::default()
    })
}

/// Each task with what came of it.
pub(super) fn tasks(results: &BatchResults) -> Section {
    let mut cells: BTreeMap<(&str, &str), BTreeMap<&str, Cell>> = BTreeMap::new();
    let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
    for record in &results.records {
        let row = cells.entry((&record.category, &record.task)).or_default();
        row.insert(&record.configuration, answer(record));
        let known = record.expected.map_or("", |truth| if truth { "TRUE" } else { "FALSE" });
        expected.insert(&record.task, known);
    }
    let rows = cells.into_iter().map(|((family, task), mut row)| {
        let words = [family, task, expected.get(task).copied().unwrap_or_default()];
        let answers = results.columns.iter().map(|name| row.remove(name).unwrap_or_default());
        words.map(Cell::from).into_iter().chain(answers.collect::<Vec<_>>()).collect()
    });
    let head = ["Family", "Task", "Expected"].into_iter().chain(results.columns.iter().copied());
    Section {
        title: "Tasks".to_owned(),
        text: "Answers with their processor times. A click on the head of a column sorts the rows."
            .to_owned(),
        table: Some(Table {
            head: head.map(str::to_owned).collect(),
            words: 3,
            rows: rows.collect(),
        }),
        page_only: true,
        ..Section::default()
    }
}

/// An answer and its time.
pub(super) fn answer(record: &Record) -> Cell {
    let said = said(record);
    let tone = match record {
        _ if record.is_wrong() => Tone::Bad,
        _ if record.is_solved() => Tone::Good,
        _ => Tone::Pale,
    };
    Cell { text: format!("{said} {}", seconds(record.cpu_seconds)), tone }
}

/// How a run ended, in a word or two.
#[must_use]
pub fn said(record: &Record) -> String {
    match (record.status, record.verdict) {
        (Status::Answered, Some(true)) => "TRUE".to_owned(),
        (Status::Answered, Some(false)) => "FALSE".to_owned(),
        _ => kind(record),
    }
}
