//! Places of the program as a document names them: file and line.

use base::Span;
use cfa::{LocId, Program};

use crate::source::{self, file_name};

/// File and line of a location.
pub(super) fn at(program: &Program, location: LocId) -> Option<String> {
    Some(short(program, span(program, location)?))
}

/// The place of a location in the source: its own, or that of a step from it.
pub(super) fn span(program: &Program, location: LocId) -> Option<Span> {
    let known = &program.cfa.locations[location];
    let next = known.edges.iter().find_map(|edge| program.cfa.edges[*edge].span);
    known.span.or(next)
}

/// File and line of a place, without folders.
pub(super) fn short(program: &Program, span: Span) -> String {
    let line = program.sources.position(span).line;
    let name = program.sources.name(span.file);
    // A model of the library keeps its folder, which tells it from files of the program.
    let name = if source::is_borrowed(program, span.file) { name } else { file_name(name) };
    format!("{name}:{line}")
}

/// The place of a loop, or the number of its head if that is nowhere in the source.
pub(super) fn loop_place(program: &Program, head: LocId) -> String {
    span(program, head).map_or_else(|| head.to_string(), |span| short(program, span))
}

/// Whether a location is in a model of the library.
pub(super) fn is_library(program: &Program, location: LocId) -> bool {
    span(program, location).is_some_and(|span| source::is_borrowed(program, span.file))
}
