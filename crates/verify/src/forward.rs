//! Forward exploration with an abstract domain.

use std::cell::Cell;
use std::time::{Duration, Instant};

use cfa::{EdgeId, Program, Reach};
use cpa::{Arg, Ended, Event, Observer, Path, Plan, Prune, Refinement, Refiner, Traversal};
use domains::value::{Finding, Precision, Preference, Refine, Scope, Values};
use engines::{Budget, Counterexample, NewSolver, Proof, Unknown, Verdict, path};

use crate::Statistics;
use crate::predicate::Predicate;

/// How an abstract domain is explored and refined.
#[derive(Clone, Debug, Default)]
pub struct Forward {
    /// The order in which nodes are expanded.
    pub traversal: Traversal,
    /// How much of the graph a refinement throws away.
    pub prune: Prune,
    /// How far what a refinement learns reaches.
    pub scope: Scope,
    /// Which infeasible prefix a refinement looks at.
    pub preference: Preference,
    /// What is tracked from the start.
    pub precision: Option<Precision>,
    /// End when so many nodes have been added.
    pub nodes: Option<u64>,
    /// How predicates are found and asked about.
    pub predicate: Predicate,
}

/// What came of an exploration.
pub(crate) struct Forwarded {
    pub(crate) verdict: Verdict,
    pub(crate) statistics: Statistics,
    pub(crate) precision: Option<Precision>,
}

/// Explores with explicit values: all of them, or those that refinement asks for.
pub(crate) fn value(
    program: &Program,
    options: &Forward,
    refined: bool,
    solver: NewSolver<'_>,
    budget: &Budget,
) -> Forwarded {
    let reach = Reach::of(&program.cfa);
    let mut statistics = Statistics::default();
    let start = Instant::now();
    let precision =
        refined.then(|| options.precision.clone().unwrap_or_else(|| Precision::new(options.scope)));
    let mut values = Values::new(program, precision);
    let checking = Cell::new(Duration::ZERO);
    let mut check = |edges: &[EdgeId]| {
        let start = Instant::now();
        let feasibility = path::check(program, edges, solver, budget);
        checking.set(checking.get() + start.elapsed());
        feasibility
    };
    let added = Cell::new(0);
    let refinements = Cell::new(0);
    let halt = || {
        budget.progress.set_explored(added.get(), refinements.get());
        let many = options.nodes.is_some_and(|most| added.get() > most);
        let why = || Unknown::Exhausted(format!("{} abstract states", added.get()));
        budget.exceeded().or_else(|| many.then(why))
    };
    let refine = Refine::new(&mut check, &halt, options.preference);
    let mut refine = Timed { inner: refine, spent: Duration::ZERO };
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: options.traversal, halt: &halt };
    let mut observer =
        Count { statistics: &mut statistics.graph, added: &added, refinements: &refinements };
    let (ended, arg) = cpa::cegar(&mut values, &mut refine, &plan, options.prune, &mut observer);
    statistics.nodes = arg.len();
    statistics.trees = values.nodes();
    statistics.tracked = values.precision().map(|precision| precision.tracked().len());
    statistics.checks = refine.inner.checked;
    statistics.checking = checking.get();
    statistics.refining = refine.spent.saturating_sub(checking.get());
    statistics.exploring = start.elapsed().saturating_sub(refine.spent);
    let verdict = match ended {
        Ended::Safe if !reach.error_reachable() && reach.inconclusive().is_empty() => {
            Verdict::Safe(Proof::NoPath)
        }
        Ended::Safe => Verdict::Safe(Proof::Explored { nodes: arg.len() }),
        Ended::Unsafe(found) => Verdict::Unsafe(found),
        Ended::Halted(why) => Verdict::Unknown(why),
        Ended::Unresolved => Verdict::Unknown(unresolved(&refine.inner.findings)),
    };
    Forwarded { verdict, statistics, precision: values.precision().cloned() }
}

/// Why a program whose graph is closed is not called safe.
fn unresolved(findings: &[Finding]) -> Unknown {
    let open = findings.iter().find_map(|finding| match finding {
        Finding::Open(why) => Some(why.clone()),
        Finding::Inexpressible | Finding::NoProgress => None,
    });
    open.unwrap_or_else(|| {
        let paths = findings.len();
        let what = if paths == 1 {
            "a path to an error".to_owned()
        } else {
            format!("{paths} paths to errors")
        };
        Unknown::Exhausted(format!("explicit values cannot exclude {what} that no execution takes"))
    })
}

/// Counts events, and lets others see how far the run is meanwhile.
struct Count<'a> {
    statistics: &'a mut cpa::Statistics,
    added: &'a Cell<u64>,
    refinements: &'a Cell<u64>,
}

impl Observer for Count<'_> {
    fn on(&mut self, event: Event) {
        self.statistics.count(event);
        self.added.set(self.statistics.added);
        self.refinements.set(self.statistics.refinements);
    }
}

/// A refiner with a clock.
struct Timed<R> {
    inner: R,
    spent: Duration,
}

impl<'p, 'a> Refiner<Values<'p>> for Timed<Refine<'a>> {
    type Evidence = Box<Counterexample>;

    fn refine(
        &mut self,
        values: &mut Values<'p>,
        arg: &Arg<Values<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        let start = Instant::now();
        let refined = self.inner.refine(values, arg, path);
        self.spent += start.elapsed();
        refined
    }
}
