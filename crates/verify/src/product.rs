//! Forward exploration with explicit values and predicates side by side.

use cfa::{EdgeId, Program};
use cpa::{Refiner as _, Traversal};
use domains::predicate::{Abstraction, Blocks, Options, Predicates};
use domains::product::{self, Phases, Reach, Rule, Strategy};
use domains::value::{Precision, Values};
use engines::path;
use passes::Cells;
use run::{Notes, Run};
use smt::NewSolver;
use term::Var;

use crate::forward::{Clock, Exploration, Forward, unresolved};
use crate::knowledge::Findings;
use crate::predicate::hide_cells;

/// Which variables are left to the predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// How the values of a variable are counted.
    pub strategy: Strategy,
    /// How many it may have.
    pub limit: Option<usize>,
    /// What a refinement learns.
    pub rule: Rule,
    /// Whether values of everything are tracked from the start, and not of what refinements ask for.
    pub everything: bool,
    /// Where a variable that has too many is not tracked any more.
    pub reach: Reach,
}

impl Product {
    /// How many values a variable may have if nothing is said (Bajkai 2018, §4.1).
    pub const LIMIT: usize = 5;
    /// The same for EXPLitp-PRED.
    pub const VALUE_LIMIT: usize = 32;

    /// Product abstraction (Bajkai 2018, ch. 3).
    #[must_use]
    pub const fn new(strategy: Strategy, limit: usize) -> Self {
        let (rule, reach) = (Rule::Dropouts, Reach::Everywhere);
        Self { strategy, limit: Some(limit), rule, everything: false, reach }
    }

    /// Product abstraction to the letter of the report.
    #[must_use]
    pub const fn to_the_letter(self) -> Self {
        Self { rule: Rule::Report, ..self }
    }

    /// EXPLitp-PRED (Beyer & Löwe 2012, §III-F), with a limit if one is given.
    #[must_use]
    pub fn preferred(limit: Option<usize>) -> Self {
        let limit = Some(limit.unwrap_or(Self::VALUE_LIMIT));
        let (rule, reach) = (Rule::Preferred, Reach::Everywhere);
        Self { strategy: Strategy::Path, limit, rule, everything: false, reach }
    }

    /// The same, where variables that have too many values are not tracked as far as is said.
    #[must_use]
    pub const fn leaving(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// EXPL-PRED (Beyer & Löwe 2012, Table II): refinements learn nothing but predicates.
    #[must_use]
    pub fn with_all_values(limit: Option<usize>) -> Self {
        Self { everything: true, ..Self::preferred(limit) }
    }
}

impl Default for Product {
    fn default() -> Self {
        Self::new(Strategy::State, Self::LIMIT)
    }
}

/// Explores with values first, and with predicates about variables that have too many.
pub(crate) fn product(
    program: &Program,
    options: &Forward,
    how: Product,
    order: Option<Traversal>,
    solver: NewSolver<'_>,
    run: &Run<'_>,
) -> Findings {
    let budget = &run.budget;
    let settings = options.predicate;
    // Values tell cases apart already.
    let abstraction = settings.abstraction.unwrap_or(Abstraction::Boolean);
    let given = options.precision.as_ref();
    // While there are no predicates, values are best explored edge by edge.
    let begins = given.is_none_or(|known| known.predicates.is_empty() && !known.larger_blocks);
    let (first, later) = match settings.blocks {
        Some(blocks) => (blocks, None),
        None if begins => (Blocks::Edge, Some(Blocks::default())),
        None => (Blocks::default(), None),
    };
    let single_edges = first == Blocks::Edge;
    let phases = Phases { later, single_edges, follow: options.traversal.or(order).is_none() };
    let asked = Options { abstraction, blocks: first, scope: options.scope };
    let cells = Cells::of(program, budget);
    let seen = cells.as_ref().map_or(program, Cells::program);
    let mirrors = cells.as_ref().map(|cells| cells.mirrors().clone()).unwrap_or_default();
    let mut predicates =
        Predicates::new(seen, asked, solver(), budget.clone()).with_mirrors(mirrors.clone());
    if let Some(given) = given {
        // Those that cannot be read were told of when the file was.
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
    let clock = Clock::default();
    let mut check = |edges: &[EdgeId]| clock.time(|| path::check(program, edges, solver, budget));
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
    let order = options.traversal.or(order);
    let traversal = order.or_else(|| refine.traversal()).unwrap_or_default();
    let exploration = Exploration { program, options, traversal, run };
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
        statistics.checked_for(clock.spent());
    }
    findings.dropouts = both.dropouts();
    // What only the program with cells has cannot be named.
    let nameable = |mut vars: Vec<Var>| {
        vars.retain(|var| cells.as_ref().is_none_or(|cells| !cells.is_cell(*var)));
        vars
    };
    let known = both.known();
    let predicates = both.predicates.asked();
    let larger_blocks =
        settings.blocks.is_none() && predicates.is_empty() && !refine.blocks.single_edges;
    findings.precision = known.tracked.map(|tracked| domains::Precision {
        values: match &cells {
            Some(cells) => cells.without(program, &tracked),
            None => tracked,
        },
        predicates,
        dropouts: nameable(known.dropouts),
        taken_back: nameable(known.taken_back),
        larger_blocks,
    });
    run.budget.abandon((both, refine));
    hide_cells(&mut findings, cells.as_ref());
    findings
}
