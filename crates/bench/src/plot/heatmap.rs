//! Tables whose tiles are the greener the better.

use super::svg::{Anchor, PALE, Style, Svg, width};

const TILE: (f64, f64) = (88.0, 26.0);
const MARGIN: f64 = 16.0;

/// A heat map: the same rows and columns for each panel.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// What the map shows.
    pub title: String,
    /// Names of rows.
    pub rows: Vec<String>,
    /// Names of columns.
    pub columns: Vec<String>,
    /// The panels, one below the other.
    pub panels: Vec<Panel>,
}

/// A part of a heat map.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What the tiles of the panel say.
    pub title: String,
    /// The tiles, by rows.
    pub cells: Vec<Vec<Cell>>,
}

/// A tile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// The text in the tile.
    pub text: String,
    /// From 0, the worst, to 1, the best; none if there is nothing to compare.
    pub good: Option<f64>,
}

/// A time that is this many times the best time counts as the worst one.
const WORST_RATIO: f64 = 100.0;

impl Cell {
    /// A tile without a result.
    #[must_use]
    pub fn none() -> Self {
        Self { text: "–".to_owned(), good: None }
    }

    /// A tile that says how many of `whole` things are in `part`.
    #[must_use]
    pub fn share(part: usize, whole: usize) -> Self {
        if whole == 0 {
            return Self::none();
        }
        Self { text: format!("{part} / {whole}"), good: Some(part as f64 / whole as f64) }
    }

    /// A time in seconds beside the best one.
    #[must_use]
    pub fn time(time: f64, best: f64) -> Self {
        // Below a hundredth of a second there is only noise.
        let ratio = time.max(0.01) / best.max(0.01);
        Self { text: seconds(time), good: Some(1.0 - ratio.ln() / WORST_RATIO.ln()) }
    }
}

/// A time in few letters.
pub(crate) fn seconds(time: f64) -> String {
    match time {
        ..0.9995 => format!("{:.0} ms", time * 1e3),
        ..99.95 => format!("{time:.1} s"),
        _ => format!("{time:.0} s"),
    }
}

impl HeatMap {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let plain = Style::PLAIN;
        let widest =
            |names: &[String]| names.iter().map(|name| width(name, plain.size)).fold(0.0, f64::max);
        let left = MARGIN + widest(&self.rows) + 10.0;
        // Names of columns are turned by 40 degrees.
        let (lean, head) = (widest(&self.columns) * 0.77, widest(&self.columns) * 0.65 + 20.0);
        let tiles = TILE.0 * self.columns.len() as f64;
        let panel = 24.0 + head + TILE.1 * self.rows.len() as f64 + 22.0;
        let titles = self.panels.iter().map(|panel| width(&panel.title, plain.size));
        let words = titles.fold(width(&self.title, Style::TITLE.size), f64::max);
        let across = (left + tiles + lean.max(MARGIN)).max(words + 2.0 * MARGIN).max(360.0);
        let down = 44.0 + panel * self.panels.len() as f64 + 34.0;
        let mut svg = Svg::new(across, down, &self.title);
        svg.text((MARGIN, 28.0), &self.title, Style::TITLE);
        let mut top = 44.0;
        for part in &self.panels {
            svg.text((MARGIN, top + 16.0), &part.title, plain);
            let first = top + 24.0 + head;
            for (index, name) in self.columns.iter().enumerate() {
                let x = left + TILE.0 * (index as f64 + 0.45);
                svg.text((x, first - 8.0), name, Style { turn: -40.0, ..plain });
            }
            for (row, name) in self.rows.iter().enumerate() {
                let y = first + TILE.1 * row as f64;
                let end = Style { anchor: Anchor::End, ..plain };
                svg.text((left - 8.0, y + 17.0), name, end);
                for (column, cell) in part.cells[row].iter().enumerate() {
                    let x = left + TILE.0 * column as f64;
                    svg.rect(x + 1.0, y + 1.0, TILE.0 - 2.0, TILE.1 - 2.0, &color(cell.good));
                    let middle = Style { anchor: Anchor::Middle, ..plain };
                    svg.text((x + TILE.0 / 2.0, y + 17.0), &cell.text, middle);
                }
            }
            top += panel;
        }
        scale(&mut svg, top + 8.0);
        svg.finish()
    }
}

/// What the colours mean.
fn scale(svg: &mut Svg, y: f64) {
    let pale = Style { color: PALE, ..Style::PLAIN };
    svg.text((MARGIN, y + 11.0), "worse", pale);
    for step in 0..=10 {
        let x = MARGIN + 44.0 + 14.0 * f64::from(step);
        svg.rect(x, y, 14.0, 14.0, &color(Some(f64::from(step) / 10.0)));
    }
    svg.text((MARGIN + 206.0, y + 11.0), "better", pale);
    svg.rect(MARGIN + 260.0, y, 14.0, 14.0, &color(None));
    svg.text((MARGIN + 280.0, y + 11.0), "none", pale);
}

/// From red over yellow to green, light enough for dark text.
fn color(good: Option<f64>) -> String {
    const STOPS: [[f64; 3]; 3] =
        [[238.0, 128.0, 108.0], [250.0, 228.0, 140.0], [112.0, 190.0, 112.0]];
    let Some(good) = good else { return "#ececec".to_owned() };
    let place = good.clamp(0.0, 1.0) * 2.0;
    let (low, share) = if place < 1.0 { (0, place) } else { (1, place - 1.0) };
    let mix = |channel: usize| {
        let (from, to) = (STOPS[low][channel], STOPS[low + 1][channel]);
        // A number between two bytes fits a byte, so the cast is exact.
        (from + (to - from) * share).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_red_to_green() {
        let known = [(0.0, "#ee806c"), (0.5, "#fae48c"), (1.0, "#70be70"), (7.0, "#70be70")];
        for (good, hex) in known {
            assert_eq!(color(Some(good)), hex);
        }
        assert_eq!(color(None), "#ececec");
    }
}
