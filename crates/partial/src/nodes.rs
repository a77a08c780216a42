//! The automaton of a graph: what an exploration has analysed when it ended.

use std::cell::RefCell;
use std::rc::Rc;

use base::{Id, IndexVec};
use cfa::LocId;
use run::{Graph, NodeId, Status, Step};

use crate::automaton::{Automaton, StateId, States};

/// The assumption automaton of a graph.
///
/// A node is pending if it is open or a target. A step into a covered node leads to the node that covers it. A step
/// without a node leads to no node: no execution takes the step, or nothing that follows matters. Steps from which
/// nothing pending can be reached are safe cones. Explorations may give one step several nodes, so that a state is a
/// set of nodes: the state is not analysed if one of its nodes is pending.
pub struct Nodes<'g> {
    graph: &'g Graph,
    found: Rc<Found>,
    /// Whether only the paths count on which nodes were found.
    tree: bool,
    states: States<Box<[NodeId]>>,
}

/// The facts about all nodes of a graph that automata need. Graphs have millions of nodes, so these facts are
/// computed once.
struct Found {
    /// The nodes that were found from a node, as far as they lead to something pending.
    below: Lists,
    pending: IndexVec<NodeId, bool>,
    /// The nodes from which something pending can be reached.
    leading: IndexVec<NodeId, bool>,
    root: Option<NodeId>,
}

/// What is known of the nodes of graphs, for several automata of the same graphs.
#[derive(Default)]
pub struct Memory<'g> {
    known: RefCell<Vec<(&'g Graph, Rc<Found>)>>,
}

impl<'g> Memory<'g> {
    /// The automaton of a graph.
    pub(crate) fn nodes(&self, graph: &'g Graph) -> Nodes<'g> {
        let mut known = self.known.borrow_mut();
        let found = match known.iter().find(|(of, _)| std::ptr::eq(*of, graph)) {
            Some((_, found)) => Rc::clone(found),
            None => {
                let found = Rc::new(Found::of(graph, &|_| true, false));
                known.push((graph, Rc::clone(&found)));
                found
            }
        };
        Nodes { graph, found, tree: false, states: States::default() }
    }
}

impl<'g> Nodes<'g> {
    /// The automaton of a graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Self::of(graph, &|_| true, false)
    }

    /// The automaton of a graph in which only the wanted pending nodes count as pending, and only if they are reached
    /// on the paths on which they were found. Its frontier is a small part of the frontier of the graph. What this
    /// automaton calls analysed need not be analysed.
    #[must_use]
    pub fn towards(graph: &'g Graph, wanted: &dyn Fn(NodeId) -> bool) -> Self {
        Self::of(graph, wanted, true)
    }

    fn of(graph: &'g Graph, wanted: &dyn Fn(NodeId) -> bool, tree: bool) -> Self {
        let found = Rc::new(Found::of(graph, wanted, tree));
        Self { graph, found, tree, states: States::default() }
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
        if nodes.iter().any(|id| self.found.pending[*id]) {
            return StateId::FALSE;
        }
        nodes.retain(|id| self.found.leading[*id]);
        if nodes.is_empty() {
            return StateId::TRUE;
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.states.id(nodes.into())
    }

    /// The node that stands for a node: the node that covers it, or the node itself.
    fn landed(&self, id: NodeId) -> NodeId {
        match self.graph.nodes[id].status {
            Status::Covered(by) if !self.tree => by,
            _ => id,
        }
    }
}

impl Found {
    fn of(graph: &Graph, wanted: &dyn Fn(NodeId) -> bool, tree: bool) -> Self {
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
        let covered = Lists::of(count, || covered.iter().copied());
        let mut leading = IndexVec::filled(false, count);
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut leading[id], true) {
                continue;
            }
            todo.extend(graph.nodes[id].parent.map(|(parent, _)| parent));
            todo.extend(covered.at(id));
        }
        let found = |(id, node): (NodeId, &run::Node)| {
            let (parent, _) = node.parent?;
            leading[id].then_some((parent, id))
        };
        let below = Lists::of(count, || graph.live().filter_map(found));
        Self { below, pending, leading, root }
    }
}

impl Automaton for Nodes<'_> {
    fn initial(&mut self) -> StateId {
        // Nothing is in the graph of a run that was stopped before its first step.
        let Some(root) = self.found.root else { return StateId::FALSE };
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
        let below = nodes.iter().flat_map(|id| self.found.below.at(*id));
        let is_taken =
            |id: &NodeId| self.graph.nodes[*id].parent.is_some_and(|(_, way)| way == step);
        let reached = below.copied().filter(is_taken).map(|id| self.landed(id)).collect();
        Some(self.state(reached))
    }
}

/// A list of nodes for each node. All lists lie behind each other in one table, since graphs have millions of nodes.
struct Lists {
    /// Where the list of a node ends. It begins where that of the node before it ends.
    ends: IndexVec<NodeId, u32>,
    entries: Vec<NodeId>,
}

impl Lists {
    /// Puts the second node of each pair into the list of the first one.
    fn of<P: Iterator<Item = (NodeId, NodeId)>>(count: usize, pairs: impl Fn() -> P) -> Self {
        let mut ends: IndexVec<NodeId, u32> = IndexVec::filled(0, count);
        for (owner, _) in pairs() {
            ends[owner] += 1;
        }
        let mut total = 0;
        for end in ends.iter_mut() {
            let length = std::mem::replace(end, total);
            total += length;
        }
        // At first each list ends where it begins; each entry that is put into a list moves its end.
        let mut entries = vec![NodeId::from_index(0); total as usize];
        for (owner, entry) in pairs() {
            entries[ends[owner] as usize] = entry;
            ends[owner] += 1;
        }
        Self { ends, entries }
    }

    fn at(&self, id: NodeId) -> &[NodeId] {
        let before = id.index().checked_sub(1).map(NodeId::from_index);
        let start = before.map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[id] as usize]
    }
}
