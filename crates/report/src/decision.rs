//! What conditions decide: which steps of the model end the condition of an `if`, a loop or a `switch`, and
//! with which outcome.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{EdgeId, LocId, Op, Program};
use rustc_hash::FxHashMap;
use term::{TermId, Value, View};

use crate::asserting::Macros;
use crate::source;
use crate::tokens;

/// What a step decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The condition of an `if` or of a loop holds, or does not.
    Truth(bool),
    /// An assertion holds.
    Holds,
    /// The `switch` goes to the case of a value.
    Case(Value),
    /// The `switch` goes to a place that has several cases.
    Shared,
    /// The `switch` goes to `default`.
    Default,
    /// No case fits, and there is no `default`.
    NoCase,
}

/// The decisions of a program, by the edges that make them.
#[derive(Default, Debug)]
pub(crate) struct Decisions {
    by_edge: FxHashMap<EdgeId, Decision>,
}

impl Decisions {
    /// The decisions of conditions that are written as such, and not by a macro.
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
            let (span, macros, default) = (*span, &macros, OnceCell::new());
            let condition = Condition { program, macros, span, sources, default };
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

/// So many bytes before a condition its keyword is looked for.
const FARTHEST: usize = 4096;

/// So many brackets before a condition are looked at.
const BRACKETS: usize = 4;

/// The steps that share the text of a condition.
struct Condition<'a> {
    program: &'a Program,
    macros: &'a Macros<'a>,
    span: Span,
    /// The locations that these steps leave.
    sources: BTreeSet<LocId>,
    /// Whether it is that of a `switch` with a `default` of its own, once this was asked.
    default: OnceCell<bool>,
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

    /// Whether the text is what a `switch` looks at.
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
            // The text of `(x + y) * z` starts with `x`.
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
            let is_fault = cfa.locations[cfa.edges[*edge].target].fault.is_some();
            let condition = cfa.edges[*edge].ops.iter().find_map(|op| match op {
                Op::Assume(condition) => Some(*condition),
                _ => None,
            });
            if let Some(condition) = condition.filter(|_| !is_fault) {
                let decision = self.case(condition);
                decision.into_iter().for_each(|decision| {
                    decided.insert(*edge, decision);
                });
            }
        }
    }

    fn case(&self, condition: TermId) -> Option<Decision> {
        let terms = &self.program.terms;
        match terms.view(condition) {
            View::App(term::Op::Eq, &[a, b]) => match (terms.view(a), terms.view(b)) {
                (View::Const(value), _) | (_, View::Const(value)) => {
                    Some(Decision::Case(value.clone()))
                }
                _ => None,
            },
            View::App(term::Op::Or, _) => Some(Decision::Shared),
            // `case 1 ... 9:` compares with both ends; what is left over is none of the cases.
            View::App(term::Op::And, parts)
                if !parts.iter().all(|part| self.is_excluded(*part)) =>
            {
                Some(Decision::Shared)
            }
            View::App(term::Op::Not | term::Op::And, _) => {
                Some(match self.default.get_or_init(|| self.has_default()) {
                    true => Decision::Default,
                    false => Decision::NoCase,
                })
            }
            _ => None,
        }
    }

    /// Whether a condition says that a case is not taken.
    fn is_excluded(&self, condition: TermId) -> bool {
        let terms = &self.program.terms;
        let View::App(term::Op::Not, &[case]) = terms.view(condition) else { return false };
        matches!(terms.view(case), View::App(term::Op::Eq | term::Op::Or | term::Op::And, _))
    }

    /// Whether the `switch` has a `default` of its own.
    fn has_default(&self) -> bool {
        let text = self.program.sources.text(self.span.file);
        let body = text.get(self.span.end as usize..).unwrap_or_default();
        let body = String::from_utf8_lossy(body);
        let mut depth = 0_usize;
        for token in tokens::read(&body) {
            match token.text {
                "{" => depth += 1,
                "}" if depth <= 1 => return false,
                "}" => depth -= 1,
                "default" if depth == 1 => return true,
                _ => {}
            }
        }
        false
    }
}
