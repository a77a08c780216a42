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

/// As [`is_satisfiable`]; `None` if the solver has used up the conflicts that the budget allows for one question.
pub(crate) fn is_satisfiable_within(
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<Option<bool>, Unknown> {
    if let Some(answer) = by_guess(executor, terms, solver, formulas, budget) {
        return Ok(Some(answer));
    }
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

/// How many conflicts each of the cheaper questions may have that are asked before the general question.
const GUESS_CONFLICTS: u64 = 2000;

/// The answer, if it is found without asking where objects are: the formulas have a model with all objects at guessed
/// addresses, or have no model even if objects could overlap.
fn by_guess(
    executor: &mut Executor<'_>,
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    budget: &Budget,
) -> Option<bool> {
    let guess = executor.guess(terms, formulas)?;
    let limited = budget.with_conflicts(GUESS_CONFLICTS);
    if solver.check(terms, formulas, &limited) == Answer::Unsat {
        return Some(false);
    }
    let guessed: Vec<TermId> = formulas.iter().copied().chain(guess).collect();
    (solver.check(terms, &guessed, &limited) == Answer::Sat).then_some(true)
}

/// Whether formulas have no model even if nothing is known of addresses.
pub(crate) fn is_surely_unsatisfiable(
    terms: &mut Terms,
    solver: &mut dyn Models,
    formulas: &[TermId],
    budget: &Budget,
) -> bool {
    solver.check(terms, formulas, &budget.with_conflicts(GUESS_CONFLICTS)) == Answer::Unsat
}
