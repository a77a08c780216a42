//! What conditions decide: which steps of the model end the condition of an `if`, a loop or a `switch`, and
//! with which outcome.
//!
//! A condition with `&&` and `||` is one step where its right sides do nothing, and several steps that share
//! one text otherwise. The last of these steps has two ways out, and which of them is "true" follows from
//! the negations before it; every other way out of the condition leads to one of the same two places.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{EdgeId, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{TermId, Value, View};

use crate::source;
use crate::types::tokens::{self, Token};

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
    /// The decisions of the conditions whose text is plain enough.
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
        let unclear = unclear_macros(program);
        let mut decisions = Self::default();
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
            let condition = Condition { program, span: *span, sources };
            if condition.is_assertion() {
                condition.passes(&mut decisions.by_edge);
                continue;
            }
            match condition.is_switch() {
                Some((true, _)) => condition.cases(&mut decisions.by_edge),
                Some((false, brackets)) => {
                    condition.truths(brackets, &unclear, &mut decisions.by_edge);
                }
                None => {}
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
            is_here && source::assertion(self.program, target).is_some()
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

    /// Whether the text is what a `switch` looks at, and how many brackets stand before it that it closes;
    /// none if it is no condition of a statement.
    fn is_switch(&self) -> Option<(bool, usize)> {
        let start = self.span.start as usize;
        let text = self.program.sources.text(self.span.file);
        let before = text.get(start.saturating_sub(FARTHEST)..start)?;
        let before = String::from_utf8_lossy(before);
        let mut before = before.trim_end();
        for brackets in 0..=BRACKETS {
            if let Some((keyword, _)) = source::keyword(before) {
                return Some((keyword == "switch", brackets));
            }
            // The text of `(x + y) * z` starts with `x`.
            before = before.strip_suffix('(')?.trim_end();
        }
        None
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

    /// Whether a step notes the outcome of a part of the condition, as it does where only the left side
    /// of `&&` has steps of its own.
    fn has_notes(&self) -> bool {
        let cfa = &self.program.cfa;
        let mut edges = self.sources.iter().flat_map(|source| &cfa.locations[*source].edges);
        edges.any(|edge| {
            let is_note = |op: &Op| match op {
                Op::Assign { value, .. } => {
                    matches!(self.program.terms.view(*value), View::Const(Value::Bool(_)))
                }
                _ => false,
            };
            cfa.edges[*edge].span == Some(self.span) && cfa.edges[*edge].ops.iter().any(is_note)
        })
    }

    fn truths(
        &self,
        brackets: usize,
        unclear: &FxHashSet<&str>,
        decided: &mut FxHashMap<EdgeId, Decision>,
    ) -> Option<()> {
        let cfa = &self.program.cfa;
        let points = self.points();
        let leaves = |edge: EdgeId| !self.is_inside(cfa.edges[edge].target);
        let mut last = points.iter().filter(|[yes, no]| leaves(*yes) && leaves(*no));
        let (Some(&[yes, no]), None) = (last.next(), last.next()) else { return None };
        let text = source::closed(self.program, self.span);
        let text = format!("{}{text}", "(".repeat(brackets));
        let (tokens, _) = tokens::tokens(&text);
        if tokens.iter().any(|token| unclear.contains(token.text)) {
            return None;
        }
        let positive = is_positive(&tokens, Some(points.len()), self.has_notes())?;
        let [target, other] = [yes, no].map(|edge| cfa.edges[edge].target);
        decided.insert(yes, Decision::Truth(positive));
        decided.insert(no, Decision::Truth(!positive));
        if target == other {
            return Some(());
        }
        for edge in points.into_iter().flatten().filter(|edge| leaves(*edge)) {
            let to = cfa.edges[edge].target;
            if to == target || to == other {
                decided.insert(edge, Decision::Truth((to == target) == positive));
            }
        }
        Some(())
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
            View::App(term::Op::Not | term::Op::And, _) => Some(match self.has_default() {
                true => Decision::Default,
                false => Decision::NoCase,
            }),
            _ => None,
        }
    }

    /// Whether the `switch` has a `default` of its own.
    fn has_default(&self) -> bool {
        let text = self.program.sources.text(self.span.file);
        let body = text.get(self.span.end as usize..).unwrap_or_default();
        let body = String::from_utf8_lossy(body);
        let (tokens, _) = tokens::tokens(&body);
        let mut depth = 0_usize;
        for token in tokens {
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

/// Macros of the program whose text can negate or split a condition.
fn unclear_macros(program: &Program) -> FxHashSet<&str> {
    let mut unclear = FxHashSet::default();
    for file in program.sources.files().filter(|file| !program.sources.is_borrowed(*file)) {
        let Ok(text) = std::str::from_utf8(program.sources.text(file)) else { continue };
        let splits = |text: &str| {
            // A `#` makes a string of a parameter, and is no start of a directive.
            let text = text.replace('#', " ");
            let (tokens, _) = tokens::tokens(&text);
            tokens.iter().any(|token| matches!(token.text, "!" | "&&" | "||" | ","))
        };
        let is_unclear = |found: &base::Definition<'_>| {
            found.parameters.is_some_and(splits) || splits(found.body)
        };
        unclear.extend(base::definitions(text).filter(is_unclear).map(|found| found.name));
    }
    unclear
}

/// Whether the first of the two edges of a condition's last step is the one on which the condition holds.
/// A negation exchanges the edges, as far as the condition is taken apart: whole negations always, the
/// right sides of `&&` and `||` where they have steps of their own. `points` says how many steps
/// there are, if that is known.
fn is_positive(tokens: &[Token<'_>], points: Option<usize>, has_notes: bool) -> Option<bool> {
    let (inner, negations) = peel(tokens);
    let positive = negations.is_multiple_of(2);
    if points == Some(1) {
        return Some(positive);
    }
    let outer = |text: &str| outermost(inner, text);
    if outer(",").is_some() || outer("?").is_some() {
        return None;
    }
    let Some(at) = outer("||").or_else(|| outer("&&")) else { return Some(positive) };
    let (left, right) = (&inner[..at], &inner[at + 1..]);
    if !is_negated_at_the_end(right) {
        return Some(positive);
    }
    // Whether the left side or the whole is taken apart is told by the number of its steps.
    let is_step = |token: &Token<'_>| !matches!(token.text, "&&" | "||" | "?");
    let left_is_one = left.iter().all(is_step);
    if has_notes || points.is_none() {
        return None;
    }
    let rest = points.map(|points| points - 1).filter(|_| left_is_one);
    is_positive(right, rest, false).map(|right| right == positive)
}

/// Whether a negation stands where the last step of an expression may be taken apart.
fn is_negated_at_the_end(tokens: &[Token<'_>]) -> bool {
    let (inner, negations) = peel(tokens);
    if negations > 0 {
        return true;
    }
    let at = outermost(inner, "||").or_else(|| outermost(inner, "&&"));
    at.is_some_and(|at| is_negated_at_the_end(&inner[at + 1..]))
}

/// An expression without the brackets and negations around it, and how many negations these are.
fn peel<'a, 't>(mut tokens: &'a [Token<'t>]) -> (&'a [Token<'t>], usize) {
    let mut negations = 0;
    loop {
        match tokens {
            [first, inner @ .., last]
                if first.text == "(" && last.text == ")" && is_balanced(inner) =>
            {
                tokens = inner;
            }
            [first, operand @ ..] if first.text == "!" && is_unary(operand) => {
                (tokens, negations) = (operand, negations + 1);
            }
            _ => return (tokens, negations),
        }
    }
}

/// Whether no bracket is closed that was not opened.
fn is_balanced(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    tokens.iter().all(|token| match token.text {
        "(" | "[" | "{" => {
            depth += 1;
            true
        }
        ")" | "]" | "}" => {
            let closes = depth > 0;
            depth = depth.saturating_sub(1);
            closes
        }
        _ => true,
    })
}

/// Whether an expression has no operator with two operands outside of brackets.
fn is_unary(tokens: &[Token<'_>]) -> bool {
    let start = tokens.iter().take_while(|token| matches!(token.text, "!" | "*" | "-" | "~" | "&"));
    let operand = &tokens[start.count()..];
    let mut depth = 0_usize;
    let is_part = |token: &Token<'_>| {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "." | "->" | "++" | "--" => {}
            text if depth == 0 => {
                return text.starts_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c));
            }
            _ => {}
        }
        true
    };
    !operand.is_empty() && operand.iter().all(is_part)
}

