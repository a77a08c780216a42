//! Forward exploration with intervals.

use cfa::{EdgeId, Program};
use cpa::Traversal;
use domains::interval::{Intervals, Refine};
use run::Run;
use smt::NewSolver;

use crate::findings::Findings;
use crate::forward::{Exploration, PathCheck, unresolved};
use crate::options::Forward;

/// Explores with intervals. Without `checks_paths`, other stages look for errors: what holds at the heads of loops is
/// found all the same.
pub(crate) fn intervals(
    program: &Program,
    options: &Forward,
    checks_paths: bool,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let budget = &run.budget;
    let paths = PathCheck::of(program, solver, budget);
    let mut check = |edges: &[EdgeId]| paths.check(edges);
    let refine = Refine::new(&mut check);
    let mut refine = if checks_paths { refine } else { refine.only_proves() };
    // States meet only if they are explored in the order of control flow.
    let traversal = options.traversal.unwrap_or(Traversal::ReversePostOrder);
    let exploration = Exploration { program, options, traversal, tells_unresolved: true, run };
    let unresolved = |refine: &Refine<'_>| unresolved("intervals", &refine.exact.findings);
    let domain = Intervals::new(program, budget);
    let (mut findings, intervals) = exploration.explore(domain, &mut refine, unresolved);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.checks = checks;
        statistics.checked_for(paths.spent());
    }
    budget.abandon((intervals, refine));
    findings
}
