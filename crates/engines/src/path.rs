//! Whether a path can be taken, and why not.

use std::cell::OnceCell;
use std::rc::Rc;

use cfa::{EdgeId, Program};
use smt::Block;
use symbolic::{Executor, Happening, Outline, OutsideReading, Path};
use term::{TermId, Terms};

use crate::ask::{is_satisfiable, is_surely_unsatisfiable};
use crate::replay::{along, confirm};
use run::{Budget, Drawn, Feasibility, Replayed, Unknown};
use smt::NewSolver;

/// The paths of a program. What executors look up in the program is found once, when it is first asked for.
pub struct Paths<'p> {
    program: &'p Program,
    outline: OnceCell<Rc<Outline>>,
}

/// How many conflicts the cheaper questions about a path may have.
const CHEAP_CONFLICTS: u64 = 20_000;

impl<'p> Paths<'p> {
    /// The paths of this program.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        Self { program, outline: OnceCell::new() }
    }

    /// Whether an execution takes a path from the start of the program, exactly.
    pub fn check(&self, edges: &[EdgeId], solver: NewSolver<'_>, budget: &Budget) -> Feasibility {
        if self.program.cfa.outside.is_some() {
            let limited = budget.share(0.3).with_conflicts(CHEAP_CONFLICTS);
            let loosely = self.check_as(edges, OutsideReading::Loose, solver, &limited);
            if matches!(loosely, Feasibility::Infeasible) {
                return loosely;
            }
            let limited = budget.share(0.5).with_conflicts(CHEAP_CONFLICTS);
            let guessed = self.check_as(edges, OutsideReading::Guessed, solver, &limited);
            if matches!(guessed, Feasibility::Feasible(Replayed::Error(_))) {
                return guessed;
            }
        }
        self.check_as(edges, OutsideReading::Exact, solver, budget)
    }

    /// Checks a path with the memory outside read as `reading` says. Two answers are right for the exact reading, too:
    /// that no execution takes the path if memory is read loosely, and an execution that was replayed.
    fn check_as(
        &self,
        edges: &[EdgeId],
        reading: OutsideReading,
        solver: NewSolver<'_>,
        budget: &Budget,
    ) -> Feasibility {
        let mut terms = self.program.terms.clone();
        let mut executor = self.executor(&mut terms);
        executor.keep_within(budget);
        executor.read_outside(reading);
        let path = executor.follow(&mut terms, edges, false);
        if let Some(why) = budget.exceeded() {
            budget.abandon((executor, terms, path));
            return Feasibility::Unknown(why.into());
        }
        let formulas: Vec<TermId> =
            path.steps.iter().flat_map(|step| &step.conditions).copied().collect();
        let mut solver = solver();
        let satisfiable = match reading {
            // A model of the loose reading need not be an execution of the program.
            OutsideReading::Loose => {
                let unsatisfiable =
                    is_surely_unsatisfiable(&mut terms, &mut *solver, &formulas, budget);
                let why = || Unknown::Exhausted("the memory outside is read loosely".to_owned());
                if unsatisfiable { Ok(false) } else { Err(why()) }
            }
            OutsideReading::Guessed | OutsideReading::Exact => {
                is_satisfiable(&mut executor, &mut terms, &mut *solver, &formulas, budget)
            }
        };
        let answer = match satisfiable {
            Ok(false) => match unsupported(&executor) {
                Some(why) => Feasibility::Unknown(why),
                None => Feasibility::Infeasible,
            },
            Err(why) => Feasibility::Unknown(why),
            Ok(true) => {
                let (executor, terms, path) = (&mut executor, &mut terms, Some(edges));
                let solver = &mut *solver;
                let replayed =
                    confirm(self.program, executor, terms, solver, &formulas, path, budget);
                match (&replayed, budget.exceeded()) {
                    // A replay that was cut short says nothing.
                    (Replayed::Not(_), Some(limit)) => Feasibility::Unknown(limit.into()),
                    _ => Feasibility::Feasible(replayed),
                }
            }
        };
        budget.abandon((executor, terms, solver, path));
        answer
    }

    /// The decisions of an execution that takes a path from the start of the program. `None` if no execution takes the
    /// path, or if none was found within the budget. Only a replay says whether the execution gets to the end of the
    /// path.
    pub fn example(
        &self,
        edges: &[EdgeId],
        solver: NewSolver<'_>,
        budget: &Budget,
    ) -> Option<Vec<Drawn>> {
        let mut terms = self.program.terms.clone();
        let mut executor = self.executor(&mut terms);
        executor.keep_within(budget);
        let path = executor.follow(&mut terms, edges, false);
        if budget.exceeded().is_some() {
            budget.abandon((executor, terms, path));
            return None;
        }
        let formulas: Vec<TermId> =
            path.steps.iter().flat_map(|step| &step.conditions).copied().collect();
        let mut solver = solver();
        let answer = is_satisfiable(&mut executor, &mut terms, &mut *solver, &formulas, budget);
        let found = (answer == Ok(true)).then(|| {
            along(self.program, &mut executor, &mut terms, &mut *solver, &formulas, edges, budget)
        });
        budget.abandon((executor, terms, solver, path));
        found
    }

    fn executor(&self, terms: &mut Terms) -> Executor<'p> {
        let cfa = &self.program.cfa;
        let outline = self.outline.get_or_init(|| Rc::new(Outline::of(cfa, terms)));
        Executor::with(cfa, Rc::clone(outline), terms)
    }
}

/// Whether an execution takes one path of a program, exactly.
pub fn check(
    program: &Program,
    edges: &[EdgeId],
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Feasibility {
    Paths::of(program).check(edges, solver, budget)
}

/// The reason if something on the path is not modelled: the formula says nothing of executions that meet it.
fn unsupported(executor: &Executor<'_>) -> Option<Unknown> {
    executor.events().iter().find_map(|event| match &event.what {
        Happening::Unsupported { reason, edge } => {
            Some(Unknown::Unsupported { reason: reason.clone(), edge: *edge })
        }
        _ => None,
    })
}

/// The blocks of a path with names, for interpolation: what each edge does. The first block also has what is known of
/// addresses.
pub fn blocks(executor: &mut Executor<'_>, terms: &mut Terms, path: &Path) -> Vec<Block> {
    let mut blocks: Vec<Block> = path
        .steps
        .iter()
        .map(|step| Block {
            definitions: step.definitions.clone(),
            constraints: step.conditions.clone(),
        })
        .collect();
    let formulas: Vec<TermId> = blocks
        .iter()
        .flat_map(|block| {
            block.definitions.iter().map(|(_, term)| *term).chain(block.constraints.clone())
        })
        .collect();
    // Without limits, no limit is passed, so there are facts.
    let facts = executor.facts(terms, &formulas, &Budget::default()).unwrap_or_default();
    if let Some(first) = blocks.first_mut() {
        first.constraints.extend(facts);
    }
    blocks
}
