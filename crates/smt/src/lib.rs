//! Deciding formulas over terms.
//!
//! [`Builtin`] is a decision procedure in this crate: rewriting in `term`, propagation of constants
//! and bounds, bit-blasting, SAT, and theories (linear arithmetic, arrays) that check what the SAT
//! solver proposes. An answer is Sat, Unsat, or Unknown with a reason; the three are different types
//! of fact, and no caller can take the last for the second.
//!
//! [`Pipe`] asks another solver, in a process of its own. [`open`] finds one or the other by name,
//! and [`Recorder`] writes the queries of either to files.
//!
//! ```
//! use proviso_smt::{Answer, Builtin, Models, Solver};
//! use run::Budget;
//! use term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.declare("x", Sort::Bv(32));
//! let symbol = terms.var(x);
//! let (square, number) = (terms.bv_mul(symbol, symbol), terms.bv(32, 49));
//! let formula = terms.eq(square, number);
//! let mut solver = Builtin::new();
//! solver.assert(&terms, formula);
//! assert!(matches!(solver.check(&terms, &[], &Budget::default()), Answer::Sat));
//! let value = solver.value(&terms, x);
//! # let term::Value::Bv(bits) = value else { panic!() };
//! # let root = bits.to_u64().expect("a short word") as u32;
//! assert_eq!(root.wrapping_mul(root), 49);
//! ```

mod answer;
mod arithmetic;
mod arrays;
mod blast;
mod builtin;
mod circuit;
mod float;
mod front;
mod gates;
mod identities;
mod interpolate;
mod lazy;
pub mod linear;
mod open;
mod pipe;
mod record;
mod relevance;
mod sat;
mod smtlib;
mod sums;
mod theories;
mod words;

pub use answer::{Answer, Reason};
pub use builtin::{Builtin, Statistics};
pub use front::ranges::{Landmarks, Range, Ranges};
pub use interpolate::{Block, Interpolate, Interpolation, Style};
pub use open::{FullSolver, NewSolver, open};
pub use pipe::{OpenError, Pipe};
pub use record::{Query, Recorder, Said, query};

use run::Budget;
use term::{TermId, Terms, Value, Var};

/// Checks conjunctions of formulas, in nested scopes.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope and forgets what was asserted in it.
    ///
    /// # Panics
    /// If no scope is open.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, terms: &Terms, formula: TermId);

    /// Whether what is asserted, together with the assumptions, has a model.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Budget) -> Answer;

    /// How the checks so far were answered, as far as the solver knows.
    fn statistics(&self) -> Statistics;
}

/// A solver that can show why formulas have a model: by values of variables after Sat.
pub trait Models: Solver {
    /// The value of a variable in the model that the last check found. A variable that no
    /// formula mentions has the zero of its sort.
    ///
    /// # Panics
    /// If the last check did not answer Sat.
    fn value(&mut self, terms: &Terms, var: Var) -> Value;
}

/// A solver that can show why formulas have no model: by the assumptions that cannot hold together, after Unsat.
pub trait Cores: Solver {
    /// A subset of the last check's assumptions that is unsatisfiable with what is asserted.
    ///
    /// # Panics
    /// If the last check did not answer Unsat.
    fn core(&self) -> &[TermId];
}
