//! The graph of an exploration as a page for a browser, in one file.

use cfa::Program;
use run::Graph;

/// The page of a graph: the drawing that the report has, with what refinements have cut off.
#[must_use]
pub fn html(program: &Program, graph: &Graph) -> String {
    crate::html::of_graph(&crate::result::graph::whole(program, graph))
}
