//! Forward exploration with explicit values: all of them, or those that refinement asks for.

use cfa::{EdgeId, Program};
use domains::value::{Precision, Refine, Values};
use engines::path;
use run::Run;
use smt::NewSolver;

use crate::forward::{Clock, Exploration, Forward, unresolved};
use crate::knowledge::Findings;

/// Explores with explicit values.
pub(crate) fn value(
    program: &Program,
    options: &Forward,
    refined: bool,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let precision =
        refined.then(|| options.precision.clone().unwrap_or_else(|| Precision::new(options.scope)));
    let values = Values::new(program, precision);
    let clock = Clock::default();
    let budget = &run.budget;
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let mut refine = Refine::new(&mut check, budget, options.preference);
    let traversal = options.traversal.unwrap_or_default();
    let exploration = Exploration { program, options, traversal, run };
    let unresolved = |refine: &Refine<'_>| unresolved("explicit values", &refine.exact.findings);
    let (mut findings, values) = exploration.explore(values, &mut refine, unresolved);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.trees = values.nodes();
        statistics.tracked = values.precision().map(|precision| precision.tracked().len());
        statistics.checks = checks;
        statistics.checked_for(clock.spent());
    }
    findings.precision = values.precision().cloned();
    budget.abandon((values, refine));
    findings
}
