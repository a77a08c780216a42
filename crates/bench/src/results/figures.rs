//! The pictures of a report.

use std::collections::BTreeMap;

use super::batch::BatchResults;
use super::document::Section;
use super::score::Score;
use crate::plot::{Cell, HeatMap, Panel, Point, Quantile, Scatter, Series};
use crate::runner::Record;

/// Pairs of columns that are shown as scatter plots; more would be too many pictures.
const PAIRS: usize = 6;

pub(super) fn sections(results: &BatchResults) -> Vec<Section> {
    if results.records.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![
        Section {
            title: "How many tasks are solved within which time".to_owned(),
            pictures: vec![("quantile".to_owned(), quantile(results).svg())],
            ..Section::default()
        },
        Section {
            title: "Families and columns".to_owned(),
            pictures: vec![("heatmap".to_owned(), heat_map(results).svg())],
            ..Section::default()
        },
    ];
    let pairs = scatters(results);
    if !pairs.is_empty() {
        sections.push(Section {
            title: "Times of two columns".to_owned(),
            text:
                "A point is a task; on the upper and on the right edge are those without an answer."
                    .to_owned(),
            pictures: pairs,
            ..Section::default()
        });
    }
    sections
}

fn quantile(results: &BatchResults) -> Quantile {
    let series = |name: &&str| Series {
        name: (*name).to_owned(),
        times: results.column(name).filter(|r| r.is_solved()).map(|r| r.cpu_seconds).collect(),
        reference: None,
    };
    Quantile {
        title: "Time per task".to_owned(),
        series: results.columns.iter().map(series).collect(),
        limit: results.settings.time_seconds,
    }
}

/// Rows are families and columns are columns: there are more families.
fn heat_map(results: &BatchResults) -> HeatMap {
    let score = |family: &str, name: &str| {
        Score::of(results.column(name).filter(|record| record.category == family))
    };
    let (mut solved, mut times) = (Vec::new(), Vec::new());
    for family in &results.families {
        let scores: Vec<Score> = results.columns.iter().map(|name| score(family, name)).collect();
        let tried = scores.iter().filter(|score| score.tried > 0);
        let best = tried.map(|score| score.cpu_seconds).fold(f64::INFINITY, f64::min);
        let share = |score: &Score| {
            let cell = Cell::share(score.solved(), score.tried);
            if score.wrong() > 0 { Cell { good: Some(0.0), ..cell } } else { cell }
        };
        let time = |score: &Score| match score.tried {
            0 => Cell::none(),
            _ => Cell::time(score.cpu_seconds, best),
        };
        solved.push(scores.iter().map(share).collect());
        times.push(scores.iter().map(time).collect());
    }
    let panel = |title: &str, cells| Panel { title: title.to_owned(), cells };
    HeatMap {
        title: "Families".to_owned(),
        rows: results.families.iter().map(|name| (*name).to_owned()).collect(),
        columns: results.columns.iter().map(|name| (*name).to_owned()).collect(),
        panels: vec![
            panel(
                "Solved, of the tasks of the family; with a wrong answer as bad as can be",
                solved,
            ),
            panel("Processor time of all runs; colour: ratio to the best", times),
        ],
    }
}

/// The first column beside each other one.
fn scatters(results: &BatchResults) -> Vec<(String, String)> {
    let Some((first, others)) = results.columns.split_first() else { return Vec::new() };
    let mut pictures = Vec::new();
    for (index, second) in others.iter().take(PAIRS).enumerate() {
        let theirs: BTreeMap<&str, &Record> =
            results.column(second).map(|record| (record.task.as_str(), record)).collect();
        let time = |record: &Record| record.is_solved().then_some(record.cpu_seconds);
        let points = results.column(first).filter_map(|record| {
            let other = theirs.get(record.task.as_str())?;
            Some(Point { name: record.task.clone(), x: time(record), y: time(other) })
        });
        let plot = Scatter {
            x: (*first).to_owned(),
            y: (*second).to_owned(),
            points: points.filter(|point| point.x.is_some() || point.y.is_some()).collect(),
            limit: results.settings.time_seconds,
        };
        pictures.push((format!("scatter-{}", index + 1), plot.svg()));
    }
    pictures
}
