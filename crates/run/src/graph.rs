//! The graph that an exploration leaves behind, without the domain that explored: what every
//! consumer reads, however the run ended.

use std::collections::BTreeMap;

use base::IndexVec;
use cfa::LocId;
use term::{TermId, Terms, Value};

use crate::certificate::{Certificate, Entry, Kept};
use crate::place::{Place, PlaceId, Places, Step};

base::define_id!(
    /// A node of a graph. Ids are given out in order and never twice in an exploration.
    pub struct NodeId, "n"
);

/// Whether a node still has to be expanded, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The successors of the node are not computed yet.
    Open,
    /// The successors of the node are in the graph.
    Expanded,
    /// Another node stands for all executions of this one.
    Covered(NodeId),
    /// The node violates the property, or meets something that is not modelled.
    Target,
    /// The node was cut off.
    Removed,
}

/// A node of a graph: a place that executions reach, and how it was found.
#[derive(Clone, Debug)]
pub struct Node {
    /// Location and call stack.
    pub place: PlaceId,
    /// The node and the step that this node was found by; none for the root.
    pub parent: Option<(NodeId, Step)>,
    /// Whether the node still has to be expanded, and if not, why.
    pub status: Status,
}

/// A target that stays in a graph because the analysis could not decide whether an execution reaches it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unresolved {
    /// The target.
    pub node: NodeId,
    /// What is not modelled there; none if the target is an error.
    pub unsupported: Option<String>,
}

/// What the state of a node says, over the slots of a certificate. All of it holds together.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Slots, as terms, with their values.
    pub values: Vec<(TermId, Value)>,
    /// A formula that holds besides.
    pub formula: TermId,
    /// Objects that still hold the bytes that they had at the start.
    pub kept: Vec<Kept>,
}

impl Claimed {
    /// Values and formula together.
    pub fn whole(&self, terms: &mut Terms) -> TermId {
        let mut parts = vec![self.formula];
        for (slot, value) in &self.values {
            let value = terms.constant(value.clone());
            parts.push(terms.eq(*slot, value));
        }
        terms.and(&parts)
    }
}

/// The graph of an exploration: a tree of nodes, where each covered node points to the node that covers it.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The places of the nodes.
    pub places: Places,
    /// All nodes that were ever found, in that order; those that were cut off are among them.
    pub nodes: IndexVec<NodeId, Node>,
    /// The targets of which the analysis could not decide whether an execution reaches them.
    pub unresolved: Vec<Unresolved>,
    /// What the states of some nodes say, in the terms and symbols of `language`.
    pub claims: BTreeMap<NodeId, Claimed>,
    /// A certificate without entries: the terms and symbols of the claims. It is empty if there are no claims because
    /// the graph is not closed.
    pub language: Certificate,
    /// For each node, what its state knows, in lines for people. Empty if these lines were not asked for.
    pub lines: BTreeMap<NodeId, Vec<String>>,
}

impl Graph {
    /// The nodes that have not been cut off.
    pub fn live(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.entries().filter(|(_, node)| node.status != Status::Removed)
    }

    /// The place of a node.
    #[must_use]
    pub fn place(&self, id: NodeId) -> Place {
        self.places.get(self.nodes[id].place)
    }

    /// The claims of a closed graph at some locations as a certificate that others can check.
    /// A node that another one covers adds nothing.
    #[must_use]
    pub fn certificate(&self, is_cut: &dyn Fn(LocId) -> bool) -> Certificate {
        let mut certificate = self.language.clone();
        for (id, claimed) in &self.claims {
            let Place { location, stack } = self.place(*id);
            if self.nodes[*id].status != Status::Expanded || !is_cut(location) {
                continue;
            }
            let calls = self.places.stacks.calls(stack);
            let formula = claimed.whole(&mut certificate.terms);
            certificate.entries.push(Entry {
                location,
                calls,
                formula,
                kept: claimed.kept.clone(),
            });
        }
        certificate
    }

    /// How many nodes are open, expanded, covered and targets.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (_, node) in self.live() {
            match node.status {
                Status::Open => counts.open += 1,
                Status::Expanded => counts.expanded += 1,
                Status::Covered(_) => counts.covered += 1,
                Status::Target => counts.targets += 1,
                Status::Removed => {}
            }
        }
        counts
    }
}

/// How many nodes of a graph have which status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Nodes whose successors are not computed yet.
    pub open: usize,
    /// Nodes whose successors are in the graph.
    pub expanded: usize,
    /// Nodes that another node stands for.
    pub covered: usize,
    /// Nodes that violate the property, or meet something that is not modelled.
    pub targets: usize,
}
