//! Results beside earlier ones: what got worse first.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::BatchResults;
use super::document::{Cell, Section, Table, Tone};
use super::score::Score;
use super::tables::said;
use crate::plot::seconds;
use crate::runner::{Record, Settings};

/// Results that others are compared with.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// Where the results are from.
    pub name: String,
    /// How the results were measured.
    pub settings: Settings,
    /// The results.
    pub records: Vec<Record>,
}

/// A run that takes this many times as long as before is slower, if it takes [`MUCH`] longer as well.
const FACTOR: f64 = 2.0;

/// Differences of fewer seconds than this are noise.
const MUCH: f64 = 1.0;

/// How a result differs from an earlier one, the worst kind first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// The answer differs from the one before, and it is not known which of the two is right.
    Contrary,
    /// The answer is wrong, and was not wrong before.
    Wrong,
    /// There was an answer in time, and now there is none.
    Lost,
    /// The run takes at least twice as long as before, and a second longer.
    Slower,
    /// The run takes at most half as long as before, and a second less.
    Faster,
    /// The answer was wrong before, and is not wrong now.
    Righted,
    /// There is an answer in time, and there was none before.
    Won,
}

impl Change {
    const ALL: [Change; 7] = [
        Change::Contrary,
        Change::Wrong,
        Change::Lost,
        Change::Slower,
        Change::Righted,
        Change::Won,
        Change::Faster,
    ];

    /// The name of the change in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Change::Contrary => "another answer",
            Change::Wrong => "newly wrong",
            Change::Lost => "lost",
            Change::Slower => "slower",
            Change::Faster => "faster",
            Change::Righted => "no longer wrong",
            Change::Won => "won",
        }
    }

    /// Whether the change is for the worse.
    #[must_use]
    pub fn is_regression(self) -> bool {
        matches!(self, Change::Contrary | Change::Wrong | Change::Lost | Change::Slower)
    }

    /// How a result differs from an earlier one of the same task and column.
    #[must_use]
    pub fn between(before: &Record, now: &Record) -> Option<Self> {
        let slower = |one: f64, other: f64| one >= FACTOR * other && one >= other + MUCH;
        match (before, now) {
            _ if now.is_wrong() && !before.is_wrong() => Some(Change::Wrong),
            _ if before.is_wrong() && !now.is_wrong() => Some(Change::Righted),
            _ if before.verdict.zip(now.verdict).is_some_and(|(was, is)| was != is) => {
                Some(Change::Contrary)
            }
            _ if before.is_solved() && !now.is_solved() => Some(Change::Lost),
            _ if now.is_solved() && !before.is_solved() => Some(Change::Won),
            _ if !now.is_solved() => None,
            _ if slower(now.cpu_seconds, before.cpu_seconds) => Some(Change::Slower),
            _ if slower(before.cpu_seconds, now.cpu_seconds) => Some(Change::Faster),
            _ => None,
        }
    }
}

/// The differences between two batches, regressions first.
#[derive(Clone, Debug)]
pub struct Changes<'r> {
    /// Each difference: what was, and what is.
    pub list: Vec<(Change, &'r Record, &'r Record)>,
    /// How many results have an earlier result to be compared with.
    pub common: usize,
    /// How many of these results are about other programs than the earlier results of the same name.
    pub others: usize,
}

/// Whether two results of the same name are about different programs, as far as they say it.
fn is_other_program(before: &Record, now: &Record) -> bool {
    before.inputs.as_ref().zip(now.inputs.as_ref()).is_some_and(|(was, is)| was != is)
}

impl<'r> Changes<'r> {
    /// Compares results of the same tasks and columns.
    #[must_use]
    pub fn of(before: &'r [Record], now: impl IntoIterator<Item = &'r Record>) -> Self {
        let key = |record: &'r Record| (record.task.as_str(), record.configuration.as_str());
        let earlier: BTreeMap<_, &Record> =
            before.iter().map(|record| (key(record), record)).collect();
        let (mut list, mut common, mut others) = (Vec::new(), 0, 0);
        for record in now {
            let Some(before) = earlier.get(&key(record)) else { continue };
            common += 1;
            others += usize::from(is_other_program(before, record));
            if let Some(change) = Change::between(before, record) {
                list.push((change, *before, record));
            }
        }
        let place = |change: Change| Change::ALL.iter().position(|other| *other == change);
        list.sort_by(|a, b| {
            (place(a.0), &a.2.configuration, &a.2.task).cmp(&(
                place(b.0),
                &b.2.configuration,
                &b.2.task,
            ))
        });
        Self { list, common, others }
    }

