//! How locations are named, in drawings and in logs alike.

use cfa::{LocId, Names, Program};
use serde::Serialize;
use serde_json::Value;

/// The names of a location, for people and as data.
#[derive(Serialize)]
pub(crate) struct Located {
    pub(crate) function: String,
    /// The name that the file gives to it, as files for Theta and ARMC do; otherwise its number in the model, as
    /// `proviso cfa` shows it.
    pub(crate) location: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
}

impl Located {
    pub(crate) fn of(program: &Program, names: &Names<'_>, location: LocId) -> Self {
        let known = &program.cfa.locations[location];
        Self {
            function: program.cfa.functions[known.function].name.to_string(),
            location: names.shown(location),
            line: known.span.map(|span| program.sources.position(span).line),
        }
    }

    /// `main, L4, line 7`, or `main, L4` for a location that stands for no place in the text.
    pub(crate) fn text(&self) -> String {
        let Self { function, location, line } = self;
        match line {
            Some(line) => format!("{function}, {location}, line {line}"),
            None => format!("{function}, {location}"),
        }
    }

    /// The names as data, to which other keys may be added.
    pub(crate) fn json(&self) -> Value {
        // The value has only texts and a number, so the conversion cannot fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}
