//! Forward exploration with explicit values and predicates side by side.

use cfa::{EdgeId, Program};
use cpa::Refiner as _;
use domains::predicate::{Abstraction, Blocks, Options, Predicates};
use domains::product::{self, Phases, Rule};
use domains::value::{Precision, Values};
use passes::Cells;
use run::{Notes, Run};
use smt::NewSolver;
use term::Var;

use crate::findings::Findings;
use crate::forward::{Exploration, PathCheck, unresolved};
use crate::options::{Forward, Product};
use crate::predicate::hide_cells;

/// Explores with values first, and with predicates about variables that have too many values.
pub(crate) fn product(
    program: &Program,
    options: &Forward,
    how: Product,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let budget = &run.budget;
    let settings = options.predicate;
    let given = options.precision.as_ref();
    let (asked, phases) = begin(options);
    let abstraction = asked.abstraction;
    let cells = Cells::of(program, budget);
    let seen = cells.as_ref().map_or(program, Cells::program);
    let mirrors = cells.as_ref().map(|cells| cells.mirrors().clone()).unwrap_or_default();
    let mut predicates =
        Predicates::new(seen, asked, solver(), budget.clone()).with_mirrors(mirrors.clone());
    if let Some(given) = given {
        // Predicates that cannot be read were reported when the file was read.
        let _ = predicates.ask_about(&given.predicates);
    }
    let tracked = given.map(|given| match &cells {
        Some(cells) => cells.with(program, &given.values),
        None => given.values.clone(),
    });
    let start = if how.everything { Precision::everything } else { Precision::new };
    let precision = tracked.unwrap_or_else(|| start(options.scope));
    let values = Values::new(seen, Some(precision)).with_mirrors(mirrors);
    let mut both =
        product::Product::new(values, predicates, how.strategy, how.limit).leaving(how.reach);
    if how.rule == Rule::Report {
        both = both.counting_all();
    }
    if let Some(given) = given {
        both = both.knowing(&given.dropouts, &given.taken_back);
    }
    let paths = PathCheck::of(program, solver, budget);
    let mut check = |edges: &[EdgeId]| paths.check(edges);
    let mut refine = product::Refine {
        predicates: settings.refine(&mut check),
        budget,
        preference: options.preference,
        rule: how.rule,
        by_values: 0,
        blocks: phases,
        told: Default::default(),
    };
    refine.predicates.notes = run.events.wants_lessons().then(Notes::default);
    let traversal = options.traversal.or_else(|| refine.traversal()).unwrap_or_default();
    let exploration = Exploration { program, options, traversal, tells_unresolved: false, run };
    let unresolved = |refine: &product::Refine<'_>| {
        unresolved("explicit values and predicates", &refine.predicates.exact.findings)
    };
    let (mut findings, both) = exploration.explore(both, &mut refine, unresolved);
    let checks = refine.predicates.exact.checked;
    let tracked = both.values.precision();
    if let Some(statistics) = &mut findings.statistics {
        statistics.trees = both.values.nodes();
        statistics.variables = tracked.map(|precision| precision.tracked().len());
        statistics.predicates = Some(both.predicates.predicates());
        statistics.abstraction = Some((abstraction, both.predicates.abstraction()));
        statistics.queries = Some(both.predicates.queries());
        statistics.dropouts = Some(both.dropouts().len());
        statistics.checks = checks;
        statistics.checked_for(paths.spent());
    }
    findings.dropouts = both.dropouts();
    let keeps_blocks = settings.blocks.is_some() || refine.blocks.single_edges;
    findings.precision = known(program, &both, cells.as_ref(), keeps_blocks);
    run.budget.abandon((both, refine));
    hide_cells(&mut findings, cells.as_ref());
    findings
}

/// How predicates are asked about at first, and how the exploration goes on from there.
fn begin(options: &Forward) -> (Options, Phases) {
    let settings = options.predicate;
    // Values keep cases apart already, so that states need not be split by predicates.
    let abstraction = settings.abstraction.unwrap_or(Abstraction::Boolean);
    let given = options.precision.as_ref();
    // While there are no predicates, values are best explored edge by edge.
    let begins = given.is_none_or(|known| known.predicates.is_empty() && !known.larger_blocks);
    let (blocks, later) = match settings.blocks {
        Some(blocks) => (blocks, None),
        None if begins => (Blocks::Edge, Some(Blocks::default())),
        None => (Blocks::default(), None),
    };
    let single_edges = blocks == Blocks::Edge;
    let phases = Phases { later, single_edges, follow: options.traversal.is_none() };
    (Options { abstraction, blocks, scope: options.scope }, phases)
}

/// What the analysis knew of the given program at the end, for a run that begins with it.
fn known(
    program: &Program,
    both: &product::Product<'_>,
    cells: Option<&Cells>,
    keeps_blocks: bool,
) -> Option<domains::Precision> {
    // Cells have no names in the given program.
    let nameable = |mut vars: Vec<Var>| {
        vars.retain(|var| cells.is_none_or(|cells| !cells.is_cell(*var)));
        vars
    };
    let division = both.known();
    let predicates = both.predicates.asked();
    let larger_blocks = predicates.is_empty() && !keeps_blocks;
    division.tracked.map(|tracked| domains::Precision {
        values: match cells {
            Some(cells) => cells.without(program, &tracked),
            None => tracked,
        },
        predicates,
        dropouts: nameable(division.dropouts),
        taken_back: nameable(division.taken_back),
        larger_blocks,
    })
}
