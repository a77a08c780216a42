//! Which locations matter: those between the start of the program and an error.
//!
//! Only the shape of the program counts here, no condition. Calls and returns match: a call is
//! passed only if some path through the callee returns, and a path that leaves a function
//! returns to where it may have been called.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::{Id as _, IndexVec};

use crate::graph::{Graph, location, node};
use crate::{Cfa, Edge, EdgeId, FuncId, LocId, Op};

/// The length that stands for "no path". Lengths of paths stay below this number: a length that would reach it, as
/// calls nested in calls may have, is cut down.
const NEVER: u32 = u32::MAX;

/// What is reachable from the start, and how far the next error is.
pub struct Reach {
    reachable: IndexVec<LocId, bool>,
    returns: IndexVec<FuncId, bool>,
    distance: IndexVec<LocId, u32>,
    /// Whether an error or something unsupported is ahead.
    ahead: IndexVec<LocId, bool>,
    inconclusive: Vec<EdgeId>,
    error: bool,
}

impl Reach {
    /// Searches the program.
    #[must_use]
    pub fn of(cfa: &Cfa) -> Self {
        let paths = Paths::of(cfa);
        let exits = paths.to_exits();
        let returns =
            cfa.functions.iter().map(|function| exits[node(function.entry) as usize] != NEVER);
        let returns: IndexVec<FuncId, bool> = returns.collect();
        let reachable = forward(cfa, &paths, &returns);
        let distance = paths.to_goals(cfa.errors(), &exits, &reachable);
        let unsupported = |edge: &Edge| edge.ops.iter().any(|op| matches!(op, Op::Unsupported(_)));
        let reached = cfa.edges.entries().filter(|(_, edge)| reachable[edge.source]);
        let inconclusive: Vec<EdgeId> =
            reached.filter(|(_, edge)| unsupported(edge)).map(|(id, _)| id).collect();
        let ahead = if inconclusive.is_empty() {
            distance.iter().map(|distance| *distance != NEVER).collect()
        } else {
            let places = inconclusive.iter().map(|edge| cfa.edges[*edge].source);
            let distance = paths.to_goals(cfa.errors().chain(places), &exits, &reachable);
            distance.into_iter().map(|distance| distance != NEVER).collect()
        };
        let error = cfa.errors().any(|error| reachable[error]);
        let distance = distance.into_iter().collect();
        Self { reachable, returns, distance, ahead, inconclusive, error }
    }

    /// Whether the start of the program reaches a location.
    #[must_use]
    pub fn reachable(&self, location: LocId) -> bool {
        self.reachable[location]
    }

    /// Whether the entry of a function reaches its exit.
    #[must_use]
    pub fn returns(&self, function: FuncId) -> bool {
        self.returns[function]
    }

    /// The number of edges from a location to the nearest error, into calls and out of them. Returns to callers are
    /// counted only if the caller is reachable.
    #[must_use]
    pub fn distance(&self, location: LocId) -> Option<u32> {
        let distance = self.distance[location];
        (distance != NEVER).then_some(distance)
    }

    /// Whether a location is on a path from the start of the program to an error.
    #[must_use]
    pub fn relevant(&self, location: LocId) -> bool {
        self.reachable[location] && self.distance[location] != NEVER
    }

    /// Whether a location is on a path from the start of the program to an error or to something
    /// unsupported. What happens elsewhere has no influence on any verdict.
    #[must_use]
    pub fn matters(&self, location: LocId) -> bool {
        self.reachable[location] && self.ahead[location]
    }

    /// Whether executions have to be followed from a location: it is on a path to an error, or something unsupported is
    /// reachable, and it is not known what comes after that.
    #[must_use]
    pub fn is_followed(&self, location: LocId) -> bool {
        !self.inconclusive.is_empty() || self.relevant(location)
    }

    /// Whether a path leads from the start of the program to an error.
    #[must_use]
    pub fn error_reachable(&self) -> bool {
        self.error
    }

    /// The reachable edges with something unsupported, in order. It is not known what comes after such an edge: if
    /// there is one, an error that is not reachable proves nothing.
    #[must_use]
    pub fn inconclusive(&self) -> &[EdgeId] {
        &self.inconclusive
    }
}

/// Whether a path leads from the start of the program to an error location.
#[must_use]
pub fn error_reachable(cfa: &Cfa) -> bool {
    Reach::of(cfa).error_reachable()
}

/// Where an execution that takes an edge goes on.
#[derive(Clone, Copy)]
enum Step {
    Plain,
    Call(FuncId),
    /// The program ends here.
    End,
}

impl Step {
    fn of(edge: &Edge) -> Self {
        if edge.ops.iter().any(|op| matches!(op, Op::Exit(_) | Op::Abort | Op::Unsupported(_))) {
            Self::End
        } else {
            edge.callee().map_or(Self::Plain, Self::Call)
        }
    }
}

fn forward(
    cfa: &Cfa,
    paths: &Paths<'_>,
    returns: &IndexVec<FuncId, bool>,
) -> IndexVec<LocId, bool> {
    let mut reachable = IndexVec::filled(false, cfa.locations.len());
    let mut work: Vec<LocId> =
        cfa.start.into_iter().map(|start| cfa.functions[start].entry).collect();
    while let Some(here) = work.pop() {
        if std::mem::replace(&mut reachable[here], true) {
            continue;
        }
        for edge in &cfa.locations[here].edges {
            match paths.steps[*edge] {
                Step::Plain => work.push(cfa.edges[*edge].target),
                Step::Call(callee) => {
                    work.push(cfa.functions[callee].entry);
                    if returns[callee] {
                        work.push(cfa.edges[*edge].target);
                    }
                }
                Step::End => {}
            }
        }
    }
    reachable
}

