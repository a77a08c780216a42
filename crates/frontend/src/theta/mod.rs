//! Theta's text format for control-flow automata (`.cfa`, `.theta`).
//!
//! The grammar is that of Theta's `CfaDsl`, with what other versions of it write: `fp[8,24]` for
//! `fp[8:24]`, `div` for `/` on integers, `a[i] := e`, semicolons between statements. The meaning
//! is that of Theta's translation to SMT: `/`, `div` and `mod` are Euclidean, `rem` follows the
//! divisor's sign, `x[until:from]` takes the bits below `until`, `=` on floats is IEEE equality,
//! and a rounding mode that is not written is to the nearest, ties to even. Division by zero
//! has the value that the term table gives it.
//!
//! The main process becomes the one function of the program. No statement of the format calls
//! another process, so the others never run.

mod expression;
mod lexer;
mod lower;
mod operator;
mod parser;
mod small_float;
mod types;

use base::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span};
use cfa::Program;
use rustc_hash::FxHashMap;
use term::Var;

use crate::Loaded;
use lexer::Token;
use types::Type;

/// After so many errors the rest is hardly worth reading.
const MAX_ERRORS: usize = 20;
/// The same of warnings.
const MAX_WARNINGS: usize = 100;
/// Parentheses and other nesting, so that hostile input cannot exhaust the stack.
const MAX_DEPTH: u32 = 1000;

/// Loads a model.
#[must_use]
pub fn load(sources: SourceMap, file: FileId) -> Loaded {
    let text = readable(sources.text(file));
    let tokens = lexer::tokens(&text, file);
    let program = Program { sources, ..Program::default() };
    let mut loader = Loader {
        tokens: &tokens,
        at: 0,
        end: tokens.len() - 1,
        depth: 0,
        program,
        diagnostics: Diagnostics::new(),
        variables: FxHashMap::default(),
        result: None,
    };
    let model = loader.model();
    loader.lower(model);
    Loaded::new(loader.program, loader.diagnostics)
}

/// The text with every offset as it was. Bytes that are not UTF-8 may stand in comments.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '?' }).collect(),
    }
}

/// The text could not be read on; the message is out already.
struct Stop;

/// Reads tokens and builds the program.
struct Loader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// The token at which reading ends: the last one, or the end of the edge that is being read.
    end: usize,
    depth: u32,
    program: Program,
    diagnostics: Diagnostics,
    /// What the names of the main process mean; `None` if the type was refused.
    variables: FxHashMap<&'a str, Option<(Var, Type)>>,
    /// What `return` assigns.
    result: Option<(Var, Type)>,
}

impl Loader<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        let same = self.diagnostics.iter().filter(|each| each.severity == severity).count();
        let most = if severity == Severity::Error { MAX_ERRORS } else { MAX_WARNINGS };
        if same < most {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn error_with_hint(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.report(Diagnostic::error(span, message).with_hint(hint));
    }
}
