//! The automaton of a graph: what an exploration has analysed when it ended.

use base::IndexVec;
use cfa::LocId;
use run::{Graph, NodeId, Status, Step};

use crate::automaton::{Automaton, StateId, States};

/// The assumption automaton of a graph.
///
/// A node is pending if it is open or a target. A step into a covered node lands on the one that
/// covers it, and a step without a node on nothing: no execution takes it, or what follows matters to
/// nobody. Steps from which nothing pending can be reached are safe cones. Explorations may give one
/// step several nodes, so that a state is a set of nodes: it is not analysed if one of them is pending.
pub struct Nodes<'g> {
    graph: &'g Graph,
    /// The nodes below each node, by step.
    children: IndexVec<NodeId, Vec<(Step, NodeId)>>,
    pending: IndexVec<NodeId, bool>,
    /// The nodes from which something pending can be reached.
    leading: IndexVec<NodeId, bool>,
    /// Whether only the paths count on which nodes were found.
    tree: bool,
    root: Option<NodeId>,
    states: States<Box<[NodeId]>>,
}

impl<'g> Nodes<'g> {
    /// The automaton of a graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Self::of(graph, &|_| true, false)
    }

    /// The same, but only the pending nodes that are asked for count as pending, and only the paths on
    /// which they were found lead to them: its frontier is a part of the frontier of the graph, and a
    /// small one. What it calls analysed need not be.
    #[must_use]
    pub fn towards(graph: &'g Graph, wanted: &dyn Fn(NodeId) -> bool) -> Self {
        Self::of(graph, wanted, true)
    }

    fn of(graph: &'g Graph, wanted: &dyn Fn(NodeId) -> bool, tree: bool) -> Self {
        let count = graph.nodes.len();
        let mut children: IndexVec<NodeId, Vec<(Step, NodeId)>> =
            IndexVec::filled(Vec::new(), count);
        let mut covered: IndexVec<NodeId, Vec<NodeId>> = IndexVec::filled(Vec::new(), count);
        let mut pending = IndexVec::filled(false, count);
        let mut root = None;
        let mut todo = Vec::new();
        for (id, node) in graph.live() {
            match node.parent {
                Some((parent, step)) => children[parent].push((step, id)),
                None => root = Some(id),
            }
            match node.status {
                Status::Open | Status::Target if wanted(id) => {
                    pending[id] = true;
                    todo.push(id);
                }
                Status::Covered(by) if !tree => covered[by].push(id),
                Status::Open
                | Status::Target
                | Status::Expanded
                | Status::Covered(_)
                | Status::Removed => {}
            }
        }
        let mut leading = IndexVec::filled(false, count);
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut leading[id], true) {
                continue;
            }
            todo.extend(graph.nodes[id].parent.map(|(parent, _)| parent));
            todo.append(&mut covered[id]);
        }
        Self { graph, children, pending, leading, tree, root, states: States::default() }
    }

    /// The pending nodes of a graph, those with the shortest paths first.
    #[must_use]
    pub fn pending(graph: &Graph) -> Vec<NodeId> {
        let mut depths: IndexVec<NodeId, u32> = IndexVec::filled(0, graph.nodes.len());
        let mut pending = Vec::new();
        for (id, node) in graph.live() {
            // Parents are older than their children.
            depths[id] = node.parent.map_or(0, |(parent, _)| depths[parent] + 1);
            if matches!(node.status, Status::Open | Status::Target) {
                pending.push(id);
            }
        }
        pending.sort_by_key(|id| (depths[*id], *id));
        pending
    }

    fn state(&mut self, mut nodes: Vec<NodeId>) -> StateId {
        if nodes.iter().any(|id| self.pending[*id]) {
            return StateId::FALSE;
        }
        nodes.retain(|id| self.leading[*id]);
        if nodes.is_empty() {
            return StateId::TRUE;
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.states.id(nodes.into())
    }

    /// The node that stands for a node.
    fn landed(&self, id: NodeId) -> NodeId {
        match self.graph.nodes[id].status {
            Status::Covered(by) if !self.tree => by,
            _ => id,
        }
    }
}

impl Automaton for Nodes<'_> {
    fn initial(&mut self) -> StateId {
        // Nothing is in the graph of a run that was stopped before its first step.
        let Some(root) = self.root else { return StateId::FALSE };
        self.state(vec![root])
    }

    fn step(&mut self, from: StateId, _at: LocId, step: Step) -> Option<StateId> {
        let Some(nodes) = self.states.get(from) else { return Some(from) };
        if let Step::Return(call) = step {
            let stack = self.graph.place(*nodes.first()?).stack;
            if self.graph.places.stacks.pop(stack).is_none_or(|(top, _)| top != call) {
                return None;
            }
        }
        let below = nodes.iter().flat_map(|id| &self.children[*id]);
        let taken = below.filter(|(way, _)| *way == step);
        let reached = taken.map(|(_, id)| self.landed(*id)).collect();
        Some(self.state(reached))
    }
}
