//! The model of a satisfiable formula, whose values are fetched from the solver when they are needed.

use smt::Models;
use term::{TermId, Terms, Valuation, Value};

/// Values of symbols, fetched from a solver when they are first needed.
pub(crate) struct Model<'s> {
    solver: &'s mut dyn Models,
    /// Values that were computed are kept: the terms are conditions of whole executions, which have much in common.
    values: Valuation,
}

impl<'s> Model<'s> {
    /// The model of the solver's last check, which answered Sat.
    pub(crate) fn of(solver: &'s mut dyn Models) -> Self {
        Self { solver, values: Valuation::new() }
    }

    /// The value of a term.
    pub(crate) fn eval(&mut self, terms: &Terms, term: TermId) -> Value {
        let Self { solver, values } = self;
        values.eval(terms, term, &mut |var| solver.value(terms, var))
    }

    /// Whether a formula holds.
    pub(crate) fn holds(&mut self, terms: &Terms, formula: TermId) -> bool {
        self.eval(terms, formula) == Value::Bool(true)
    }
}
