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
    /// The steps from nodes to nodes, as far as they lead to something pending, in the order of the
    /// nodes that they begin in.
    steps: Vec<(NodeId, Step, NodeId)>,
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
        let mut pending = IndexVec::filled(false, count);
        let mut covered = Vec::new();
        let mut root = None;
        let mut todo = Vec::new();
        for (id, node) in graph.live() {
            if node.parent.is_none() {
                root = Some(id);
            }
            match node.status {
                Status::Open | Status::Target if wanted(id) => {
                    pending[id] = true;
                    todo.push(id);
                }
                Status::Covered(by) if !tree => covered.push((by, id)),
                Status::Open
                | Status::Target
                | Status::Expanded
                | Status::Covered(_)
                | Status::Removed => {}
            }
        }
        covered.sort_unstable();
        let mut leading = IndexVec::filled(false, count);
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut leading[id], true) {
                continue;
            }
            todo.extend(graph.nodes[id].parent.map(|(parent, _)| parent));
            todo.extend(starting(&covered, |(by, _)| *by, id).iter().map(|(_, id)| *id));
        }
        let step = |(id, node): (NodeId, &run::Node)| {
            let (parent, step) = node.parent?;
            leading[id].then_some((parent, step, id))
        };
        let mut steps: Vec<_> = graph.live().filter_map(step).collect();
        steps.sort_by_key(|(parent, _, _)| *parent);
        Self { graph, steps, pending, leading, tree, root, states: States::default() }
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
        let below = nodes.iter().flat_map(|id| starting(&self.steps, |(from, _, _)| *from, *id));
        let taken = below.filter(|(_, way, _)| *way == step);
        let reached = taken.map(|(_, _, id)| self.landed(*id)).collect();
        Some(self.state(reached))
    }
}

/// The part of a list that has a node as its key; the list is in the order of the keys.
fn starting<T>(list: &[T], key: impl Fn(&T) -> NodeId, id: NodeId) -> &[T] {
    let start = list.partition_point(|entry| key(entry) < id);
    let rest = &list[start..];
    let length = rest.iter().take_while(|entry| key(entry) == id).count();
    &rest[..length]
}
