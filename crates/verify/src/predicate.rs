//! Forward exploration with predicates.

use std::sync::Arc;

use cfa::{EdgeId, Program};
use cpa::Traversal;
use domains::predicate::{Abstraction, Blocks, Options, Pieces, Predicates, Refine, Style};
use engines::path;
use passes::Cells;
use run::{Feasibility, Run};
use smt::NewSolver;

use crate::forward::{Clock, Exploration, Forward, unresolved};
use crate::knowledge::Findings;

/// How predicates are found and asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predicate {
    /// Which combinations of them a state can be; if nothing is said, what has proved best.
    pub abstraction: Option<Abstraction>,
    /// Where blocks end; if nothing is said, what has proved best.
    pub blocks: Option<Blocks>,
    /// Which interpolants are wanted.
    pub style: Style,
    /// What becomes of them.
    pub pieces: Pieces,
}

impl Predicate {
    /// Refines predicates with a check of paths.
    pub(crate) fn refine<'a>(
        self,
        check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
    ) -> Refine<'a> {
        Refine::new(check, self.style, self.pieces)
    }
}

/// Explores with predicates, those that refinement asks for.
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
    let predicates = Predicates::new(seen, asked, solver(), budget.clone()).with_mirrors(mirrors);
    let clock = Clock::default();
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
    let mut refine = settings.refine(&mut check);
    // Ways through a block meet only if they are explored in the order of control flow.
    let traversal = options.traversal.unwrap_or(Traversal::ReversePostOrder);
    let exploration = Exploration { program, options, traversal, run };
    let unresolved = |refine: &Refine<'_>| unresolved("predicates", &refine.exact.findings);
    let (mut findings, predicates) = exploration.explore(predicates, &mut refine, unresolved);
    let checks = refine.exact.checked;
    if let Some(statistics) = &mut findings.statistics {
        statistics.tracked = Some(predicates.predicates());
        statistics.queries = Some(predicates.queries());
        statistics.checks = checks;
        statistics.checked_for(clock.spent());
    }
    budget.abandon((predicates, refine));
    hide_cells(&mut findings, cells.as_ref());
    findings
}

/// Takes out of what was found what only the program with cells can say.
pub(crate) fn hide_cells(findings: &mut Findings, cells: Option<&Cells>) {
    if let (Some(cells), Some(graph)) = (cells, &mut findings.graph) {
        cells.hide(Arc::make_mut(graph));
    }
}
