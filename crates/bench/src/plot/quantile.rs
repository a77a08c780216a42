//! Quantile plots: how many models a configuration solves within which time for each.

use super::svg::{Anchor, GRID, INK, PALE, Style, Svg, power_of_ten, width};

/// The place of the axes.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 430.0;

/// Colours that most eyes tell apart on white.
const COLORS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c510a", "#56b4e9", "#6a3d9a", "#b8860b"];

/// Line patterns, for when the colours are used up.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The colour and the pattern of each line that other lines are compared with.
const REFERENCES: [(&str, &str); 2] = [(INK, "7 3"), (PALE, "2 3")];

/// A quantile plot.
#[derive(Clone, Debug)]
pub struct Quantile {
    /// What the plot shows.
    pub title: String,
    /// The lines, in the order of the legend.
    pub series: Vec<Series>,
    /// The time limit in seconds.
    pub limit: f64,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Seconds for each model that was solved, in any order.
    pub times: Vec<f64>,
    /// The index of the line among the lines that others are compared with, if it is one: these look the same in all
    /// pictures.
    pub reference: Option<usize>,
}

impl Quantile {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let entries: Vec<String> = self
            .series
            .iter()
            .map(|series| format!("{} ({})", series.name, series.times.len()))
            .collect();
        let legend = entries.iter().map(|entry| width(entry, 12.0)).fold(0.0, f64::max);
        let right = (RIGHT + 64.0 + legend).max(width(&self.title, 15.0) + 32.0);
        let bottom = (BOTTOM + 56.0).max(TOP + 20.0 * entries.len() as f64 + 20.0);
        let mut svg = Svg::new(right, bottom, &self.title);
        svg.text((16.0, 28.0), &self.title, Style::TITLE);
        let axes = Axes::of(self);
        axes.draw(&mut svg, self.limit);
        // The other lines get their looks in the order of their names, so that a rank does not change how a line looks.
        let others = self.series.iter().filter(|series| series.reference.is_none());
        let mut names: Vec<&str> = others.map(|series| series.name.as_str()).collect();
        names.sort_unstable();
        for (index, (series, entry)) in self.series.iter().zip(&entries).enumerate() {
            let (color, dash) = look(series, &names);
            let mut times = series.times.clone();
            times.sort_by(f64::total_cmp);
            let points: Vec<(f64, f64)> = times
                .iter()
                .enumerate()
                .map(|(place, time)| (axes.x(place + 1), axes.y(*time)))
                .collect();
            if let Some(last) = points.last() {
                svg.path(&points, color, dash);
                svg.dot(*last, color);
            }
            let y = TOP + 8.0 + 20.0 * index as f64;
            svg.path(&[(RIGHT + 18.0, y), (RIGHT + 46.0, y)], color, dash);
            svg.text((RIGHT + 52.0, y + 4.0), entry, Style::PLAIN);
        }
        svg.finish()
    }
}

/// The colour and the pattern of a line; `others` are the names of the lines that others are not compared with.
fn look(series: &Series, others: &[&str]) -> (&'static str, &'static str) {
    if let Some(index) = series.reference {
        return REFERENCES[index % REFERENCES.len()];
    }
    let index = others.iter().position(|name| *name == series.name).unwrap_or_default();
    (COLORS[index % COLORS.len()], DASHES[index / COLORS.len() % DASHES.len()])
}

/// Where numbers and times are on the paper.
struct Axes {
    most: usize,
    step: usize,
    /// Powers of ten between which the times are.
    low: i32,
    high: i32,
}

impl Axes {
    fn of(plot: &Quantile) -> Self {
        let most = plot.series.iter().map(|series| series.times.len()).max().unwrap_or(0);
        let times = || plot.series.iter().flat_map(|series| &series.times).copied();
        let least = times().fold(plot.limit, f64::min).max(0.001);
        let longest = times().fold(plot.limit, f64::max).max(0.01);
        let low = least.log10().floor() as i32;
        let high = (longest.log10().ceil() as i32).max(low + 1);
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
        let step = step.into_iter().find(|step| most <= 10 * step).unwrap_or(10_000);
        Self { most: most.max(1).next_multiple_of(step), step, low, high }
    }

    fn x(&self, number: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * number as f64 / self.most as f64
    }

    fn y(&self, time: f64) -> f64 {
        let place = time.max(10f64.powi(self.low)).log10() - f64::from(self.low);
        BOTTOM - (BOTTOM - TOP) * place / f64::from(self.high - self.low)
    }

    fn draw(&self, svg: &mut Svg, limit: f64) {
        let end = Style { anchor: Anchor::End, ..Style::PLAIN };
        let middle = Style { anchor: Anchor::Middle, ..Style::PLAIN };
        for power in self.low..=self.high {
            let y = self.y(10f64.powi(power));
            svg.line((LEFT, y), (RIGHT, y), GRID, "");
            svg.text((LEFT - 8.0, y + 4.0), &power_of_ten(power), end);
        }
        for number in (0..=self.most).step_by(self.step) {
            let x = self.x(number);
            svg.line((x, TOP), (x, BOTTOM), GRID, "");
            svg.text((x, BOTTOM + 18.0), &number.to_string(), middle);
        }
        svg.line((LEFT, self.y(limit)), (RIGHT, self.y(limit)), PALE, "3 4");
        let pale = Style { color: PALE, ..Style::PLAIN };
        svg.text((LEFT + 6.0, self.y(limit) - 5.0), &format!("limit {limit} s"), pale);
        svg.line((LEFT, TOP), (LEFT, BOTTOM), INK, "");
        svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), INK, "");
        svg.text(((LEFT + RIGHT) / 2.0, BOTTOM + 40.0), "models solved", middle);
        let turned = Style { turn: -90.0, ..middle };
        svg.text((16.0, (TOP + BOTTOM) / 2.0), "processor time for each", turned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_cover_what_is_drawn() {
        let series = |times: Vec<f64>| Series { name: "A".into(), times, reference: None };
        let plot = Quantile {
            title: String::new(),
            series: vec![series(vec![0.004, 3.0, 0.2]), series(vec![])],
            limit: 180.0,
        };
        let axes = Axes::of(&plot);
        assert_eq!((axes.low, axes.high, axes.most), (-3, 3, 3));
        assert!((axes.y(0.001) - BOTTOM).abs() < 1e-9 && (axes.y(1000.0) - TOP).abs() < 1e-9);
        assert!((axes.x(3) - RIGHT).abs() < 1e-9);
        // Nothing solved is drawn as well.
        let empty = Quantile { series: vec![], ..plot };
        assert!(empty.svg().contains("models solved"));
    }
}