/// The edges as shortest paths go through them, backwards.
struct Paths<'a> {
    cfa: &'a Cfa,
    steps: IndexVec<EdgeId, Step>,
    /// The edges that end at each location.
    incoming: Graph,
    /// The calls of the function that each location is the entry of.
    calls_of_entry: Graph,
}

impl<'a> Paths<'a> {
    fn of(cfa: &'a Cfa) -> Self {
        let steps: IndexVec<EdgeId, Step> = cfa.edges.iter().map(Step::of).collect();
        let count = cfa.locations.len();
        let number = |id: EdgeId| id.index() as u32;
        let incoming = cfa.edges.entries().map(|(id, edge)| (node(edge.target), number(id)));
        let incoming = Graph::new(count, incoming);
        let calls = steps.entries().filter_map(|(id, step)| match step {
            Step::Call(callee) => Some((node(cfa.functions[*callee].entry), number(id))),
            _ => None,
        });
        let calls_of_entry = Graph::new(count, calls);
        Self { cfa, steps, incoming, calls_of_entry }
    }

    fn ends(&self, edge: u32) -> (Step, LocId, LocId) {
        let id = EdgeId::from_index(edge as usize);
        (self.steps[id], self.cfa.edges[id].source, self.cfa.edges[id].target)
    }

    /// For each location the length of the shortest path to the exit of its function, calls
    /// included. Knuth 1977: a call is as long as its callee, which is known by then.
    fn to_exits(&self) -> Vec<u32> {
        let mut search = Search::new(self.cfa.locations.len());
        for function in &self.cfa.functions {
            search.offer(function.exit, 0);
        }
        while let Some((here, distance)) = search.next() {
            for edge in self.incoming.of(node(here)) {
                match self.ends(*edge) {
                    (Step::Plain, source, _) => search.offer(source, more(distance, 1)),
                    (Step::Call(callee), source, _) => {
                        if let Some(inside) = search.settled(self.cfa.functions[callee].entry) {
                            search.offer(source, more(more(distance, inside), 1));
                        }
                    }
                    (Step::End, ..) => {}
                }
            }
            for edge in self.calls_of_entry.of(node(here)) {
                let (_, source, target) = self.ends(*edge);
                if let Some(after) = search.settled(target) {
                    search.offer(source, more(more(distance, after), 1));
                }
            }
        }
        search.distance
    }

    /// For each location the length of the shortest path to a goal.
    fn to_goals(
        &self,
        goals: impl Iterator<Item = LocId>,
        exits: &[u32],
        reachable: &IndexVec<LocId, bool>,
    ) -> Vec<u32> {
        // First without returning from the function that the path starts in, so that what is
        // found at an entry counts for every call of the function.
        let mut inner = Search::new(exits.len());
        for goal in goals {
            inner.offer(goal, 0);
        }
        while let Some((here, distance)) = inner.next() {
            self.within_function(&mut inner, exits, here, distance);
            for edge in self.calls_of_entry.of(node(here)) {
                inner.offer(self.ends(*edge).1, more(distance, 1));
            }
        }
        let mut outer = Search::new(exits.len());
        for (number, distance) in inner.distance.iter().enumerate() {
            if *distance != NEVER {
                outer.offer(location(number as u32), *distance);
            }
        }
        while let Some((here, distance)) = outer.next() {
            self.within_function(&mut outer, exits, here, distance);
            for edge in self.incoming.of(node(here)) {
                if let (Step::Call(callee), source, _) = self.ends(*edge)
                    && reachable[source]
                {
                    outer.offer(self.cfa.functions[callee].exit, distance);
                }
            }
        }
        outer.distance
    }

    /// One step back over the edges that end `here`, calls as a whole.
    fn within_function(&self, search: &mut Search, exits: &[u32], here: LocId, distance: u32) {
        for edge in self.incoming.of(node(here)) {
            match self.ends(*edge) {
                (Step::Plain, source, _) => search.offer(source, more(distance, 1)),
                (Step::Call(callee), source, _) => {
                    let inside = exits[node(self.cfa.functions[callee].entry) as usize];
                    if inside != NEVER {
                        search.offer(source, more(more(distance, inside), 1));
                    }
                }
                (Step::End, ..) => {}
            }
        }
    }
}

fn more(distance: u32, by: u32) -> u32 {
    distance.saturating_add(by).min(NEVER - 1)
}

/// Dijkstra's search from nearest to farthest.
struct Search {
    distance: Vec<u32>,
    settled: Vec<bool>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Search {
    fn new(count: usize) -> Self {
        Self { distance: vec![NEVER; count], settled: vec![false; count], heap: BinaryHeap::new() }
    }

    fn offer(&mut self, at: LocId, distance: u32) {
        let known = &mut self.distance[node(at) as usize];
        if distance < *known {
            *known = distance;
            self.heap.push(Reverse((distance, node(at))));
        }
    }

    fn next(&mut self) -> Option<(LocId, u32)> {
        loop {
            let Reverse((distance, at)) = self.heap.pop()?;
            if !std::mem::replace(&mut self.settled[at as usize], true) {
                return Some((location(at), distance));
            }
        }
    }

    fn settled(&self, at: LocId) -> Option<u32> {
        self.settled[node(at) as usize].then_some(self.distance[node(at) as usize])
    }
}
