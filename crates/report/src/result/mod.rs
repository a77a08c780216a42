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

/// The document as JSON. The last line has the verdict, as it has in every format.
#[must_use]
pub fn json(document: &Document) -> String {
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    let text = text.strip_suffix("\n}").unwrap_or(&text);
    let mut text = base::plain(text).into_owned();
    let _ = writeln!(text, " }}");
    text
}
