//! The model of a satisfiable formula, asked for what is needed of it.

use rustc_hash::FxHashMap;
use smt::Models;
use term::{Environment, Evaluator, TermId, Terms, Unbound, Value, Var};

/// Values of symbols, fetched from a solver when they are first needed.
pub(crate) struct Model<'s> {
    solver: &'s mut dyn Models,
    values: FxHashMap<Var, Value>,
    evaluator: Evaluator,
}

struct Values<'a>(&'a FxHashMap<Var, Value>);

impl Environment for Values<'_> {
    fn get(&self, var: Var) -> Option<&Value> {
        self.0.get(&var)
    }
}

impl<'s> Model<'s> {
    /// The model of the solver's last check, which answered Sat.
    pub(crate) fn of(solver: &'s mut dyn Models) -> Self {
        Self { solver, values: FxHashMap::default(), evaluator: Evaluator::new() }
    }

    /// The value of a term.
    pub(crate) fn eval(&mut self, terms: &Terms, term: TermId) -> Value {
        loop {
            match self.evaluator.eval(terms, term, &Values(&self.values)) {
                Ok(value) => return value,
                Err(Unbound(var)) => {
                    let value = self.solver.value(terms, var);
                    self.values.insert(var, value);
                }
            }
        }
    }

    /// Whether a formula holds.
    pub(crate) fn holds(&mut self, terms: &Terms, formula: TermId) -> bool {
        self.eval(terms, formula) == Value::Bool(true)
    }
}
