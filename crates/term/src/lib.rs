//! Terms: hash-consed, typed, immutable expressions over truth values, integers, rationals,
//! bit-vectors, floats and arrays; their simplification, their concrete values, their text form.
//!
//! [`Terms`] is the table. [`Op`] says what each operator means, and [`apply`] computes it: the
//! simplifier, [`Terms::eval`], [`Evaluator`] and [`Valuation`] share that one meaning.
//!
//! ```
//! use proviso_term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.declare("x", Sort::Bv(8));
//! let (x, one) = (terms.var(x), terms.bv(8, 1));
//! // Two ways to write one thing are one term.
//! let (next, before) = (terms.bv_add(x, one), terms.bv_sub(x, one));
//! assert_eq!(terms.bv_sub(next, one), x);
//! assert_eq!(terms.display(before).to_string(), "(bvadd x #xff)");
//! ```

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
mod names;
mod op;
mod parse;
mod parse_app;
mod parse_error;
mod print;
mod script;
mod simplify;
mod sort;
mod sort_error;
mod table;
mod traverse;
mod valuation;
mod value;
mod word;
mod word_sum;

pub use apply::apply;
pub use bits::Bv;
pub use eval::{Environment, Unbound};
pub use evaluator::Evaluator;
pub use float::Float;
pub use op::Op;
pub use parse_error::ParseError;
pub use print::is_symbol_char;
pub use script::{Check, Command, Script, Status};
pub use sort::{ArraySort, Format, MAX_WIDTH, Rounding, Sort};
pub use sort_error::SortError;
pub use table::{TermId, Terms, Var, View};
pub use valuation::Valuation;
pub use value::{ArrayValue, Value};
pub use word_sum::WordSum;
