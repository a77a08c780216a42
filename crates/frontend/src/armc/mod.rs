//! ARMC's transition facts, in Prolog syntax.
//!
//! Two dialects are read. That of Rybalchenko's thesis has `r/4` (state, state, action, number),
//! `s/5` (unsafe states) and `b/3` (states that are not initial); the later one has `r/5` (state,
//! state, guards, updates, number) over `p(pc(..), data(..))`, with `start/1`, `error/1` and
//! `var2names/2`. In both,
//!
//! - the variables are rational numbers, and they are told apart by their places in the states;
//! - a transition is a relation: what the new state names by a variable of the old one is copied,
//!   what is equal to an expression is assigned, what is bounded otherwise is chosen within the
//!   bounds, and what nothing is said about is arbitrary. Only with the fact `implicit_updates/0`
//!   does a variable that nothing is said about keep its value;
//! - a variable of a constraint that is in neither state is some number that makes it true.
//!
//! Each transition becomes one edge, in the order of the facts, ahead of all other edges.
//! Locations are named by the text of their labels. The initial states of the thesis' dialect
//! are those that no `b/3` covers. A location that `error/1` names, or `s/5` without a constraint,
//! is an error location, unless transitions leave it: then it leads to one, and so does a location
//! that `s/5` names with a constraint.
//!
//! Facts that only advise ARMC's search are passed over (the list is `facts::ADVICE`), other unknown ones
//! with a warning.

mod build;
mod constraint;
mod facts;
mod lexer;
mod reader;
mod transition;

use base::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span};
use cfa::Program;

use crate::Loaded;
use reader::Reader;

/// After so many errors the rest is hardly worth reading.
const MAX_ERRORS: usize = 20;
/// The same of warnings.
const MAX_WARNINGS: usize = 100;

/// Loads a model.
#[must_use]
pub fn load(sources: SourceMap, file: FileId) -> Loaded {
    let reader = Reader::new(readable(sources.text(file)), file);
    let mut messages = Messages::default();
    let (arena, model) = facts::collect(reader, &mut messages);
    let program = Program { sources, ..Program::default() };
    let program = build::build(program, &arena, &model, &mut messages);
    Loaded::new(program, messages.diagnostics)
}

/// The text with every offset as it was. Bytes that are not UTF-8 may stand in comments.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '?' }).collect(),
    }
}

/// The messages so far.
#[derive(Default)]
struct Messages {
    diagnostics: Diagnostics,
}

impl Messages {
    fn push(&mut self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        let same = self.diagnostics.iter().filter(|each| each.severity == severity).count();
        let most = if severity == Severity::Error { MAX_ERRORS } else { MAX_WARNINGS };
        if same < most {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }
}
