//! Forward exploration with predicates.

use std::sync::Arc;

use cfa::{EdgeId, Program};
use cpa::Traversal;
use domains::predicate::{Abstraction, Asked, Options, Predicates, Refine};
use domains::{Precision, value};
use passes::Cells;
use run::{Budget, Feasibility, Notes, Run};
use smt::NewSolver;
use term::ParseError;

use crate::findings::Findings;
use crate::forward::{Exploration, PathCheck, unresolved};
use crate::options::{Forward, Predicate};

impl Predicate {
    /// Refines predicates with a check of paths.
    pub(crate) fn refine<'a>(
        self,
        check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
    ) -> Refine<'a> {
        let mut refine = Refine::new(check, self.style, self.pieces);
        refine.strict = self.strict;
        refine
    }
}

/// Explores with the predicates that refinement asks for.
pub(crate) fn predicate(
    program: &Program,
    options: &Forward,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let settings = options.predicate;
    let abstraction = settings.abstraction.unwrap_or(Abstraction::Split);
    let blocks = settings.blocks.unwrap_or_default();
    let asked = Options { abstraction, blocks, scope: options.scope };
    let budget = &run.budget;
    let cells = Cells::of(program, budget);
    let seen = cells.as_ref().map_or(program, Cells::program);
    let mirrors = cells.as_ref().map(|cells| cells.mirrors().clone()).unwrap_or_default();
    let mut predicates =
        Predicates::new(seen, asked, solver(), budget.clone()).with_mirrors(mirrors);
    if let Some(given) = &options.precision {
        // Predicates that cannot be read were reported when the file was read.
        let _ = predicates.ask_about(&given.predicates);
    }
    let paths = PathCheck::of(program, solver, budget);
    let mut check = |edges: &[EdgeId]| paths.check(edges);
    let mut refine = settings.refine(&mut check);
    refine.notes = run.events.wants_lessons().then(Notes::default);
    // Ways through a block meet only if they are explored in the order of control flow.
    let traversal = options.traversal.unwrap_or(Traversal::ReversePostOrder);
    let exploration = Exploration { program, options, traversal, tells_unresolved: false, run };
    let unresolved = |refine: &Refine<'_>| unresolved("predicates", &refine.exact.findings);
    let (mut findings, predicates) = exploration.explore(predicates, &mut refine, unresolved);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.variables = Some(0);
        statistics.predicates = Some(predicates.predicates());
        statistics.abstraction = Some((abstraction, predicates.abstraction()));
        statistics.queries = Some(predicates.queries());
        statistics.checks = checks;
        statistics.checked_for(paths.spent());
    }
    findings.precision = Some(Precision {
        values: value::Precision::new(options.scope),
        predicates: predicates.asked(),
        ..Precision::default()
    });
    budget.abandon((predicates, refine));
    hide_cells(&mut findings, cells.as_ref());
    findings
}

/// Removes from the graph what can only be said of the program with cells.
pub(crate) fn hide_cells(findings: &mut Findings, cells: Option<&Cells>) {
    if let (Some(cells), Some(graph)) = (cells, &mut findings.graph) {
        cells.hide(Arc::make_mut(graph));
    }
}

/// What is wrong with each of some predicates that are to be asked about from the start, if anything.
#[must_use]
pub fn unreadable(program: &Program, asked: &[Asked]) -> Vec<Option<ParseError>> {
    if asked.is_empty() {
        return Vec::new();
    }
    let budget = Budget::default();
    let cells = Cells::of(program, &budget);
    let seen = cells.as_ref().map_or(program, Cells::program);
    let solver = Box::new(smt::Builtin::default());
    let read = Predicates::new(seen, Options::default(), solver, budget).ask_about(asked);
    read.into_iter().map(Result::err).collect()
}
