//! Asking the solver, and counting.

use std::rc::Rc;
use std::time::{Duration, Instant};

use run::{Budget, Unknown};
use rustc_hash::FxHashMap;
use smt::{Answer, FullSolver, Statistics};
use term::{Evaluator, TermId, Terms, Value, Var};

use crate::predicate::combination::Answers;
use crate::predicate::refutations::Refutations;

/// How many questions there were, and how they were answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Queries {
    /// Questions to the solver.
    pub asked: u64,
    /// Questions whose answer was known from an earlier question.
    pub cached: u64,
    /// Values of predicates that follow from formulas which excluded the other value in an earlier abstraction.
    pub refuted: u64,
    /// Abstractions that were computed.
    pub abstractions: u64,
    /// Abstractions whose result was known from an earlier abstraction.
    pub repeated: u64,
    /// Predicates that were carried over a block that has nothing to do with them, without a
    /// question.
    pub carried: u64,
    /// States that were compared by their combinations of predicates, without a question.
    pub compared: u64,
    /// States that the solver had to compare.
    pub implications: u64,
    /// Time that went into the solver.
    pub solving: Duration,
    /// How the solver answered, if the solver says so; checks of interpolants are included.
    pub answered: Statistics,
}

/// The model of the last question: the values that were asked for so far.
#[derive(Default)]
pub(crate) struct Model {
    values: FxHashMap<Var, Value>,
}

/// What the solver says.
pub(crate) enum Said {
    Sat(Model),
    Unsat,
    /// The solver does not know: nothing may be concluded.
    Nothing,
}

/// A solver with its limits.
pub(crate) struct Ask {
    pub(crate) solver: Box<dyn FullSolver>,
    budget: Budget,
    pub(crate) queries: Queries,
    pub(crate) answers: Answers,
    /// The symbols of formulas.
    pub(crate) symbols: FxHashMap<TermId, Rc<[Var]>>,
    implied: FxHashMap<(TermId, TermId), bool>,
    pub(crate) refutations: Refutations,
    evaluator: Evaluator,
}

/// How many conflicts a question may cost: predicate abstraction can do without an answer.
const CONFLICTS: u64 = 20_000;

impl Ask {
    pub(crate) fn new(solver: Box<dyn FullSolver>, budget: Budget) -> Self {
        Self {
            solver,
            budget,
            queries: Queries::default(),
            answers: Answers::default(),
            symbols: FxHashMap::default(),
            implied: FxHashMap::default(),
            refutations: Refutations::default(),
            evaluator: Evaluator::new(),
        }
    }

    /// The limits for one question.
    pub(crate) fn limits(&self) -> Budget {
        self.budget.with_conflicts(CONFLICTS)
    }

    /// Gives an error if the run must end.
    pub(crate) fn go_on(&self) -> Result<(), Unknown> {
        Ok(self.budget.check()?)
    }

    /// Whether formulas have a common model.
    pub(crate) fn check(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<Said, Unknown> {
        let limits = self.limits();
        let start = Instant::now();
        let answer = self.solver.check(terms, formulas, &limits);
        self.queries.solving += start.elapsed();
        self.queries.asked += 1;
        match answer {
            Answer::Unsat => Ok(Said::Unsat),
            Answer::Sat => Ok(Said::Sat(Model::default())),
            Answer::Unknown(_) => self.go_on().map(|()| Said::Nothing),
        }
    }

    /// Whether a formula is true in the model of the last question.
    ///
    /// # Errors
    /// If the run must end: the formula of a block may be large, so the limits are looked at here, too.
    pub(crate) fn holds(
        &mut self,
        terms: &Terms,
        model: &mut Model,
        formula: TermId,
    ) -> Result<bool, Unknown> {
        self.go_on()?;
        if let Ok(value) = self.evaluator.eval(terms, formula, &model.values) {
            return Ok(value == Value::Bool(true));
        }
        // The values of all symbols are taken at once: to evaluate anew after each symbol would be quadratic.
        for var in terms.vars(formula) {
            let solver = &mut self.solver;
            model.values.entry(var).or_insert_with(|| solver.value(terms, var));
        }
        Ok(self.evaluator.eval(terms, formula, &model.values) == Ok(Value::Bool(true)))
    }

    /// Whether one formula surely follows from another.
    pub(crate) fn implies(
        &mut self,
        terms: &mut Terms,
        a: TermId,
        b: TermId,
    ) -> Result<bool, Unknown> {
        if a == b || terms.is_true(b) || terms.is_false(a) {
            return Ok(true);
        }
        if let Some(known) = self.implied.get(&(a, b)) {
            self.queries.cached += 1;
            return Ok(*known);
        }
        self.queries.implications += 1;
        let not = terms.not(b);
        let follows = matches!(self.check(terms, &[a, not])?, Said::Unsat);
        self.implied.insert((a, b), follows);
        Ok(follows)
    }
}
