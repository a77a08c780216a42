//! Which of several formulas hold whenever executions pass their places.

use run::{Claim, Unknown};
use symbolic::{Guard, State};
use term::TermId;

use super::Induction;
use crate::ask::is_satisfiable_within;
use crate::model::Model;

/// How many conflicts a question about claims may have. A claim that the solver does not decide counts as one that may
/// fail.
const CONFLICTS: u64 = 20_000;

/// Claims at a place that was passed.
pub(super) struct Passed {
    guard: Guard,
    /// The numbers of the claims, and what their formulas are there.
    values: Vec<(usize, TermId)>,
}

impl Induction<'_, '_> {
    /// Notes the values of claims in a state, if there are claims about the place of this state.
    pub(super) fn note_claims(&mut self, claims: &[Claim], state: &State) {
        let mut values = Vec::new();
        for (number, claim) in claims.iter().enumerate() {
            if claim.location == state.location {
                let value = self.executor.evaluate(&mut self.terms, state, claim.formula);
                values.push((number, value));
            }
        }
        if !values.is_empty() {
            self.passed.push(Passed { guard: state.guard, values });
        }
    }

    /// The claims that may fail where they were noted, in order.
    pub(super) fn failing_claims(&mut self) -> Result<Vec<usize>, Unknown> {
        let mut failing = Vec::new();
        for Passed { guard, values } in std::mem::take(&mut self.passed) {
            let conditions = self.executor.conditions(guard);
            let values: Vec<(usize, TermId)> =
                values.into_iter().filter(|(number, _)| !failing.contains(number)).collect();
            let terms: Vec<TermId> = values.iter().map(|(_, value)| *value).collect();
            let holds = self.surely_hold(&conditions, &terms)?;
            let fails = values.iter().zip(holds).filter(|(_, holds)| !holds);
            failing.extend(fails.map(|((number, _), _)| *number));
        }
        failing.sort_unstable();
        Ok(failing)
    }

    /// Which of some formulas hold wherever all conditions hold. A formula that a model refutes is dropped at once;
    /// the solver is asked about each of the other formulas only if it does not know about all of them together.
    fn surely_hold(
        &mut self,
        conditions: &[TermId],
        formulas: &[TermId],
    ) -> Result<Vec<bool>, Unknown> {
        let mut holds = vec![true; formulas.len()];
        let mut open: Vec<usize> = (0..formulas.len()).collect();
        loop {
            let failing: Vec<TermId> =
                open.iter().map(|index| self.terms.not(formulas[*index])).collect();
            match self.fails_somewhere(conditions, &failing)? {
                Some(false) => return Ok(holds),
                Some(true) => {
                    let mut model = Model::of(&mut *self.solver);
                    let before = open.len();
                    open.retain(|index| model.holds(&self.terms, formulas[*index]));
                    if open.len() == before {
                        return Err(Unknown::Solver("a model refutes nothing".to_owned()));
                    }
                    for (index, holds) in holds.iter_mut().enumerate() {
                        *holds &= open.binary_search(&index).is_ok();
                    }
                }
                None => {
                    for index in open {
                        let fails = self.terms.not(formulas[index]);
                        holds[index] = self.fails_somewhere(conditions, &[fails])? == Some(false);
                    }
                    return Ok(holds);
                }
            }
        }
    }

    /// Whether one of the formulas in `failing` can hold together with all conditions; `None` if the solver does not
    /// know.
    fn fails_somewhere(
        &mut self,
        conditions: &[TermId],
        failing: &[TermId],
    ) -> Result<Option<bool>, Unknown> {
        let some = self.terms.or(failing);
        if self.terms.is_false(some) {
            return Ok(Some(false));
        }
        let mut query = conditions.to_vec();
        query.push(some);
        let budget = self.budget.with_conflicts(CONFLICTS);
        let (executor, solver) = (&mut self.executor, &mut *self.solver);
        is_satisfiable_within(executor, &mut self.terms, solver, &query, &budget)
    }
}
