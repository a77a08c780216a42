//! Equalities between terms: classes, and why two terms are in one.
//!
//! Beside the union-find there is a forest whose edges are the equalities as they came; the path
//! between two terms of a class is why they are equal (Nieuwenhuis & Oliveras 2005).

use rustc_hash::{FxHashMap, FxHashSet};
use term::Op;

use super::graph::{Graph, Node};
use super::reason::{EventId, NONE, Reason};

/// Classes of equal terms. Classes only ever grow.
#[derive(Default)]
pub(super) struct Equalities {
    /// The representative of each node's class.
    class: Vec<Node>,
    /// The members of a class, at its representative; empty for a class of one.
    members: FxHashMap<Node, Vec<Node>>,
    /// The other end of each node's edge in the forest, and the reason that the edge stands for.
    edges: FxHashMap<Node, (Node, Edge)>,
    /// Terms by operator and classes of arguments; filled when the first classes merge.
    signatures: FxHashMap<(Op, Box<[Node]>), Node>,
}

#[derive(Clone, Copy)]
enum Edge {
    /// An equation or a condition that holds since this event.
    Event(EventId),
    /// The two terms have the same operator and equal arguments.
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

    /// Puts two terms into one class because of an event, and all terms that become equal by that. `touched` gets the
    /// terms whose class is new, `congruent` the pairs that are equal now without an equation between them. Returns how
    /// many terms were looked at.
    pub fn merge(
        &mut self,
        graph: &Graph,
        (a, b): (Node, Node),
        why: EventId,
        touched: &mut Vec<Node>,
        congruent: &mut Vec<(Node, Node)>,
    ) -> usize {
        let mut looked = 0;
        if self.same(a, b) {
            return looked;
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
                looked += 1 + graph.parents(*member).len();
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
        looked
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

    /// Turns round the edges on the way from a node to its root, and adds an edge from the node.
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

    /// The signature of a term. Terms with many arguments have none: these are conjunctions and disjunctions, whose
    /// truth follows from that of their parts anyway.
    fn signature(&self, graph: &Graph, node: Node) -> Option<(Op, Box<[Node]>)> {
        let op = graph.ops[node as usize]?;
        let args = graph.args(node);
        (args.len() <= 3).then(|| (op, args.iter().map(|arg| self.class(*arg)).collect()))
    }
}

/// Why terms are equal, for one question: the reasons of an edge are given once, even if the edge lies between many
/// pairs of terms. Without that, terms with equal arguments whose arguments have equal arguments again would be
/// explained over and over.
pub(super) struct Paths<'a> {
    graph: &'a Graph,
    equalities: &'a Equalities,
    /// For each node whose edge has been explained, a node further up, from which on the edges may not have been
    /// explained yet.
    above: FxHashMap<Node, Node>,
}

impl<'a> Paths<'a> {
    pub fn new(graph: &'a Graph, equalities: &'a Equalities) -> Self {
        Self { graph, equalities, above: FxHashMap::default() }
    }

    /// Why two terms of one class are equal: an event, or equal arguments, for each edge between
    /// them that no earlier call has explained.
    pub fn explain(&mut self, a: Node, b: Node, why: &mut Vec<Reason>) {
        let (a, b) = (self.top(a), self.top(b));
        let meeting = self.meeting(a, b);
        for mut node in [a, b] {
            while Some(node) != meeting {
                let Some((next, edge)) = self.equalities.edges.get(&node).copied() else { break };
                match edge {
                    Edge::Event(NONE) => {}
                    Edge::Event(event) => why.push(Reason::Event(event)),
                    Edge::Congruence => {
                        let (x, y) = (self.graph.args(node), self.graph.args(next));
                        why.extend(x.iter().zip(y).map(|(x, y)| Reason::Equal(*x, *y)));
                    }
                }
                self.above.insert(node, next);
                node = self.top(next);
            }
        }
    }

    /// The first node, from a node upwards, whose edge has not been explained.
    fn top(&mut self, node: Node) -> Node {
        let mut top = node;
        while let Some(next) = self.above.get(&top) {
            top = *next;
        }
        let mut at = node;
        while let Some(next) = self.above.get_mut(&at) {
            at = std::mem::replace(next, top);
        }
        top
    }

    /// Where the ways up from two nodes meet. The two go up in turns, so that neither goes much
    /// further than the longer way that will be explained.
    fn meeting(&mut self, a: Node, b: Node) -> Option<Node> {
        if a == b {
            return Some(a);
        }
        let mut ways = [(a, FxHashSet::from_iter([a])), (b, FxHashSet::from_iter([b]))];
        loop {
            let mut ended = 0;
            for side in [0, 1] {
                let Some((next, _)) = self.equalities.edges.get(&ways[side].0) else {
                    ended += 1;
                    continue;
                };
                let next = self.top(*next);
                if ways[1 - side].1.contains(&next) {
                    return Some(next);
                }
                ways[side].0 = next;
                ways[side].1.insert(next);
            }
            if ended == 2 {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use term::{Sort, TermId, Terms};

    use super::super::graph::Numbering;
    use super::*;

    /// Variables in a row, each equal to the next, and how often an edge between them is a reason
    /// when the first is compared with each of them, in some order.
    fn reasons(count: u32, order: &dyn Fn(u32) -> u32) -> Vec<Reason> {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..count)
            .map(|number| {
                let var = terms.declare(format!("x{number}"), Sort::Bv(8));
                terms.var(var)
            })
            .collect();
        let mut numbering = Numbering::default();
        let graph = Graph::new(&terms, &mut numbering, vars.iter().copied(), usize::MAX);
        let graph = graph.expect("no limit");
        let mut equalities = Equalities::new(graph.len());
        let node = |at: u32| numbering.of(vars[at as usize]);
        for at in 1..count {
            let pair = (node(at - 1), node(at));
            equalities.merge(&graph, pair, at, &mut Vec::new(), &mut Vec::new());
        }
        let mut why = Vec::new();
        let mut paths = Paths::new(&graph, &equalities);
        for at in 0..count {
            paths.explain(node(0), node(order(at)), &mut why);
        }
        why
    }

    #[test]
    fn each_edge_is_a_reason_once_however_many_pairs_have_it_between_them() {
        let orders: [&dyn Fn(u32) -> u32; 3] = [&|at| at, &|at| 499 - at, &|at| at * 7 % 500];
        for order in orders {
            let mut why = reasons(500, order);
            why.sort_by_key(|reason| match reason {
                Reason::Event(event) => *event,
                Reason::Equal(..) => NONE,
            });
            let all: Vec<Reason> = (1..500).map(Reason::Event).collect();
            assert_eq!(why, all);
        }
    }

    #[test]
    fn only_edges_between_two_terms_are_reasons() {
        let why = reasons(10, &|_| 3);
        assert_eq!(why.len(), 3);
        for event in 1..=3 {
            assert!(why.contains(&Reason::Event(event)), "{event}");
        }
    }
}
