//! Asking a solver about an execution.

use smt::{Answer, Models, Reason};
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
    let answer = is_satisfiable_within(executor, terms, solver, formulas, budget)?;
    answer.ok_or_else(|| Reason::Conflicts.into())
}

/// The same; none if the solver has used up the conflicts that the budget allows for one question.
pub(crate) fn is_satisfiable_within(
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<Option<bool>, Unknown> {
    let facts = executor.facts(terms, formulas, budget)?;
    budget.check()?;
    let all: Vec<TermId> = formulas.iter().chain(&facts).copied().collect();
    match solver.check(terms, &all, budget) {
        Answer::Sat => Ok(Some(true)),
        Answer::Unsat => Ok(Some(false)),
        Answer::Unknown(Reason::Conflicts) => Ok(None),
        Answer::Unknown(reason) => Err(reason.into()),
    }
}
