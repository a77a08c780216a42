//! As much of SVG as the pictures need.

use std::fmt::Write as _;

use base::{markup, plain_line};

/// Text that stands in the ordinary colour.
pub(super) const INK: &str = "#222222";
/// Text and lines in the background.
pub(super) const PALE: &str = "#666666";
/// Lines of a grid.
pub(super) const GRID: &str = "#e4e4e4";

/// Where a text has its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub size: f64,
    pub color: &'static str,
    pub anchor: Anchor,
    /// Degrees by which it is turned about its place.
    pub turn: f64,
}

impl Style {
    pub const PLAIN: Self = Self { size: 12.0, color: INK, anchor: Anchor::Start, turn: 0.0 };
    pub const TITLE: Self = Self { size: 15.0, ..Self::PLAIN };
}

/// A picture under construction.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self { width, height, body: String::new() };
        let _ = writeln!(svg.body, "<title>{}</title>", markup(&plain_line(title)));
        svg.rect(0.0, 0.0, width, height, "#ffffff");
        svg
    }

    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: &str, dash: &str) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{color}"{}/>"#,
            from.0,
            from.1,
            to.0,
            to.1,
            dashes(dash)
        );
    }

    pub fn path(&mut self, points: &[(f64, f64)], color: &str, dash: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="1.8"{}/>"#,
            points.join(" "),
            dashes(dash)
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), color: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{color}"/>"#);
    }

    /// A dot; a pointer on the dot shows its name.
    pub fn named_dot(&mut self, (x, y): (f64, f64), color: &str, name: &str) {
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{color}" fill-opacity="0.6"><title>{}</title></circle>"#,
            markup(&plain_line(name))
        );
    }

    pub fn text(&mut self, (x, y): (f64, f64), text: &str, style: Style) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn = if style.turn == 0.0 {
            String::new()
        } else {
            format!(r#" transform="rotate({:.0} {x:.1} {y:.1})""#, style.turn)
        };
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{:.0}" fill="{}" text-anchor="{anchor}"{turn}>{}</text>"#,
            style.size,
            style.color,
            markup(&plain_line(text))
        );
    }

    pub fn finish(self) -> String {
        let Self { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             {body}</svg>\n"
        )
    }
}

fn dashes(pattern: &str) -> String {
    if pattern.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{pattern}""#) }
}

/// About how wide a text is: fonts differ, and capitals are wide.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c.is_uppercase() || c == '_' { 0.7 } else { 0.56 }).sum::<f64>() * size
}

/// A power of ten of seconds, in words.
pub(super) fn power_of_ten(power: i32) -> String {
    match power {
        ..0 => format!("{:.0} ms", 10f64.powi(power + 3)),
        _ => format!("{:.0} s", 10f64.powi(power)),
    }
}
