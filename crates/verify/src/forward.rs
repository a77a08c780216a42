//! Forward exploration with an abstract domain.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cfa::{EdgeId, Program, Reach};
use cpa::{Arg, Ended, Path, Plan, Prune, Refinement, Refiner, Traversal};
use domains::value::{Finding, Precision, Preference, Refine, Scope, Values};
use engines::{Budget, Counterexample, Invariants, NewSolver, Proof, Unknown, Verdict, path};

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
    /// How predicates are found and asked about.
    pub predicate: Predicate,
}

/// What came of an exploration.
pub(crate) struct Forwarded {
    pub(crate) verdict: Verdict,
    pub(crate) statistics: Statistics,
    pub(crate) precision: Option<Precision>,
    pub(crate) invariants: Arc<Invariants>,
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
    let halt = || budget.exceeded();
    let refine = Refine::new(&mut check, &halt, options.preference);
    let mut refine = Timed { inner: refine, spent: Duration::ZERO };
    let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: options.traversal, halt: &halt };
    let (ended, arg) =
        cpa::cegar(&mut values, &mut refine, &plan, options.prune, &mut statistics.graph);
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
    let precision = values.precision().cloned();
    Forwarded { verdict, statistics, precision, invariants: Arc::default() }
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
