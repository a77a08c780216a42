//! What every other crate stands on: ids and the tables they index, source text and places in
//! it, and messages that point there.
//!
//! ```
//! use proviso_base::{Diagnostic, SourceMap, Span};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("a.c", b"int x\nint y;\n".as_slice()).expect("a short file");
//! let message = Diagnostic::error(Span::new(file, 5, 6), "`;` is missing").with_hint("put one here");
//! let text = message.render(&sources);
//! assert!(text.starts_with("error: `;` is missing\n  --> a.c:1:6\n"), "{text}");
//! ```

mod definition;
mod diagnostic;
mod ids;
mod markup;
mod plain;
mod random;
mod source;
pub mod tokens;

pub use definition::{Definition, definitions};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use ids::{Id, IndexVec};
pub use markup::markup;
pub use plain::{is_active, plain, plain_line};
pub use random::Random;
pub use source::{FileId, Position, STDIN, SourceMap, Span, is_borrowed};
