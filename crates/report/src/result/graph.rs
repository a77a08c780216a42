//! The graph of an exploration as data.

use cfa::{LocId, LoopId, Loops, Names, Program};
use run::{Place, PlaceId, StackId, Status, Step};
use rustc_hash::FxHashMap;

use super::document::{Graph, Node, Scope, Spot};
use crate::location::Located;
use crate::refinement::step_text;
use crate::shorten::beginning;

/// At most this many characters of the operations of a step are in the document.
const LONGEST: usize = 120;

/// If nothing was said about how many nodes to draw, this many are drawn.
const MOST: usize = 5_000;

/// At most this many lines of a state are in the document, and at most this many characters of each line.
const LINES: usize = 40;
const LONGEST_LINE: usize = 160;

/// The graph of an exploration of a program, without nodes that were cut off: its first `most` nodes.
pub(super) fn of(program: &Program, graph: &run::Graph, most: usize) -> Graph {
    some(program, graph, graph.live().map(|(id, _)| id).take(most).collect())
}

/// The graph of an exploration of a program, with what was cut off.
pub(crate) fn whole(program: &Program, graph: &run::Graph) -> Graph {
    some(program, graph, chosen(graph))
}

/// The nodes that a drawing has, parents before their children: those whose states are told, with what was cut
/// off among them. Of a large graph these are as many as there was time for.
pub(crate) fn chosen(graph: &run::Graph) -> Vec<run::NodeId> {
    match graph.lines.is_empty() {
        true => graph.nodes.ids().take(MOST).collect(),
        false => graph.lines.keys().copied().collect(),
    }
}

fn some(program: &Program, graph: &run::Graph, told: Vec<run::NodeId>) -> Graph {
    let counts = graph.counts();
    let size = graph.live().count();
    let mut tables = Tables {
        program,
        names: Names::of(&program.cfa),
        graph,
        loops: Loops::of(&program.cfa),
        scopes: Vec::new(),
        known_scopes: FxHashMap::default(),
        places: Vec::new(),
        known_places: FxHashMap::default(),
        steps: Vec::new(),
        known_steps: FxHashMap::default(),
    };
    let numbers: FxHashMap<run::NodeId, usize> =
        (0..).zip(&told).map(|(number, id)| (*id, number)).collect();
    let nodes = told.iter().map(|id| tables.node(*id, &numbers)).collect();
    Graph {
        size,
        cut_off: graph.nodes.len() - size,
        expanded: counts.expanded,
        covered: counts.covered,
        open: counts.open,
        targets: counts.targets,
        scopes: tables.scopes,
        places: tables.places,
        steps: tables.steps,
        nodes,
    }
}

/// What nodes share.
struct Tables<'a> {
    program: &'a Program,
    names: Names<'a>,
    graph: &'a run::Graph,
    loops: Loops,
    scopes: Vec<Scope>,
    known_scopes: FxHashMap<(StackId, LocId, Option<LoopId>), usize>,
    places: Vec<Spot>,
    known_places: FxHashMap<PlaceId, usize>,
    steps: Vec<String>,
    known_steps: FxHashMap<Step, usize>,
}

impl Tables<'_> {
    fn node(&mut self, id: run::NodeId, numbers: &FxHashMap<run::NodeId, usize>) -> Node {
        let node = &self.graph.nodes[id];
        let place = self.graph.place(id);
        let status = match node.status {
            Status::Expanded => "",
            Status::Removed => "cut off",
            Status::Open => "open",
            Status::Covered(_) => "covered",
            Status::Target if self.program.cfa.locations[place.location].error => "error",
            Status::Target => "unmodelled",
        };
        let lines = self.graph.lines.get(&id).map_or(&[][..], |lines| lines);
        let state = lines.iter().take(LINES).map(|line| beginning(line, LONGEST_LINE));
        Node {
            place: self.place(node.place, place),
            parent: node.parent.and_then(|(parent, _)| numbers.get(&parent).copied()),
            step: node.parent.map(|(_, step)| self.step(step)),
            status: status.to_owned(),
            covered_by: match node.status {
                Status::Covered(by) => numbers.get(&by).copied(),
                _ => None,
            },
            state: state.collect(),
        }
    }

    fn place(&mut self, id: PlaceId, place: Place) -> usize {
        if let Some(known) = self.known_places.get(&id) {
            return *known;
        }
        let scope = self.scope(place);
        let at = Located::of(self.program, &self.names, place.location);
        let text = at.text();
        let Located { function, location, line } = at;
        self.places.push(Spot { text, location, function, line, scope });
        self.known_places.insert(id, self.places.len() - 1);
        self.places.len() - 1
    }

    /// The innermost loop of a place, or the activation that it belongs to.
    fn scope(&mut self, place: Place) -> usize {
        // Recursion may be deep, so the scopes around are made first, in a loop instead of by calls of this function.
        let mut missing = Vec::new();
        let mut at = Some((place, self.loops.innermost(place.location)));
        let mut parent = None;
        while let Some((here, in_loop)) = at {
            let function = self.program.cfa.locations[here.location].function;
            let entry = self.program.cfa.functions[function].entry;
            let key = (here.stack, entry, in_loop);
            if let Some(known) = self.known_scopes.get(&key) {
                parent = Some(*known);
                break;
            }
            missing.push((key, function));
            at = match in_loop {
                Some(id) => Some((here, self.loops.loops[id].parent)),
                None => self.graph.places.stacks.pop(here.stack).map(|(call, stack)| {
                    let location = self.program.cfa.edges[call].source;
                    (Place { location, stack }, self.loops.innermost(location))
                }),
            };
        }
        for (key, function) in missing.into_iter().rev() {
            let name = match key.2 {
                Some(id) => {
                    let head = self.loops.loops[id].head;
                    let span = self.program.cfa.locations[head].span;
                    let line = span.map(|span| self.program.sources.position(span).line);
                    match line {
                        Some(line) => format!("loop at line {line}"),
                        None => format!("loop at {head}"),
                    }
                }
                None => self.program.cfa.functions[function].name.to_string(),
            };
            self.scopes.push(Scope { parent, name });
            parent = Some(self.scopes.len() - 1);
            self.known_scopes.insert(key, self.scopes.len() - 1);
        }
        parent.unwrap_or_default()
    }

    fn step(&mut self, step: Step) -> usize {
        if let Some(known) = self.known_steps.get(&step) {
            return *known;
        }
        self.steps.push(beginning(&step_text(self.program, step), LONGEST));
        self.known_steps.insert(step, self.steps.len() - 1);
        self.steps.len() - 1
    }
}
