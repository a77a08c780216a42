//! The abstraction of a block: the strongest combination of predicates that holds at its end.

use std::collections::BTreeSet;
use std::rc::Rc;

use run::{Budget, Unknown};
use smt::{Answer, Builtin, Solver as _};
use term::{TermId, Terms};

use crate::predicate::ask::{Ask, Model, Said};
use crate::predicate::combination::{
    Abstraction, Combination, Exactness, MOST, Part, Question, conjunction,
};

/// How many conjunctions are looked for if they become one state. If there are more, only the predicates with a fixed
/// value are kept.
const MOST_TOGETHER: usize = 600;

impl Ask {
    /// Computes an abstraction.
    pub(crate) fn abstraction(
        &mut self,
        terms: &mut Terms,
        question: &Question,
    ) -> Result<Option<Combination>, Unknown> {
        let mut formulas = question.formulas.clone();
        let count = question.predicates.len();
        let mut fixed: Vec<Option<bool>> =
            question.predicates.iter().map(|each| settled(terms, &formulas, *each)).collect();
        let mut exact = Exactness::Cubes;
        let mut models: Vec<Vec<bool>> = Vec::new();
        let evaluate = |this: &mut Self, terms: &Terms, mut model: Model| {
            let all = question.predicates.iter();
            all.map(|each| this.holds(terms, &mut model, *each)).collect::<Result<Vec<bool>, _>>()
        };
        match self.check(terms, &formulas)? {
            Said::Unsat => return Ok(None),
            Said::Sat(model) => models.push(evaluate(self, terms, model)?),
            Said::Nothing => exact = Exactness::Unclear,
        }
        for (index, predicate) in question.predicates.iter().enumerate() {
            if fixed[index].is_some() {
                continue;
            }
            // A predicate whose value differs between two models has no fixed value. Without a model, both values are
            // tried.
            for value in [true, false] {
                if models.iter().any(|model| model[index] != value) {
                    continue;
                }
                let other = if value { terms.not(*predicate) } else { *predicate };
                if self.refutations.refute(&question.formulas, other) {
                    self.queries.refuted += 1;
                    fixed[index] = Some(value);
                    break;
                }
                formulas.push(other);
                let said = self.check(terms, &formulas)?;
                formulas.pop();
                match said {
                    Said::Unsat => {
                        let core = self.solver.core();
                        debug_assert!(
                            index % 4 > 0 || !has_model(terms, core),
                            "a core has a model"
                        );
                        self.refutations.learn(other, core);
                        fixed[index] = Some(value);
                        break;
                    }
                    Said::Sat(model) => models.push(evaluate(self, terms, model)?),
                    Said::Nothing => exact = Exactness::Unclear,
                }
            }
        }
        let open: Vec<usize> = (0..count).filter(|index| fixed[*index].is_none()).collect();
        let mut parts = Vec::new();
        if question.kind == Abstraction::Cartesian && !open.is_empty() {
            exact = exact.min(Exactness::Literals);
        } else if !open.is_empty() {
            let seen: BTreeSet<Vec<bool>> = models
                .iter()
                .map(|model| open.iter().map(|index| model[*index]).collect())
                .collect();
            let asked: Vec<TermId> = open.iter().map(|index| question.predicates[*index]).collect();
            let most = if question.kind == Abstraction::Split { MOST } else { MOST_TOGETHER };
            match self.cubes(terms, formulas, &asked, seen, most)? {
                Some(cubes) => parts.push(Part { open, cubes: Rc::new(cubes) }),
                None => exact = exact.min(Exactness::Literals),
            }
        }
        Ok(Some(Combination { fixed, parts, exact }))
    }

    /// All values that predicates have together; `None` if there are too many, or not all were
    /// found.
    fn cubes(
        &mut self,
        terms: &mut Terms,
        mut formulas: Vec<TermId>,
        open: &[TermId],
        mut seen: BTreeSet<Vec<bool>>,
        most: usize,
    ) -> Result<Option<BTreeSet<Vec<bool>>>, Unknown> {
        for cube in &seen {
            let excluded = conjunction(terms, open, cube);
            formulas.push(terms.not(excluded));
        }
        loop {
            if seen.len() > most {
                return Ok(None);
            }
            match self.check(terms, &formulas)? {
                Said::Unsat => return Ok(Some(seen)),
                Said::Nothing => return Ok(None),
                Said::Sat(mut model) => {
                    let values = open.iter().map(|each| self.holds(terms, &mut model, *each));
                    let cube = values.collect::<Result<Vec<bool>, _>>()?;
                    let excluded = conjunction(terms, open, &cube);
                    formulas.push(terms.not(excluded));
                    if !seen.insert(cube) {
                        // The solver gave a combination that was excluded, so this is no model.
                        return Ok(None);
                    }
                }
            }
        }
    }
}

/// Whether a second solver finds a model of some formulas with little effort. Proofs rest on cores, so builds with
/// debug assertions look at some of the cores.
fn has_model(terms: &Terms, formulas: &[TermId]) -> bool {
    let limits = Budget::default().with_conflicts(1_000);
    Builtin::new().check(terms, formulas, &limits) == Answer::Sat
}

/// The value that a predicate has because one of the formulas says so.
fn settled(terms: &mut Terms, formulas: &[TermId], predicate: TermId) -> Option<bool> {
    if terms.value(predicate).is_some() {
        return Some(terms.is_true(predicate));
    }
    if formulas.contains(&predicate) {
        return Some(true);
    }
    let not = terms.not(predicate);
    formulas.contains(&not).then_some(false)
}
