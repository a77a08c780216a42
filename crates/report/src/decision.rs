//! What conditions decide: which steps of the model end the condition of an `if`, a loop or a `switch`, and
//! with which outcome.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{Case, EdgeId, LocId, Program};
use rustc_hash::FxHashMap;

use crate::asserting::Macros;
use crate::source;

/// What a step decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The condition of an `if` or of a loop holds, or does not.
    Truth(bool),
    /// An assertion holds.
    Holds,
    /// Where the `switch` goes.
    Case(Case),
}

/// The decisions of a program, by the edges that make them.
#[derive(Default, Debug)]
pub(crate) struct Decisions {
    by_edge: FxHashMap<EdgeId, Decision>,
}

impl Decisions {
    /// The decisions of conditions that the program's text has itself; conditions that stand in a macro have none.
    pub(crate) fn of(program: &Program) -> Self {
        let mut groups: BTreeMap<(cfa::FuncId, Span), BTreeSet<LocId>> = BTreeMap::new();
        for edge in &program.cfa.edges {
            let Some(span) = edge.span.filter(|span| !source::is_borrowed(program, span.file))
            else {
                continue;
            };
            let function = program.cfa.locations[edge.source].function;
            groups.entry((function, span)).or_default().insert(edge.source);
        }
        let macros = Macros::of(program);
        let mut decisions = Self::default();
        for (edge, decided) in &program.cfa.decisions {
            if source::keyword_at(program, decided.statement).is_some() {
                decisions.by_edge.insert(*edge, Decision::Truth(decided.holds));
            }
        }
        for ((function, span), own) in &groups {
            if own.iter().all(|location| program.cfa.locations[*location].edges.len() < 2) {
                continue;
            }
            // Calls in a condition have texts of their own.
            let first = Span { end: 0, ..*span };
            let within = groups
                .range((*function, first)..)
                .take_while(|((in_function, other), _)| {
                    in_function == function && other.file == span.file && other.start < span.end
                })
                .filter(|((_, other), _)| other.end <= span.end);
            let sources = within.flat_map(|(_, sources)| sources).copied().collect();
            let condition = Condition { program, macros: &macros, span: *span, sources };
            if condition.is_assertion() {
                condition.passes(&mut decisions.by_edge);
            } else if condition.is_switch() {
                condition.cases(&mut decisions.by_edge);
            }
        }
        decisions
    }

    /// What an edge decides, if it ends a condition.
    pub(crate) fn get(&self, edge: EdgeId) -> Option<&Decision> {
        self.by_edge.get(&edge)
    }
}

/// The keyword of a condition is looked for in at most this many bytes before the condition.
const FARTHEST: usize = 4096;

/// At most this many opening brackets before a condition are skipped.
const BRACKETS: usize = 4;

/// The steps that share the text of a condition.
struct Condition<'a> {
    program: &'a Program,
    macros: &'a Macros<'a>,
    span: Span,
    /// The locations that these steps leave.
    sources: BTreeSet<LocId>,
}

impl Condition<'_> {
    /// Whether the text is an assertion that can fail.
    fn is_assertion(&self) -> bool {
        let cfa = &self.program.cfa;
        let mut edges = self.sources.iter().flat_map(|source| &cfa.locations[*source].edges);
        edges.any(|edge| {
            let target = cfa.edges[*edge].target;
            let is_here = cfa.locations[target].error && cfa.edges[*edge].span == Some(self.span);
            is_here && source::assertion(self.macros, target).is_some()
        })
    }

    /// Notes the edges on which an assertion holds.
    fn passes(&self, decided: &mut FxHashMap<EdgeId, Decision>) {
        let cfa = &self.program.cfa;
        for edge in self.points().into_iter().flatten() {
            let target = cfa.edges[edge].target;
            if !self.is_inside(target) && !cfa.locations[target].error {
                decided.insert(edge, Decision::Holds);
            }
        }
    }

    /// Whether the text is the number of a `switch`.
    fn is_switch(&self) -> bool {
        let start = self.span.start as usize;
        let text = self.program.sources.text(self.span.file);
        let before = text.get(start.saturating_sub(FARTHEST)..start).unwrap_or_default();
        let before = String::from_utf8_lossy(before);
        let mut before = before.trim_end();
        for _ in 0..=BRACKETS {
            if let Some(keyword) = source::keyword(before) {
                return keyword == "switch";
            }
            // The span of `(x + y) * z` starts at `x`, so a bracket before the span is skipped.
            let Some(outside) = before.strip_suffix('(') else { break };
            before = outside.trim_end();
        }
        false
    }

    /// Whether a location is in the middle of the condition. The head of a loop without a body is not:
    /// there the condition starts again.
    fn is_inside(&self, location: LocId) -> bool {
        let around = self.program.cfa.locations[location].span;
        let starts = around.is_some_and(|around| {
            around.file == self.span.file
                && around.start < self.span.start
                && around.end >= self.span.end
        });
        self.sources.contains(&location) && !starts
    }

    /// The two edges of each location where the condition goes one of two ways. Checks for faults are
    /// no part of the condition.
    fn points(&self) -> Vec<[EdgeId; 2]> {
        let cfa = &self.program.cfa;
        let edges = self.sources.iter().filter_map(|location| {
            let [yes, no] = cfa.locations[*location].edges[..] else { return None };
            let fits = |edge: EdgeId| {
                let edge = &cfa.edges[edge];
                edge.span == Some(self.span) && cfa.locations[edge.target].fault.is_none()
            };
            (fits(yes) && fits(no)).then_some([yes, no])
        });
        edges.collect()
    }

    fn cases(&self, decided: &mut FxHashMap<EdgeId, Decision>) {
        let cfa = &self.program.cfa;
        for edge in self.sources.iter().flat_map(|source| &cfa.locations[*source].edges) {
            let Some(case) = cfa.cases.get(edge) else { continue };
            decided.insert(*edge, Decision::Case(case.clone()));
        }
    }
}
