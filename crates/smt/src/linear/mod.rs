//! Conjunctions of linear constraints over rationals and integers, decided exactly.
//!
//! A [`System`] holds variables and asserted constraints and can take assertions back. Over the
//! rationals it is the general simplex of Dutertre & de Moura 2006, "A fast linear-arithmetic
//! solver for DPLL(T)"; an unsatisfiable system comes with a Farkas certificate. Integers are
//! sought only where the rational solution is not integral: by rounding bounds, eliminating
//! equations, cuts, and branch and bound within a budget of nodes.
//!
//! Sums that must differ from a constant are not constraints here: the caller splits them.

mod constraint;
mod cuts;
mod equations;
mod integer;
pub(crate) mod rational;
mod search;
mod simplex;
mod sum;
mod system;
mod tableau;
#[cfg(test)]
mod tests;

pub use constraint::{Certificate, Constraint, Relation};
pub use sum::Sum;
pub(crate) use sum::primitive;
pub use system::{Mark, Outcome, System};

base::define_id!(
    /// A variable of a [`System`].
    pub struct Unknown, "x"
);
