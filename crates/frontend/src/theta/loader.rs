//! The state of reading a model: its tokens, and the program as far as it is built.

use base::{Diagnostic, Span};
use cfa::Program;
use rustc_hash::FxHashMap;
use term::Var;

use super::lexer::Token;
use super::types::Type;
use crate::messages::Messages;

/// How deeply parentheses and other brackets may be nested, so that hostile input cannot exhaust the stack.
pub(super) const MAX_DEPTH: u32 = 1000;

/// Reading cannot go on; the message about this has been reported.
pub(super) struct Stop;

/// Reads tokens and builds the program.
pub(super) struct Loader<'a> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) at: usize,
    /// The token at which reading ends: the last one, or the end of the edge that is being read.
    pub(super) end: usize,
    pub(super) depth: u32,
    pub(super) program: Program,
    pub(super) messages: Messages,
    /// What the names of the main process mean; `None` if the type was refused.
    pub(super) variables: FxHashMap<&'a str, Option<(Var, Type)>>,
    /// What `return` assigns.
    pub(super) result: Option<(Var, Type)>,
}

impl Loader<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.messages.push(diagnostic);
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    pub(super) fn error_with_hint(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.report(Diagnostic::error(span, message).with_hint(hint));
    }
}