    /// How many differences are for the worse.
    #[must_use]
    pub fn regressions(&self) -> usize {
        self.list.iter().filter(|(change, ..)| change.is_regression()).count()
    }
}

/// The comparison with earlier results.
pub(super) fn sections(results: &BatchResults, earlier: &Earlier) -> Vec<Section> {
    let changes = Changes::of(&earlier.records, results.records.iter().copied());
    let mut text = format!(
        "{} results are compared with those in {} ({} of the {} there). Slower and faster: by a factor of \
         two and by a second of processor time.",
        changes.common,
        earlier.name,
        changes.common,
        earlier.records.len()
    );
    let (now, then) = (results.settings, &earlier.settings);
    let limits = |settings: &Settings| (settings.time_seconds.to_bits(), settings.memory_bytes);
    if limits(now) != limits(then) {
        text += " The limits were others.";
    }
    if now.machine != then.machine {
        text += " The machine was another.";
    }
    if changes.others > 0 {
        text += &format!(" {} of them are about programs that have changed since.", changes.others);
    }
    let mut rows = Vec::new();
    for (change, before, record) in &changes.list {
        let cell = |record: &Record| {
            Cell::from(format!("{} {}", said(record), seconds(record.cpu_seconds)))
        };
        let tone = if change.is_regression() { Tone::Bad } else { Tone::Good };
        let name = match is_other_program(before, record) {
            true => format!("{} (the program is another)", change.name()),
            false => change.name().to_owned(),
        };
        rows.push(vec![
            Cell { text: name, tone },
            record.configuration.as_str().into(),
            record.task.as_str().into(),
            cell(before),
            cell(record),
        ]);
    }
    let head = ["Change", "Column", "Task", "Before", "Now"].map(str::to_owned).into();
    let list = Section {
        title: "Changes".to_owned(),
        text: if rows.is_empty() { text + " Nothing has changed." } else { text },
        table: if rows.is_empty() { None } else { Some(Table { head, words: 3, rows }) },
        alarming: changes.regressions() > 0,
        ..Section::default()
    };
    vec![list, sums(results, earlier, &changes)]
}

/// The changes of each column in numbers, over the tasks that both batches have.
fn sums(results: &BatchResults, earlier: &Earlier, changes: &Changes) -> Section {
    let mut rows = Vec::new();
    for name in &results.columns {
        let then = || earlier.records.iter().filter(|record| record.configuration == *name);
        let tasks = |records: &mut dyn Iterator<Item = &Record>| -> BTreeSet<String> {
            records.map(|record| record.task.clone()).collect()
        };
        let (old, new) = (tasks(&mut then()), tasks(&mut results.column(name)));
        let before = Score::of(then().filter(|record| new.contains(&record.task)));
        let now = Score::of(results.column(name).filter(|record| old.contains(&record.task)));
        let mut row: Vec<Cell> = vec![
            name.into(),
            before.points.into(),
            now.points.into(),
            before.solved().into(),
            now.solved().into(),
        ];
        for change in Change::ALL {
            let own = changes
                .list
                .iter()
                .filter(|(kind, _, record)| *kind == change && record.configuration == *name);
            row.push(own.count().into());
        }
        rows.push(row);
    }
    let first = ["Column", "Score before", "Score now", "Solved before", "Solved now"];
    let head = first.into_iter().chain(Change::ALL.map(Change::name)).map(str::to_owned).collect();
    Section {
        title: "Changes in numbers".to_owned(),
        text: "Over the tasks of both results.".to_owned(),
        table: Some(Table { head, words: 1, rows }),
        ..Section::default()
    }
}
