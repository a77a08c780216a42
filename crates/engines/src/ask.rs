//! Asking a solver about an execution.

use smt::{Answer, Models};
use symbolic::Executor;
use term::{TermId, Terms};

use run::{Budget, Unknown};

/// Whether formulas of an executor have a model, given what is known of addresses.
pub(crate) fn is_satisfiable(
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<bool, Unknown> {
    let facts = executor.facts(terms, formulas, budget)?;
    budget.check()?;
    let all: Vec<TermId> = formulas.iter().chain(&facts).copied().collect();
    match solver.check(terms, &all, budget) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(reason.into()),
    }
}
