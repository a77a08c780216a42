//! Cycles of comparisons: `x < y`, `y <= z`, `z <= x` cannot all hold.

use rustc_hash::FxHashMap;
use term::Op;

use super::graph::Node;
use super::propagate::{Conflict, Propagation};
use super::reason::Reason;

/// `from < to`, or `from <= to`, in one of the orders.
struct Arrow {
    from: Node,
    to: Node,
    strict: bool,
    /// The comparison; its truth value is the reason for the arrow.
    atom: Node,
}

/// The three orders: of numbers, of unsigned and of signed vectors.
fn order(op: Op) -> Option<(usize, bool)> {
    Some(match op {
        Op::Le => (0, false),
        Op::Lt => (0, true),
        Op::BvUle => (1, false),
        Op::BvUlt => (1, true),
        Op::BvSle => (2, false),
        Op::BvSlt => (2, true),
        _ => return None,
    })
}

impl Propagation<'_> {
    /// Finds a cycle with a strict comparison in it.
    pub(super) fn cycles(&self) -> Result<(), Conflict> {
        let mut orders: [Vec<Arrow>; 3] = Default::default();
        for node in 0..self.graph.len() as Node {
            let Some((which, strict)) = self.graph.ops[node as usize].and_then(order) else {
                continue;
            };
            let &[a, b] = self.graph.args(node) else { continue };
            match self.truth(node) {
                Some(true) => orders[which].push(Arrow { from: a, to: b, strict, atom: node }),
                Some(false) => {
                    orders[which].push(Arrow { from: b, to: a, strict: !strict, atom: node });
                }
                None => {}
            }
        }
        orders.iter().try_for_each(|arrows| self.cycle(arrows))
    }

    fn cycle(&self, arrows: &[Arrow]) -> Result<(), Conflict> {
        if arrows.len() < 2 || !arrows.iter().any(|arrow| arrow.strict) {
            return Ok(());
        }
        // Classes of equal terms are the vertices.
        let mut numbers: FxHashMap<Node, usize> = FxHashMap::default();
        let mut out: Vec<Vec<usize>> = Vec::new();
        let mut ends = Vec::with_capacity(arrows.len());
        for (at, arrow) in arrows.iter().enumerate() {
            let mut number = |node: Node| {
                *numbers.entry(self.equalities.class(node)).or_insert_with(|| {
                    out.push(Vec::new());
                    out.len() - 1
                })
            };
            let (from, to) = (number(arrow.from), number(arrow.to));
            out[from].push(at);
            ends.push((from, to));
        }
        let component = components(&out, &ends);
        let strict = arrows
            .iter()
            .zip(&ends)
            .position(|(arrow, (from, to))| arrow.strict && component[*from] == component[*to]);
        let Some(strict) = strict else { return Ok(()) };
        let way = way(&out, &ends, ends[strict].1, ends[strict].0);
        let mut why = Vec::new();
        let mut at = arrows[strict].from;
        // The cycle goes over the strict arrow and then back from its head to its tail.
        for arrow in std::iter::once(&strict).chain(&way).map(|arrow| &arrows[*arrow]) {
            why.push(Reason::Equal(at, arrow.from));
            why.push(self.event(arrow.atom));
            at = arrow.to;
        }
        why.push(Reason::Equal(at, arrows[strict].from));
        Err(Conflict(why))
    }
}

/// The strongly connected component of each vertex, without recursion (Kosaraju).
fn components(out: &[Vec<usize>], ends: &[(usize, usize)]) -> Vec<usize> {
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); out.len()];
    for (from, to) in ends {
        back[*to].push(*from);
    }
    let mut finished = Vec::with_capacity(out.len());
    let mut seen = vec![false; out.len()];
    for start in 0..out.len() {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((vertex, next)) = stack.pop() {
            match out[vertex].get(next) {
                Some(arrow) => {
                    stack.push((vertex, next + 1));
                    let to = ends[*arrow].1;
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => finished.push(vertex),
            }
        }
    }
    let mut component = vec![usize::MAX; out.len()];
    for root in finished.into_iter().rev() {
        let mut stack = vec![root];
        while let Some(vertex) = stack.pop() {
            if component[vertex] == usize::MAX {
                component[vertex] = root;
                stack.extend(&back[vertex]);
            }
        }
    }
    component
}

/// The arrows of a shortest way between two vertices. There must be a way between them.
fn way(out: &[Vec<usize>], ends: &[(usize, usize)], start: usize, end: usize) -> Vec<usize> {
    let mut came: Vec<Option<usize>> = vec![None; out.len()];
    let mut layer = vec![start];
    let mut seen = vec![false; out.len()];
    seen[start] = true;
    while !seen[end] && !layer.is_empty() {
        let mut next = Vec::new();
        for vertex in layer {
            for arrow in &out[vertex] {
                let to = ends[*arrow].1;
                if !std::mem::replace(&mut seen[to], true) {
                    came[to] = Some(*arrow);
                    next.push(to);
                }
            }
        }
        layer = next;
    }
    let mut way = Vec::new();
    let mut at = end;
    while at != start {
        let Some(arrow) = came[at] else { break };
        way.push(arrow);
        at = ends[arrow].0;
    }
    way.reverse();
    way
}
