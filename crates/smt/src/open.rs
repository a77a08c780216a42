//! Solvers by name, and all capabilities in one.

use term::{TermId, Terms, Value, Var};

use run::Budget;

use crate::{Answer, Builtin, Cores, Models, OpenError, Pipe, Solver, Statistics};

/// A solver that gives models and cores.
pub trait FullSolver: Models + Cores {}

impl<S: Models + Cores> FullSolver for S {}

/// Makes a solver. Every engine has a table of terms of its own, and a solver knows the terms of
/// one table only. Engines that run side by side call it from their own threads.
pub type NewSolver<'a> = &'a (dyn Fn() -> Box<dyn FullSolver> + Sync);

/// The solver of a name: `builtin`, or what [`Pipe::new`] takes.
///
/// # Errors
/// If there is no such program.
pub fn open(name: &str) -> Result<Box<dyn FullSolver>, OpenError> {
    match name {
        "builtin" => Ok(Box::new(Builtin::new())),
        _ => Ok(Box::new(Pipe::new(name)?)),
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn push(&mut self) {
        (**self).push();
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn assert(&mut self, terms: &Terms, formula: TermId) {
        (**self).assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Budget) -> Answer {
        (**self).check(terms, assumptions, limits)
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

impl<S: Models + ?Sized> Models for Box<S> {
    fn value(&mut self, terms: &Terms, var: Var) -> Value {
        (**self).value(terms, var)
    }
}

impl<S: Cores + ?Sized> Cores for Box<S> {
    fn core(&self) -> &[TermId] {
        (**self).core()
    }
}