/// The last place of an operator outside of brackets.
fn outermost(tokens: &[Token<'_>], operator: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut found = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            text if depth == 0 && text == operator => found = Some(at),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first edge of the last step is the one on which a condition holds that has so many
    /// steps.
    fn positive(condition: &str, points: usize) -> Option<bool> {
        is_positive(&tokens::tokens(condition).0, Some(points), false)
    }

    #[test]
    fn a_negation_exchanges_the_edges_as_far_as_a_condition_is_taken_apart() {
        for (condition, points, expected) in [
            ("x", 1, Some(true)),
            ("!x", 1, Some(false)),
            ("!f(x)", 1, Some(false)),
            ("!p->next", 1, Some(false)),
            ("!*p", 1, Some(false)),
            ("!x == y", 1, Some(true)),
            ("!(x == y)", 1, Some(false)),
            ("!!x", 1, Some(true)),
            ("((!x))", 1, Some(false)),
            ("(a) == (b)", 1, Some(true)),
            ("!(a) == (b)", 1, Some(true)),
            ("a && !b", 1, Some(true)),
            ("a && !b", 2, Some(false)),
            ("!(a && b)", 1, Some(false)),
            ("!(a && b)", 2, Some(false)),
            ("!(a || !b)", 1, Some(false)),
            ("!(a || !b)", 2, Some(true)),
            ("a && !(b && !c)", 3, Some(true)),
            ("a && !(b && !c)", 2, Some(false)),
            ("a && b && !c", 3, Some(false)),
            ("(a && b) && !(c && !d)", 3, None),
            ("a ? b : !c", 2, None),
        ] {
            assert_eq!(positive(condition, points), expected, "{condition} {points}");
        }
    }
}
