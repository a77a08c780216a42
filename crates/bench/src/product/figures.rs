//! Heat maps and quantile plots of results.

use std::collections::BTreeSet;

use super::configurations::REFERENCES;
use super::group::Group;
use super::rank::Row;
use crate::plot::{Cell, HeatMap, Panel, Quantile, Series};
use crate::runner::Record;

/// Success rate and time of configurations, best first, in each category.
pub(super) fn heat_map(group: &Group, rows: &[Row], records: &[Record]) -> HeatMap {
    let categories: BTreeSet<&str> =
        records.iter().map(|record| record.category.as_str()).collect();
    let tiles = |row: &Row| -> Vec<Tile> {
        categories.iter().map(|category| Tile::of(records, &row.configuration, category)).collect()
    };
    let tiles: Vec<Vec<Tile>> = rows.iter().map(tiles).collect();
    let best: Vec<f64> = (0..categories.len())
        .map(|column| {
            let times = tiles.iter().map(|row| &row[column]).filter(|tile| tile.tried > 0);
            times.map(|tile| tile.seconds).fold(f64::INFINITY, f64::min)
        })
        .collect();
    let panel = |title: &str, cell: &dyn Fn(&Tile, f64) -> Cell| Panel {
        title: title.to_owned(),
        cells: tiles
            .iter()
            .map(|row| row.iter().zip(&best).map(|(tile, best)| cell(tile, *best)).collect())
            .collect(),
    };
    HeatMap {
        title: format!("Categories: {}", group.figure),
        rows: rows.iter().map(|row| row.configuration.clone()).collect(),
        columns: categories.iter().map(|category| (*category).to_owned()).collect(),
        panels: vec![
            panel("Solved, of the models of the category", &|tile, _| tile.success()),
            panel(
                "Processor time of all runs, also of those without an answer; colour: ratio to the best",
                &Tile::time,
            ),
        ],
    }
}

/// A configuration on a category.
struct Tile {
    tried: usize,
    solved: usize,
    seconds: f64,
}

impl Tile {
    fn of(records: &[Record], configuration: &str, category: &str) -> Self {
        let own = || {
            records.iter().filter(|record| {
                record.configuration == configuration && record.category == category
            })
        };
        Self {
            tried: own().count(),
            solved: own().filter(|record| record.is_solved()).count(),
            seconds: own().map(|record| record.cpu_seconds).sum(),
        }
    }

    fn success(&self) -> Cell {
        Cell::share(self.solved, self.tried)
    }

    fn time(&self, best: f64) -> Cell {
        if self.tried == 0 { Cell::none() } else { Cell::time(self.seconds, best) }
    }
}

/// The times of what configurations solved, best first.
pub(super) fn quantile(group: &Group, rows: &[Row], records: &[Record], limit: f64) -> Quantile {
    let series = |row: &Row| Series {
        name: row.configuration.clone(),
        times: records
            .iter()
            .filter(|record| record.configuration == row.configuration && record.is_solved())
            .map(|record| record.cpu_seconds)
            .collect(),
        reference: REFERENCES.iter().position(|name| *name == row.configuration),
    };
    Quantile {
        title: format!("Time per model: {}", group.figure),
        series: rows.iter().map(series).collect(),
        limit,
    }
}
