//! Terms: hash-consed, typed, immutable expressions over truth values, integers, rationals,
//! bit-vectors, floats and arrays; their simplification, their concrete values, their text form.
//!
//! [`Terms`] is the table. [`Op`] says what each operator means, and [`apply`] computes it: the
//! simplifier, [`Terms::eval`], [`Evaluator`] and [`Valuation`] share that one meaning.

mod apply;
mod bits;
mod build;
mod check;
mod eval;
mod evaluator;
mod exact;
#[cfg(test)]
mod exact_tests;
mod float;
mod import;
mod lexer;
mod op;
mod parse;
mod parse_app;
mod print;
mod script;
mod simplify;
mod sort;
mod table;
mod traverse;
mod valuation;
mod value;
mod word;

pub use apply::apply;
pub use bits::Bv;
pub use check::SortError;
pub use eval::{Environment, Unbound};
pub use evaluator::Evaluator;
pub use float::Float;
pub use op::Op;
pub use parse::ParseError;
pub use script::{Check, Command, Script, Status};
pub use sort::{ArraySort, Format, MAX_WIDTH, Rounding, Sort};
pub use table::{TermId, Terms, Var, View};
pub use valuation::Valuation;
pub use value::{ArrayValue, Value};
