//! The graph of an exploration as data.

use cfa::Program;
use run::{Graph, Status};
use serde_json::{Value, json};

use super::{Drawn, drawn, word};

/// All nodes, in the order in which they were found.
#[must_use]
pub fn json(program: &Program, graph: &Graph) -> String {
    let nodes: Vec<Value> = drawn(program, graph).map(|node| object(&node)).collect();
    let counts = graph.counts();
    let whole = json!({
        "counts": {
            "open": counts.open,
            "expanded": counts.expanded,
            "covered": counts.covered,
            "targets": counts.targets,
            "cut_off": graph.nodes.len() - graph.live().count(),
        },
        "nodes": nodes,
    });
    format!("{whole:#}\n")
}

fn object(node: &Drawn) -> Value {
    let mut object = json!({
        "id": node.id.to_string(),
        "location": node.location,
        "function": node.function,
        "depth": node.depth,
        "status": word(node.status),
        "state": node.lines,
    });
    if let Some(line) = node.line {
        object["line"] = json!(line);
    }
    if let Some(parent) = node.parent {
        object["parent"] = json!(parent.to_string());
        object["by"] = json!(node.by);
    }
    if let Status::Covered(by) = node.status {
        object["covered_by"] = json!(by.to_string());
    }
    object
}
