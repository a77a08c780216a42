//! What every other crate stands on: ids and the tables they index, source text and places in
//! it, and messages that point there.

mod definition;
mod diagnostic;
mod ids;
mod plain;
mod source;

pub use definition::{Definition, definitions, directive};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use ids::{Id, IndexVec};
pub use plain::{is_active, plain, plain_line};
pub use source::{FileId, Position, STDIN, SourceMap, Span};
