//! The graph of an exploration, drawn: for Graphviz, as data, and as a page.

mod dot;
mod html;
mod json;

use cfa::Program;
use run::{Graph, NodeId, Status};

use crate::refinement::step_text;

pub use dot::dot;
pub use html::html;
pub use json::json;

/// A node with everything that a drawing says of it.
pub(crate) struct Drawn {
    id: NodeId,
    /// `main, line 7`, with the name of the location in the model.
    place: String,
    line: Option<u32>,
    location: String,
    function: String,
    /// How many functions are active.
    depth: usize,
    /// What its state knows.
    lines: Vec<String>,
    status: Status,
    is_error: bool,
    parent: Option<NodeId>,
    /// The operations that lead from its parent to it.
    by: String,
}

/// All nodes, those that were cut off among them.
pub(crate) fn drawn<'a>(
    program: &'a Program,
    graph: &'a Graph,
) -> impl Iterator<Item = Drawn> + 'a {
    let cfa = &program.cfa;
    graph.nodes.entries().map(move |(id, node)| {
        let place = graph.place(id);
        let known = &cfa.locations[place.location];
        let function = cfa.functions[known.function].name.to_string();
        let line = known.span.map(|span| program.sources.position(span).line);
        let location =
            known.name.as_deref().map_or_else(|| place.location.to_string(), str::to_owned);
        let at = match line {
            Some(line) => format!("{function}, line {line}"),
            None => format!("{function}, {location}"),
        };
        Drawn {
            id,
            place: at,
            line,
            location,
            function,
            depth: graph.places.stacks.depth(place.stack) as usize + 1,
            lines: graph.lines.get(&id).cloned().unwrap_or_default(),
            status: node.status,
            is_error: known.error,
            parent: node.parent.map(|(parent, _)| parent),
            by: node.parent.map(|(_, step)| step_text(program, step)).unwrap_or_default(),
        }
    })
}

/// The word for what became of a node.
pub(crate) const fn word(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Expanded => "expanded",
        Status::Covered(_) => "covered",
        Status::Target => "target",
        Status::Removed => "cut off",
    }
}
