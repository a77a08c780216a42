//! The control-flow automaton as data.

use std::collections::VecDeque;

use cfa::{EdgeId, FuncId, Infix, LocId, Loops, Op, Program};
use partial::spc::Texts;
use run::Step;
use rustc_hash::FxHashMap;
use term::Var;

use super::document::{Edge, Function, Location, Loop, Model};
use crate::shorten::beginning;
use crate::source::is_borrowed;

/// At most this many characters of the operations of an edge are in the document.
const LONGEST: usize = 120;

/// The automaton of a program: its first functions as a whole, as long as they have at most `most_edges` edges
/// together, and outlines of the other functions.
pub(super) fn of(program: &Program, most_edges: usize) -> Model {
    let mut left = most_edges;
    let shape = Shape { program, loops: Loops::of(&program.cfa), texts: Texts::of(program) };
    let function = |id: FuncId| {
        let order = shape.order(id);
        let edges = order.iter().map(|at| program.cfa.locations[*at].edges.len()).sum();
        // Once a function does not fit, all later functions are outlines, too, even if they would fit.
        left = left.saturating_sub(edges);
        if left == 0 { shape.outline(id, order.len()) } else { shape.function(id, &order) }
    };
    Model { functions: reached(program).into_iter().map(function).collect() }
}

/// The functions that the start calls, directly or through other functions, in the order of these calls.
fn reached(program: &Program) -> Vec<FuncId> {
    let cfa = &program.cfa;
    let mut calls: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    for edge in &cfa.edges {
        if let Some(callee) = edge.callee() {
            calls.entry(cfa.locations[edge.source].function).or_default().push(callee);
        }
    }
    let mut found = Vec::new();
    let mut todo: VecDeque<FuncId> = cfa.start.into_iter().collect();
    let mut seen = base::IndexVec::<FuncId, bool>::filled(false, cfa.functions.len());
    while let Some(function) = todo.pop_front() {
        if std::mem::replace(&mut seen[function], true) {
            continue;
        }
        found.push(function);
        todo.extend(calls.get(&function).into_iter().flatten());
    }
    found
}

/// The text of a call without its result, if the result goes to a variable that is named after the call.
fn once(text: &str) -> &str {
    match text.split_once(" = ") {
        Some((result, call)) if result == call => call,
        _ => text,
    }
}

struct Shape<'p> {
    program: &'p Program,
    loops: Loops,
    texts: Texts<'p>,
}

impl Shape<'_> {
    /// The locations of a function in the order in which control reaches them.
    fn order(&self, id: FuncId) -> Vec<LocId> {
        let cfa = &self.program.cfa;
        let entry = cfa.functions[id].entry;
        let mut order = vec![entry];
        let mut seen: FxHashMap<LocId, ()> = FxHashMap::default();
        seen.insert(entry, ());
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            next += 1;
            for edge in &cfa.locations[at].edges {
                let target = cfa.edges[*edge].target;
                if seen.insert(target, ()).is_none() {
                    order.push(target);
                }
            }
        }
        order
    }

    /// A function without what is in it.
    fn outline(&self, id: FuncId, size: usize) -> Function {
        let known = &self.program.cfa.functions[id];
        let sources = &self.program.sources;
        let span = known.span.filter(|span| !is_borrowed(self.program, span.file));
        Function {
            name: known.name.to_string(),
            file: span.map(|span| sources.name(span.file).to_owned()),
            line: span.map(|span| sources.position(span).line),
            size,
            ..Function::default()
        }
    }

    fn function(&self, id: FuncId, order: &[LocId]) -> Function {
        let cfa = &self.program.cfa;
        let numbers: FxHashMap<LocId, usize> = (0..).zip(order).map(|(n, at)| (*at, n)).collect();
        let heads = order.iter().filter_map(|at| self.loops.headed(*at));
        let mut heads: Vec<cfa::LoopId> = heads.collect();
        heads.sort_unstable();
        let number = |id: cfa::LoopId| heads.binary_search(&id).ok();
        let edges = order.iter().flat_map(|at| cfa.locations[*at].edges.iter());
        Function {
            locations: order.iter().map(|at| self.location(id, *at, &number)).collect(),
            edges: edges.map(|edge| self.edge(*edge, &numbers)).collect(),
            loops: heads
                .iter()
                .map(|id| {
                    let known = &self.loops.loops[*id];
                    Loop {
                        head: numbers[&known.head],
                        parent: known.parent.and_then(number),
                        line: self.line(cfa.locations[known.head].span),
                    }
                })
                .collect(),
            ..self.outline(id, order.len())
        }
    }

    fn location(
        &self,
        function: FuncId,
        at: LocId,
        number: &dyn Fn(cfa::LoopId) -> Option<usize>,
    ) -> Location {
        let known = &self.program.cfa.locations[at];
        let function = &self.program.cfa.functions[function];
        let kind = match at {
            _ if known.error => "error",
            at if at == function.entry => "entry",
            at if at == function.exit => "exit",
            at if self.loops.head(at) => "loop",
            _ => "",
        };
        Location {
            id: known.name.as_deref().map_or_else(|| at.to_string(), str::to_owned),
            line: self.line(known.span),
            kind: kind.to_owned(),
            in_loop: self.loops.innermost(at).and_then(number),
        }
    }

    fn edge(&self, id: EdgeId, numbers: &FxHashMap<LocId, usize>) -> Edge {
        let edge = &self.program.cfa.edges[id];
        let infix = Infix::new(self.program).with_source_names().limit(LONGEST);
        let mut text = String::new();
        for op in &edge.ops {
            if text.len() >= LONGEST {
                break;
            }
            let separator = if text.is_empty() { "" } else { "; " };
            let told = match op {
                // A condition as the source has it.
                Op::Assume(_) if text.is_empty() => self.texts.get(Step::Edge(id)),
                // The variable in which a function returns its result has no name in the source.
                Op::Assign { var, value } if self.is_result(edge.source, *var) => {
                    format!("return {}", infix.term(*value))
                }
                _ => infix.op(op).to_string(),
            };
            text.push_str(&format!("{separator}{}", once(&self.texts.readable(&told))));
        }
        Edge {
            from: numbers[&edge.source],
            to: numbers[&edge.target],
            text: beginning(&text, LONGEST),
            line: self.line(edge.span),
            calls: edge.callee().map(|callee| self.program.cfa.functions[callee].name.to_string()),
        }
    }

    /// Whether a variable is the one in which the function of a location returns its result.
    fn is_result(&self, at: LocId, var: Var) -> bool {
        let cfa = &self.program.cfa;
        let function = &cfa.functions[cfa.locations[at].function];
        function.results == [var] && cfa.variables[var].source_name.is_none()
    }

    fn line(&self, span: Option<base::Span>) -> Option<u32> {
        let own = span.filter(|span| !is_borrowed(self.program, span.file));
        own.map(|span| self.program.sources.position(span).line)
    }
}
