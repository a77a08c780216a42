//! Forward exploration with explicit values: all of them, or those that refinement asks for.

use cfa::{EdgeId, Program};
use cpa::Paused;
use domains::value::{Precision, Refine, Values};
use engines::path;
use run::{Notes, Run};
use smt::NewSolver;

use crate::forward::{Clock, Exploration, Forward, unresolved};
use crate::knowledge::Findings;

/// An exploration with the values of everything that was not brought to its end.
pub(crate) type Unfinished<'p> = (Values<'p>, Paused<Values<'p>>);

/// Explores with explicit values.
pub(crate) fn value(
    program: &Program,
    options: &Forward,
    refined: bool,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let precision = refined.then(|| match &options.precision {
        Some(given) => given.values.clone(),
        None => Precision::new(options.scope),
    });
    let values = Values::new(program, precision);
    let (findings, values) = explore(values, options, None, solver, run);
    run.budget.abandon(values);
    findings
}

/// Explores with the values of everything, and goes on where an earlier stage had to stop.
pub(crate) fn value_in_parts<'p>(
    program: &'p Program,
    options: &Forward,
    unfinished: &mut Option<Unfinished<'p>>,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let (values, mut paused) = match unfinished.take() {
        Some((values, paused)) => (values, Some(paused)),
        None => (Values::new(program, None), None),
    };
    let (findings, values) = explore(values, options, Some(&mut paused), solver, run);
    match paused {
        Some(paused) => *unfinished = Some((values, paused)),
        None => run.budget.abandon(values),
    }
    findings
}

fn explore<'p>(
    values: Values<'p>,
    options: &Forward,
    kept: Option<&mut Option<Paused<Values<'p>>>>,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> (Findings, Values<'p>) {
    let program = values.program();
    let clock = Clock::default();
    let budget = &run.budget;
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let mut refine = Refine::new(&mut check, budget, options.preference);
    refine.notes = run.events.wants_lessons().then(Notes::default);
    let traversal = options.traversal.unwrap_or_default();
    let exploration = Exploration { program, options, traversal, run };
    let unresolved = |refine: &Refine<'_>| unresolved("explicit values", &refine.exact.findings);
    let (mut findings, values) =
        exploration.explore_in_parts(values, &mut refine, unresolved, kept);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.trees = values.nodes();
        statistics.variables = values.precision().map(|precision| precision.tracked().len());
        statistics.checks = checks;
        statistics.checked_for(clock.spent());
    }
    findings.precision = values
        .precision()
        .map(|values| domains::Precision { values: values.clone(), predicates: Vec::new() });
    (findings, values)
}
