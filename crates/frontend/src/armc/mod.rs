//! ARMC's transition facts, in Prolog syntax.
//!
//! Two dialects are read. That of Rybalchenko's thesis has `r/4` (state, state, action, number),
//! `s/5` (unsafe states) and `b/3` (states that are not initial); the later one has `r/5` (state,
//! state, guards, updates, number) over `p(pc(..), data(..))`, with `start/1`, `error/1` and
//! `var2names/2`. In both,
//!
//! - the variables are rational numbers, and they are told apart by their places in the states;
//! - a transition is a relation between an old and a new state. A place of the new state with a variable of the old
//!   state is copied, a place that is equal to an expression is assigned, a place with other bounds is chosen within
//!   these bounds, and a place without constraints is arbitrary. Only with the fact `implicit_updates/0` does a place
//!   without constraints keep its value;
//! - a variable of a constraint that is in neither state is some number that makes the constraint true.
//!
//! Each transition becomes one edge, in the order of the facts, ahead of all other edges.
//! Locations are named by the text of their labels. The initial states of the thesis' dialect are those that no `b/3`
//! covers. A location that `error/1` names, or `s/5` without a constraint, is an error location, unless transitions
//! leave it: then an edge leads from it to an error location. An edge to an error location leaves a location, too, that
//! `s/5` names with a constraint.
//!
//! Facts that only advise ARMC's search are passed over (the list is `facts::ADVICE`). Other unknown facts are passed
//! over with a warning.

mod build;
mod constraint;
mod facts;
mod lexer;
mod reader;
mod transition;

use base::{FileId, SourceMap};
use cfa::Program;

use crate::input::readable;
use crate::loaded::Loaded;
use crate::messages::Messages;
use reader::Reader;

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
