//! Executions along the paths on which an exploration has found what it left pending. A formula for one
//! path is small, however large the program and the graph are.

use cfa::{EdgeId, Program};
use engines::path::Paths;
use run::{Budget, Drawn, Graph, NodeId, Status, Step};
use smt::NewSolver;

use crate::analysed::Analysed;
use crate::product::inevitable;
use crate::trace::limits;

/// What an execution of the given program decides that gets to a pending node, or to the last location
/// from which it can. None if no execution takes the path of the node, or none was found in time.
pub(crate) fn to_pending(
    analysed: &Analysed<'_>,
    node: NodeId,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Option<Vec<Drawn>> {
    let graph = analysed.graph?;
    let made = analysed.rewritten.map_or(analysed.program, |made| &made.program);
    let edges = path(made, graph, node);
    let drawn = Paths::of(made).example(&edges, solver, budget)?;
    Some(match analysed.rewritten {
        Some(rewritten) => {
            let config = limits(edges.len() as u64, budget);
            rewritten.back.decisions(made, &drawn, analysed.program, &config)
        }
        None => drawn,
    })
}

/// The edges of the path on which a node was found. The path to an error ends at the last location where an execution
/// can still do something else, since no analysis could decide whether the error is reached. On the path to something
/// that is not modelled, the last edge is left out, since it is this edge that is not modelled.
fn path(program: &Program, graph: &Graph, node: NodeId) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut here = node;
    while let Some((parent, step)) = graph.nodes[here].parent {
        if let Step::Edge(edge) = step {
            edges.push(edge);
        }
        here = parent;
    }
    edges.reverse();
    if graph.nodes[node].status == Status::Target {
        let is_error = program.cfa.locations[graph.place(node).location].error;
        while let Some(last) = edges.pop() {
            if !is_error || inevitable(program, program.cfa.edges[last].source).is_none() {
                break;
            }
        }
    }
    edges
}
