//! The graph of an exploration, drawn: for Graphviz, as data, and as a page.

mod dot;
mod html;
mod json;

use std::time::Instant;

use cfa::{Names, Program};
use run::{Graph, NodeId, Status, Step};
use rustc_hash::FxHashMap;

use crate::location::Located;
use crate::refinement::step_text;
use crate::result::graph::chosen;

pub use dot::dot;
pub use html::html;
pub use json::json;

/// At least this many nodes are drawn, even if there is no time left.
const LEAST: usize = 100;

/// A node with everything that a drawing says of it.
pub(crate) struct Drawn {
    id: NodeId,
    at: Located,
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

/// What a drawing of `drawn` nodes leaves out, in words; nothing if it has all nodes.
pub(crate) fn left_out(graph: &Graph, drawn: usize) -> Option<String> {
    let all = graph.nodes.len();
    (drawn < all).then(|| {
        format!("{drawn} of {all} nodes are drawn, as many as there was time and room for")
    })
}

/// The nodes of a drawing, each with its texts; nodes are added until the moment `until`.
pub(crate) fn drawn<'a>(
    program: &'a Program,
    graph: &'a Graph,
    until: Option<Instant>,
) -> impl Iterator<Item = Drawn> + 'a {
    let in_time =
        move |number: &usize| *number < LEAST || until.is_none_or(|until| Instant::now() < until);
    // Many nodes are reached by the same step, so the text of each step is kept.
    let mut steps: FxHashMap<Step, String> = FxHashMap::default();
    let names = Names::of(&program.cfa);
    let chosen = (0..).zip(chosen(graph)).take_while(move |(number, _)| in_time(number));
    chosen.map(move |(_, id)| {
        let node = &graph.nodes[id];
        let place = graph.place(id);
        let by = node
            .parent
            .map(|(_, step)| steps.entry(step).or_insert_with(|| step_text(program, step)).clone());
        Drawn {
            id,
            at: Located::of(program, &names, place.location),
            depth: graph.places.stacks.depth(place.stack) as usize + 1,
            lines: graph.lines.get(&id).cloned().unwrap_or_default(),
            status: node.status,
            is_error: program.cfa.locations[place.location].error,
            parent: node.parent.map(|(parent, _)| parent),
            by: by.unwrap_or_default(),
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
