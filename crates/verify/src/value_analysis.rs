//! Forward exploration with explicit values: all of them, or those that refinement asks for.

use std::sync::Arc;
use std::time::Instant;

use cfa::{EdgeId, Program};
use cpa::Paused;
use domains::value::{self, Precision, Refine, Summarised, Values};
use run::{Notes, Proof, Run, Verdict};
use smt::NewSolver;

use crate::evidence::Evidence;
use crate::findings::Findings;
use crate::forward::{Exploration, PathCheck, unresolved};
use crate::options::Forward;
use crate::statistics::Statistics;

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

/// Explores with explicit values; what a function does from a state on is found out once. If a proof is to be checked
/// again, claims about functions are its evidence, which are made within the limits of another run: a proof is worth
/// more time than the search was.
pub(crate) fn summarised(
    program: &Program,
    options: &Forward,
    solver: NewSolver<'_>,
    run: &Run<'_>,
    certified: Option<&Run<'_>>,
) -> Findings {
    let start = Instant::now();
    let budget = &run.budget;
    let precision = match &options.precision {
        Some(given) => given.values.clone(),
        None => Precision::new(options.scope),
    };
    let mut values = Values::new(program, Some(precision)).going_on().deducing();
    let paths = PathCheck::of(program, solver, budget);
    let mut check = |edges: &[EdgeId]| paths.check(edges);
    let reach = cfa::Reach::of(&program.cfa);
    let certified = certified.map(|whole| &whole.budget);
    let preference = options.preference;
    let (found, work) =
        value::summarised(&mut values, preference, &reach, &mut check, budget, certified);
    let mut evidence = None;
    let mut findings = Findings::new(match found {
        Summarised::Safe(nodes, certificate) => {
            evidence = certificate.map(|certificate| Evidence::of_given(program, *certificate));
            Verdict::Safe(Proof::Explored { nodes })
        }
        Summarised::Unsafe(found) => Verdict::Unsafe(found),
        Summarised::Unknown(why) => Verdict::Unknown(why),
    });
    findings.evidence = evidence.map(Arc::new);
    let mut statistics = Statistics {
        nodes: work.nodes,
        exploring: start.elapsed(),
        checks: work.checks,
        trees: values.nodes(),
        variables: values.precision().map(|precision| precision.tracked().len()),
        ..Statistics::default()
    };
    statistics.graph.refinements = work.refinements;
    statistics.checked_for(paths.spent());
    findings.statistics = Some(statistics);
    findings.precision = tracked(&values);
    run.budget.abandon(values);
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
    let budget = &run.budget;
    let paths = PathCheck::of(program, solver, budget);
    let mut check = |edges: &[EdgeId]| paths.check(edges);
    let mut refine = Refine::new(&mut check, budget, options.preference);
    refine.notes = run.events.wants_lessons().then(Notes::default);
    let traversal = options.traversal.unwrap_or_default();
    let exploration = Exploration { program, options, traversal, tells_unresolved: false, run };
    let unresolved = |refine: &Refine<'_>| unresolved("explicit values", &refine.exact.findings);
    let (mut findings, values) =
        exploration.explore_in_parts(values, &mut refine, unresolved, kept);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.trees = values.nodes();
        statistics.variables = values.precision().map(|precision| precision.tracked().len());
        statistics.checks = checks;
        statistics.checked_for(paths.spent());
    }
    findings.precision = tracked(&values);
    (findings, values)
}

/// What is tracked at the end, for a file.
fn tracked(values: &Values<'_>) -> Option<domains::Precision> {
    let values = values.precision()?.clone();
    Some(domains::Precision { values, ..domains::Precision::default() })
}
