//! The terms of one check, numbered from zero, with arrows both ways.

use base::Id;
use term::{Op, TermId, Terms, View};

/// A term's number in the graph.
pub(super) type Node = u32;

/// Every subterm of some formulas; arguments have lesser numbers than the terms that they are in.
#[derive(Default)]
pub(super) struct Graph {
    pub terms: Vec<TermId>,
    pub ops: Vec<Option<Op>>,
    args: Vec<Node>,
    /// Where the arguments of each node begin in `args`, and at last where those of the last node end.
    starts: Vec<u32>,
    parents: Vec<Node>,
    parent_starts: Vec<u32>,
}

/// Numbers of terms, kept between checks so that no table has to be hashed or cleared.
#[derive(Default)]
pub(super) struct Numbering {
    /// The check in which a term was last seen.
    seen: Vec<u32>,
    numbers: Vec<Node>,
    check: u32,
}

impl Numbering {
    fn begin(&mut self, terms: &Terms) {
        if self.check == u32::MAX {
            self.seen.fill(0);
            self.check = 0;
        }
        self.check += 1;
        if self.seen.len() < terms.len() {
            self.seen.resize(terms.len(), 0);
            self.numbers.resize(terms.len(), 0);
        }
    }

    /// The number of a term that is in the graph.
    pub fn of(&self, term: TermId) -> Node {
        self.numbers[term.index()]
    }
}

impl Graph {
    /// The graph of some formulas, unless it has more than `most` nodes and arrows.
    pub fn new(
        terms: &Terms,
        numbering: &mut Numbering,
        roots: impl Iterator<Item = TermId>,
        most: usize,
    ) -> Option<Graph> {
        numbering.begin(terms);
        let mut graph = Graph { starts: vec![0], ..Graph::default() };
        let mut stack: Vec<(TermId, bool)> = Vec::new();
        for root in roots {
            stack.push((root, false));
            while let Some((term, done)) = stack.pop() {
                if done {
                    graph.add(terms, numbering, term);
                    continue;
                }
                if numbering.seen[term.index()] == numbering.check {
                    continue;
                }
                numbering.seen[term.index()] = numbering.check;
                stack.push((term, true));
                if let View::App(_, args) = terms.view(term) {
                    stack.extend(args.iter().rev().map(|arg| (*arg, false)));
                }
                if graph.terms.len() + graph.args.len() + stack.len() > most {
                    return None;
                }
            }
        }
        graph.turn();
        Some(graph)
    }

    fn add(&mut self, terms: &Terms, numbering: &mut Numbering, term: TermId) {
        // There are fewer nodes than terms in the table, whose numbers are `u32`, too.
        numbering.numbers[term.index()] = self.terms.len() as u32;
        self.terms.push(term);
        match terms.view(term) {
            View::App(op, args) => {
                self.ops.push(Some(op));
                self.args.extend(args.iter().map(|arg| numbering.of(*arg)));
            }
            _ => self.ops.push(None),
        }
        self.starts.push(self.args.len() as u32);
    }

    /// Lists the parents of each node.
    fn turn(&mut self) {
        let mut starts = vec![0_u32; self.terms.len() + 1];
        for arg in &self.args {
            starts[*arg as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        self.parents = vec![0; self.args.len()];
        for node in 0..self.terms.len() {
            for at in self.starts[node]..self.starts[node + 1] {
                let place = &mut next[self.args[at as usize] as usize];
                self.parents[*place as usize] = node as Node;
                *place += 1;
            }
        }
        self.parent_starts = starts;
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// How many nodes and arrows the graph has.
    pub fn size(&self) -> usize {
        self.terms.len() + self.args.len()
    }

    pub fn args(&self, node: Node) -> &[Node] {
        let node = node as usize;
        &self.args[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    pub fn parents(&self, node: Node) -> &[Node] {
        let node = node as usize;
        &self.parents[self.parent_starts[node] as usize..self.parent_starts[node + 1] as usize]
    }
}
