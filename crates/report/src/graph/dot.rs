//! The graph of an exploration for Graphviz.

use std::fmt::Write as _;
use std::time::Instant;

use cfa::{Program, dot_escaped as escaped};
use run::{Graph, Status};
use rustc_hash::FxHashSet;

use super::{Drawn, drawn, left_out};
use crate::shorten::beginning;

/// A line of a label is cut after this many characters.
const LONGEST: usize = 60;

/// The graph for Graphviz. Nodes are boxes with what their states know; covered nodes point to the nodes that cover
/// them, and nodes that were cut off are grey. Nodes are written until the moment `until`.
#[must_use]
pub fn dot(program: &Program, graph: &Graph, until: Option<Instant>) -> String {
    let mut text = String::from(
        "digraph arg {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
    );
    let mut have = FxHashSet::default();
    let mut covers = Vec::new();
    for node in drawn(program, graph, until) {
        have.insert(node.id);
        let _ = writeln!(text, "  {} [{}];", node.id, attributes(&node));
        if let Some(parent) = node.parent {
            let style = if node.status == Status::Removed { ", color=gray" } else { "" };
            let label = escaped(&beginning(&node.by, LONGEST));
            let _ = writeln!(text, "  {parent} -> {} [label=\"{label}\"{style}];", node.id);
        }
        if let Status::Covered(by) = node.status {
            covers.push((node.id, by));
        }
    }
    // Graphviz would draw an edge to a node that is left out as an edge to an empty node.
    for (node, by) in covers.into_iter().filter(|(_, by)| have.contains(by)) {
        let _ =
            writeln!(text, "  {node} -> {by} [style=dashed, constraint=false, label=\"covered\"];");
    }
    if let Some(note) = left_out(graph, have.len()) {
        let _ = writeln!(text, "  label=\"{note}\";");
    }
    text.push_str("}\n");
    text
}

fn attributes(node: &Drawn) -> String {
    let mut label = format!("{} {}", node.id, escaped(&node.at.text()));
    for line in &node.lines {
        label.push_str("\\l");
        label.push_str(&escaped(&beginning(line, LONGEST)));
    }
    label.push_str("\\l");
    let style = match node.status {
        Status::Removed => ", style=dashed, color=gray, fontcolor=gray",
        Status::Covered(_) => ", style=dashed",
        Status::Target if node.is_error => ", style=filled, fillcolor=\"#ff8080\"",
        Status::Target => ", style=filled, fillcolor=\"#ffd080\"",
        Status::Open => ", style=filled, fillcolor=\"#ffffc0\"",
        Status::Expanded => "",
    };
    format!("label=\"{label}\"{style}")
}
