//! The graph of an exploration for Graphviz.

use std::fmt::Write as _;

use cfa::{Program, dot_escaped as escaped};
use run::{Graph, Status};

use super::{Drawn, drawn};
use crate::shorten::beginning;

/// A line of a label is cut after so many characters.
const LONGEST: usize = 60;

/// Nodes are boxes with what their states know; covered ones point to those that cover them, and what
/// was cut off is grey.
#[must_use]
pub fn dot(program: &Program, graph: &Graph) -> String {
    let mut text = String::from(
        "digraph arg {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for node in drawn(program, graph) {
        let _ = writeln!(text, "  {} [{}];", node.id, attributes(&node));
        if let Some(parent) = node.parent {
            let style = if node.status == Status::Removed { ", color=gray" } else { "" };
            let label = escaped(&beginning(&node.by, LONGEST));
            let _ = writeln!(text, "  {parent} -> {} [label=\"{label}\"{style}];", node.id);
        }
        if let Status::Covered(by) = node.status {
            let _ = writeln!(
                text,
                "  {} -> {by} [style=dashed, constraint=false, label=\"covered\"];",
                node.id
            );
        }
    }
    text.push_str("}\n");
    text
}

fn attributes(node: &Drawn) -> String {
    let mut label = format!("{} {}", node.id, escaped(&node.place));
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
