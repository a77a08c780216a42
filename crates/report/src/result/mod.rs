//! The result of a run as one document, from which every format is made.

mod build;
mod counterexample;
pub mod document;
pub(crate) mod graph;
mod model;
mod sources;

use std::fmt::Write as _;

use document::Document;

pub use build::{Material, bare, document};

/// How much of large graphs and executions a document tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// At most this many nodes of the graph.
    pub nodes: usize,
    /// At most this many edges of the automaton.
    pub edges: usize,
    /// Executions of the proviso with values, as far as they cost so much together.
    pub walks: usize,
}

impl Extent {
    /// As much as a browser bears.
    pub const WHOLE: Extent = Extent { nodes: 100_000, edges: 40_000, walks: 60_000 };
    /// As much as can be written within a moment.
    pub const SHORT: Extent = Extent { nodes: 5_000, edges: 5_000, walks: 6_000 };
}

/// The document as JSON. The last line has the verdict, as it has in every format.
#[must_use]
pub fn json(document: &Document) -> String {
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    let text = text.strip_suffix("\n}").unwrap_or(&text);
    let mut text = base::plain(text).into_owned();
    let _ = writeln!(text, " }}");
    text
}
