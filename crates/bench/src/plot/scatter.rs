//! Scatter plots: the times of two configurations, a point for each model.

use super::svg::{Anchor, GRID, INK, PALE, Style, Svg, power_of_ten, width};

const LEFT: f64 = 80.0;
const TOP: f64 = 50.0;
/// The length of each axis.
const SIDE: f64 = 400.0;
/// How far from the last power of ten the points without an answer are.
const BEYOND: f64 = 18.0;

/// A scatter plot.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// The configuration along the lower edge.
    pub x: String,
    /// The configuration along the left edge.
    pub y: String,
    /// The models.
    pub points: Vec<Point>,
    /// The time limit in seconds.
    pub limit: f64,
}

/// A model: its times in seconds, where it was solved.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Its name, which a pointer on the point shows.
    pub name: String,
    /// Time of the configuration along the lower edge.
    pub x: Option<f64>,
    /// Time of the configuration along the left edge.
    pub y: Option<f64>,
}

impl Scatter {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let title = format!("{} and {}: processor time", self.x, self.y);
        let right = (LEFT + SIDE + BEYOND + 40.0).max(width(&title, Style::TITLE.size) + 32.0);
        let mut svg = Svg::new(right, TOP + BEYOND + SIDE + 66.0, &title);
        svg.text((16.0, 28.0), &title, Style::TITLE);
        let scale = Scale::of(self);
        scale.draw(&mut svg);
        let middle = Style { anchor: Anchor::Middle, ..Style::PLAIN };
        let base = TOP + BEYOND + SIDE;
        svg.text((LEFT + SIDE / 2.0, base + 44.0), &self.x, middle);
        svg.text((18.0, base - SIDE / 2.0), &self.y, Style { turn: -90.0, ..middle });
        for point in &self.points {
            let x = LEFT + scale.place(point.x);
            let y = base - scale.place(point.y);
            let color = match (point.x, point.y) {
                (Some(_), None) => "#009e73",
                (None, Some(_)) => "#d55e00",
                _ => "#0072b2",
            };
            svg.named_dot((x, y), color, &point.name);
        }
        svg.finish()
    }
}

/// Powers of ten along both axes.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(plot: &Scatter) -> Self {
        let times = || plot.points.iter().flat_map(|point| [point.x, point.y]).flatten();
        let least = times().fold(plot.limit, f64::min).max(0.001);
        let most = times().fold(plot.limit, f64::max).max(0.01);
        let low = least.log10().floor() as i32;
        Self { low, high: (most.log10().ceil() as i32).max(low + 1) }
    }

    /// How far from the origin a time is; beyond the axis if there is none.
    fn place(&self, time: Option<f64>) -> f64 {
        let Some(time) = time else { return SIDE + BEYOND };
        let place = time.max(10f64.powi(self.low)).log10() - f64::from(self.low);
        SIDE * place / f64::from(self.high - self.low)
    }

    fn draw(&self, svg: &mut Svg) {
        let base = TOP + BEYOND + SIDE;
        let end = Style { anchor: Anchor::End, ..Style::PLAIN };
        let middle = Style { anchor: Anchor::Middle, ..Style::PLAIN };
        for power in self.low..=self.high {
            let place = self.place(Some(10f64.powi(power)));
            svg.line((LEFT, base - place), (LEFT + SIDE, base - place), GRID, "");
            svg.line((LEFT + place, base), (LEFT + place, base - SIDE), GRID, "");
            svg.text((LEFT - 8.0, base - place + 4.0), &power_of_ten(power), end);
            svg.text((LEFT + place, base + 18.0), &power_of_ten(power), middle);
        }
        svg.line((LEFT, base), (LEFT + SIDE, base - SIDE), PALE, "3 4");
        svg.line((LEFT, base), (LEFT, base - SIDE - BEYOND), INK, "");
        svg.line((LEFT, base), (LEFT + SIDE + BEYOND, base), INK, "");
        let none = Style { color: PALE, ..end };
        svg.text((LEFT - 8.0, base - SIDE - BEYOND + 4.0), "none", none);
        let none = Style { color: PALE, ..middle };
        svg.text((LEFT + SIDE + BEYOND + 10.0, base + 18.0), "none", none);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_without_an_answer_are_beyond_the_axes() {
        let point = |x, y| Point { name: "a<b".into(), x, y };
        let plot = Scatter {
            x: "A".into(),
            y: "B".into(),
            points: vec![point(Some(0.1), Some(10.0)), point(None, Some(1.0))],
            limit: 60.0,
        };
        let scale = Scale::of(&plot);
        assert_eq!((scale.low, scale.high), (-1, 2));
        assert!(scale.place(None) > scale.place(Some(100.0)));
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("<title>a&lt;b</title>"), "{svg}");
    }
}
