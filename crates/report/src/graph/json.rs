//! The graph of an exploration as data.

use std::fmt::Write as _;
use std::time::Instant;

use cfa::Program;
use run::{Graph, Status};
use serde::Serialize;
use serde_json::json;

use super::{Drawn, drawn, left_out, word};
use crate::location::Located;

/// The nodes in the order in which they were found, each in a line, as far as there is time until a moment.
#[must_use]
pub fn json(program: &Program, graph: &Graph, until: Option<Instant>) -> String {
    let counts = graph.counts();
    let counts = json!({
        "open": counts.open,
        "expanded": counts.expanded,
        "covered": counts.covered,
        "targets": counts.targets,
        "cut_off": graph.nodes.len() - graph.live().count(),
    });
    let mut text = format!("{{\n\"counts\": {counts},\n\"nodes\": [");
    let mut count = 0;
    for node in drawn(program, graph, until) {
        let comma = if count > 0 { "," } else { "" };
        let _ = write!(text, "{comma}\n{}", line(&node));
        count += 1;
    }
    let note = left_out(graph, count).map(|note| format!(",\n\"note\": {}", json!(note)));
    let _ = write!(text, "\n]{}\n}}\n", note.unwrap_or_default());
    text
}

/// A node.
#[derive(Serialize)]
struct Line<'d> {
    id: String,
    #[serde(flatten)]
    at: &'d Located,
    depth: usize,
    status: &'static str,
    state: &'d [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<String>,
}

fn line(node: &Drawn) -> String {
    let line = Line {
        id: node.id.to_string(),
        at: &node.at,
        depth: node.depth,
        status: word(node.status),
        state: &node.lines,
        parent: node.parent.map(|parent| parent.to_string()),
        by: node.parent.map(|_| &*node.by),
        covered_by: match node.status {
            Status::Covered(by) => Some(by.to_string()),
            _ => None,
        },
    };
    serde_json::to_string(&line).unwrap_or_default()
}
