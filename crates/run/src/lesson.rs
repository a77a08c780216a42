//! What each refinement has learned, for those who follow a run (`-v`, `--log`).

use cfa::LocId;

use crate::graph::NodeId;
use crate::place::Step;

/// What a refinement found out about a path to a target, in words of the domain.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// What excludes the path: the interpolant at a node, by the number of the node on the path.
    pub interpolants: Vec<(usize, String)>,
    /// What is tracked from now on, and the location where it was needed.
    pub learned: Vec<(LocId, String)>,
    /// Variables that have been left to predicates since the refinement before.
    pub dropouts: Vec<String>,
    /// Variables that had been left to predicates and have values again.
    pub taken_back: Vec<String>,
    /// What else has changed: another abstraction, other blocks.
    pub changes: Vec<String>,
}

/// What a refinement found out about a path as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// An execution takes the path.
    Feasible,
    /// No execution takes the path, and the path is excluded from now on.
    Excluded,
    /// The path stays in the graph.
    Unresolved,
}

/// A refinement.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The nodes of the path, from the root to the target, with their locations.
    pub nodes: Vec<(NodeId, LocId)>,
    /// The steps between these nodes.
    pub steps: Vec<Step>,
    /// What came of the path.
    pub came: Came,
    /// What the refinement says about the path: why it is excluded, and what is tracked from now on.
    pub notes: Notes,
    /// The node from which on the graph is explored again; none if the graph is begun anew, or stays as it is.
    pub root: Option<NodeId>,
    /// How many nodes were cut off.
    pub removed: usize,
}
