//! Equalities between terms: classes, and why two terms are in one.
//!
//! Beside the union-find there is a forest whose edges are the equalities as they came; the path
//! between two terms of a class is why they are equal (Nieuwenhuis & Oliveras 2005).

use rustc_hash::FxHashMap;
use term::Op;

use super::graph::{Graph, Node};
use super::trail::{EventId, NONE, Reason};

/// Classes of equal terms. Classes only ever grow.
#[derive(Default)]
pub(super) struct Equalities {
    /// The representative of each node's class.
    class: Vec<Node>,
    /// The members of a class, at its representative; empty for a class of one.
    members: FxHashMap<Node, Vec<Node>>,
    /// The other end of each node's edge in the forest, and what the edge is.
    edges: FxHashMap<Node, (Node, Edge)>,
    /// Terms by operator and classes of arguments; filled when the first classes merge.
    signatures: FxHashMap<(Op, Box<[Node]>), Node>,
}

#[derive(Clone, Copy)]
enum Edge {
    /// An equation or a condition that holds since this event.
    Event(EventId),
    /// The two have one operator and equal arguments.
    Congruence,
}

impl Equalities {
    pub fn new(nodes: usize) -> Self {
        Self { class: (0..nodes as Node).collect(), ..Self::default() }
    }

    pub fn same(&self, a: Node, b: Node) -> bool {
        self.class[a as usize] == self.class[b as usize]
    }

    pub fn class(&self, node: Node) -> Node {
        self.class[node as usize]
    }

    /// Puts two terms into one class because of an event, and all that become equal by that.
    /// `touched` gets the terms whose class is new, `congruent` the pairs that are equal now
    /// without an equation between them.
    pub fn merge(
        &mut self,
        graph: &Graph,
        (a, b): (Node, Node),
        why: EventId,
        touched: &mut Vec<Node>,
        congruent: &mut Vec<(Node, Node)>,
    ) {
        if self.same(a, b) {
            return;
        }
        if self.signatures.is_empty() {
            self.fill(graph);
        }
        let mut todo = vec![(a, b, Edge::Event(why))];
        while let Some((a, b, edge)) = todo.pop() {
            if self.same(a, b) {
                continue;
            }
            if matches!(edge, Edge::Congruence) {
                congruent.push((a, b));
            }
            let moved = self.join(a, b, edge);
            for member in &moved {
                for parent in graph.parents(*member) {
                    let Some(signature) = self.signature(graph, *parent) else { continue };
                    let twin = *self.signatures.entry(signature).or_insert(*parent);
                    if !self.same(twin, *parent) {
                        todo.push((twin, *parent, Edge::Congruence));
                    }
                }
            }
            touched.extend(moved);
        }
    }

    /// Joins two classes and gives the members of the lesser one.
    fn join(&mut self, a: Node, b: Node, edge: Edge) -> Vec<Node> {
        let size = |node: Node| self.members.get(&self.class(node)).map_or(1, Vec::len);
        let (from, to) = if size(a) <= size(b) { (a, b) } else { (b, a) };
        let (old, new) = (self.class(from), self.class(to));
        let moved = self.members.remove(&old).unwrap_or_else(|| vec![old]);
        for member in &moved {
            self.class[*member as usize] = new;
        }
        self.members.entry(new).or_insert_with(|| vec![new]).extend(&moved);
        self.lead_to(from, to, edge);
        moved
    }

    /// Turns the edges on the way from a node to its root, and adds one from the node.
    fn lead_to(&mut self, from: Node, to: Node, edge: Edge) {
        let (mut node, mut next) = (from, (to, edge));
        while let Some((target, edge)) = self.edges.insert(node, next) {
            next = (node, edge);
            node = target;
        }
    }

    fn fill(&mut self, graph: &Graph) {
        for node in 0..graph.len() as Node {
            if let Some(signature) = self.signature(graph, node) {
                self.signatures.entry(signature).or_insert(node);
            }
        }
    }

    /// Wide terms are junctions, whose truth follows from that of their parts anyway.
    fn signature(&self, graph: &Graph, node: Node) -> Option<(Op, Box<[Node]>)> {
        let op = graph.ops[node as usize]?;
        let args = graph.args(node);
        (args.len() <= 3).then(|| (op, args.iter().map(|arg| self.class(*arg)).collect()))
    }

    /// Why two terms of one class are equal: an event, or equal arguments, for each edge between.
    pub fn path(&self, graph: &Graph, a: Node, b: Node, why: &mut Vec<Reason>) {
        let up = |mut node: Node| {
            let mut way = vec![node];
            while let Some((next, _)) = self.edges.get(&node) {
                node = *next;
                way.push(node);
            }
            way
        };
        let (mut from_a, mut from_b) = (up(a), up(b));
        while from_a.len() > 1
            && from_b.len() > 1
            && from_a[from_a.len() - 2] == from_b[from_b.len() - 2]
        {
            from_a.pop();
            from_b.pop();
        }
        for way in [from_a, from_b] {
            for pair in way.windows(2) {
                match self.edges.get(&pair[0]) {
                    Some((_, Edge::Event(event))) if *event != NONE => {
                        why.push(Reason::Event(*event));
                    }
                    Some((_, Edge::Congruence)) => {
                        let (x, y) = (graph.args(pair[0]), graph.args(pair[1]));
                        why.extend(x.iter().zip(y).map(|(x, y)| Reason::Equal(*x, *y)));
                    }
                    _ => {}
                }
            }
        }
    }
}
