//! The check of proofs by other code.
//!
//! A [`Certificate`] claims something of places of a program. [`certify`] sees whether it holds at
//! the start (initiation), whether every way from one such place to the next keeps it
//! (consecution), and whether no way leads to an error or to something that is not modelled
//! (safety). It executes the program's operations by its own means and asks a solver that nobody
//! else uses. Whatever it cannot follow stands for more executions than there are, never for fewer.

mod access;
mod address;
mod check;
mod claim;
mod execute;
mod guard;
mod memory;
mod place;
mod state;

use cfa::Program;
use run::Budget;
use smt::Solver;

pub use run::{Certificate, Entry, Kept, Slot};

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Certified {
    /// The certificate proves that no error is reached.
    #[default]
    Holds,
    /// It is not known, for this reason.
    Open(String),
    /// The certificate is wrong: this does not hold.
    Refuted(String),
}

/// What came of a check, and what it took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// What came of it.
    pub certified: Certified,
    /// How many entries the certificate has.
    pub invariants: usize,
    /// How many ways to an entry, an error or something that is not modelled were looked at.
    pub obligations: usize,
    /// How many of them needed the solver.
    pub queries: usize,
}

/// Checks whether a certificate proves that no execution of a program reaches an error, or anything
/// that is not modelled.
#[must_use]
pub fn certify(
    program: &Program,
    certificate: Certificate,
    solver: &mut dyn Solver,
    limits: &Budget,
) -> Outcome {
    check::Checker::new(program, certificate, solver, limits).run()
}
