//! Traces as people read them: words of automata, with a letter for each step that the source has.

use base::tokens::is_word;
use cfa::{EdgeId, FuncId, Program};
use run::Step;
use serde::{Deserialize, Serialize};

use crate::spc::Texts;

/// A step of a trace in words of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Letter {
    /// The statement, or the condition in brackets.
    pub text: String,
    /// The file, if the step has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, if the step has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How many functions are active when the step is taken: one in `main`. A return is a step of the
    /// function that returns.
    pub depth: u32,
    /// The function that the step calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The function that the step returns from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
}

/// The letters of a trace. What surrounds `main`, and the choice among the functions that a pointer
/// may point to, are no steps of the source: they have no letters and add no depth.
#[must_use]
pub fn letters(program: &Program, steps: &[Step]) -> Vec<Letter> {
    letters_of(&Texts::of(program), program, steps)
}

/// As [`letters`], with the statements of the program given: it takes long to find them, so they are shared if there
/// are many traces.
#[must_use]
pub fn letters_of(texts: &Texts<'_>, program: &Program, steps: &[Step]) -> Vec<Letter> {
    let cfa = &program.cfa;
    let visible = |function: FuncId| !cfa.functions[function].name.starts_with('@');
    // The active functions, each with whether it is a function of the source, and its call.
    let mut active: Vec<(bool, Option<EdgeId>)> =
        cfa.start.map(|start| (visible(start), None)).into_iter().collect();
    let mut letters = Vec::new();
    for step in steps {
        let depth = active.iter().filter(|(visible, _)| *visible).count() as u32;
        let seen = active.last().is_none_or(|(visible, _)| *visible);
        let (edge, callee) = match step {
            Step::Edge(edge) => (*edge, cfa.edges[*edge].callee()),
            Step::Return(call) => (*call, cfa.edges[*call].callee()),
        };
        let is_return = matches!(step, Step::Return(_));
        // The choice among functions has no letter: a call that it makes takes the place of the call in the source.
        let caller = active.len().checked_sub(1 + usize::from(is_return));
        let outer = caller.and_then(|at| active.get(at)).filter(|(visible, _)| !visible);
        let told = outer.and_then(|(_, call)| *call).filter(|_| callee.is_some()).unwrap_or(edge);
        let words = if is_return { Step::Return(told) } else { Step::Edge(told) };
        let span = cfa.edges[told].span;
        let name = callee.filter(|callee| visible(*callee));
        let name = name.map(|callee| cfa.functions[callee].name.to_string());
        // A call of a function that the source does not have is not shown, and neither is the call of `main`, which
        // the source does not make.
        let shown = match (&name, callee, is_return) {
            (Some(_), _, true) => depth > 1,
            (Some(_), _, false) => depth > 0,
            (None, Some(_), _) => false,
            (None, None, _) => seen,
        };
        if shown {
            let text = readable(texts, words);
            letters.push(Letter {
                text: match cfa.is_check(edge) {
                    true => statement(&text).to_owned(),
                    false => without_double_negation(text),
                },
                file: span.map(|span| program.sources.name(span.file).to_owned()),
                line: span.map(|span| program.sources.position(span).line),
                depth,
                call: name.clone().filter(|_| !is_return),
                exit: name.filter(|_| is_return),
            });
        }
        match (step, callee) {
            (Step::Return(_), _) => drop(active.pop()),
            (Step::Edge(call), Some(callee)) => active.push((visible(callee), Some(*call))),
            (Step::Edge(_), None) => {}
        }
    }
    letters
}

/// The statement of a step for people. A part of a condition that has no words of its own stands behind the
/// condition: `[p->x >= 0 && n: … >= 0]`.
fn readable(texts: &Texts<'_>, step: Step) -> String {
    let text = texts.readable(&texts.get(step));
    let Step::Edge(edge) = step else { return text };
    let part = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match part.filter(|part| part.contains('…')).zip(texts.condition(edge)) {
        Some((part, whole)) => format!("[{whole}: {part}]"),
        None => text,
    }
}

/// `[!(!(x))]` is `[x]`.
fn without_double_negation(text: String) -> String {
    let inner = text.strip_prefix("[!(!").and_then(|rest| rest.strip_suffix(")]"));
    let Some(inner) = inner.map(str::trim) else { return text };
    if !inner.starts_with('(') {
        let is_name = inner.chars().all(is_word);
        return if is_name { format!("[{inner}]") } else { text };
    }
    // Only parentheses around the whole text belong to the negation.
    let mut depth = 0_i32;
    for (at, c) in inner.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 && at + 1 < inner.len() {
            return text;
        }
    }
    format!("[{}]", &inner[1..inner.len() - 1])
}

/// The statement that a check belongs to, given the text of the step that the check lets through.
fn statement(text: &str) -> &str {
    let inner = text.strip_prefix("[!(").and_then(|rest| rest.strip_suffix(")]"));
    let inner = inner.or_else(|| text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')));
    inner.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_negations_are_none() {
        for (text, plain) in [
            ("[!(!(a && b))]", "[a && b]"),
            ("[!(!x)]", "[x]"),
            ("[!(!(a) && (b))]", "[!(!(a) && (b))]"),
            ("[!(x)]", "[!(x)]"),
            ("[!(!x == y)]", "[!(!x == y)]"),
            ("x = 1;", "x = 1;"),
        ] {
            assert_eq!(without_double_negation(text.to_owned()), plain, "{text}");
        }
    }
}
