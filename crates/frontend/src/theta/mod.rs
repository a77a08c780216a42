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
mod level;
mod lexer;
mod loader;
mod lower;
mod operator;
mod parser;
mod small_float;
mod type_parser;
mod types;

use base::{FileId, SourceMap};
use cfa::Program;
use rustc_hash::FxHashMap;

use crate::input::readable;
use crate::loaded::Loaded;
use crate::messages::Messages;
use loader::Loader;

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
        messages: Messages::default(),
        variables: FxHashMap::default(),
        result: None,
    };
    let model = loader.model();
    loader.lower(model);
    Loaded::new(loader.program, loader.messages.diagnostics)
}
